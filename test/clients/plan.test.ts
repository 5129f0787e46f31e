/** What becomes of configuration files, planned and carried out in a home directory of the test's own. */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parse as parseTree } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { afterEach, describe, expect, it } from "vitest";
import {
  CLIENT_IDS,
  carryOut,
  clientNamed,
  planInstall,
  planUninstall,
  serverCommand,
} from "../../src/clients/index.ts";
import type { Place, Plan } from "../../src/clients/index.ts";
import { SAMPLES, SWITCHABLE } from "./configurations.ts";

const homes: string[] = [];
afterEach(() => {
  for (const home of homes.splice(0)) rmSync(home, { recursive: true, force: true });
});

function newPlace(scope: "user" | "project" = "user"): Place {
  const root = mkdtempSync(join(tmpdir(), "pct-"));
  homes.push(root);
  for (const name of ["home", "project"]) mkdirSync(join(root, name));
  return { scope, home: join(root, "home"), cwd: join(root, "project"), env: { XDG_STATE_HOME: join(root, "state") } };
}

const PROGRAM = { node: "/opt/node", main: "/opt/proctor/dist/cli/main.js", version: "1.2.3" };

function install(place: Place, name: string): Plan {
  const server = serverCommand(PROGRAM, place.scope, []);
  const plan = planInstall({
    client: clientNamed(name),
    place,
    server,
    replaceShell: SWITCHABLE.includes(name),
    config: null,
  });
  carryOut(plan);
  return plan;
}

function uninstall(place: Place, name: string): void {
  carryOut(planUninstall({ client: clientNamed(name), place, config: null }));
}

function write(place: Place, path: string, text: string): string {
  const file = join(place.home, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

function config(file: string): unknown {
  const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  return file.endsWith(".toml") ? parseToml(text) : parseTree(text);
}

const filesOf = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe("a file that its owner changed since", () => {
  it.each(SAMPLES)("keeps every value and comment: $client, $path: $title", ({ client, path, text }) => {
    const place = newPlace();
    const file = write(place, path, text);
    const foreign = config(file) ?? {};
    install(place, client);
    // White space at the end is a change, and none of the values.
    for (const changed of filesOf(place.home)) writeFileSync(changed, `${readFileSync(changed, "utf8")}\n`);
    uninstall(place, client);
    expect(config(file)).toEqual(foreign);
    const comments = text.match(/(?:\/\/|#|\/\*) ?\w[^\n"]*$/gm) ?? [];
    for (const comment of comments) expect(readFileSync(file, "utf8")).toContain(comment);
  });

  it.each(SAMPLES.filter(({ path }) => path.endsWith(".json") || path.endsWith(".jsonc")))(
    "keeps what was added behind proctor's entry: $client, $path: $title",
    ({ client, path, text }) => {
      const place = newPlace();
      const file = write(place, path, text);
      const foreign = config(file) ?? {};
      install(place, client);
      const installed = readFileSync(file, "utf8");
      const end = installed.lastIndexOf("}");
      const comma = /,\s*$/.test(installed.slice(0, end)) ? "" : ",";
      writeFileSync(file, `${installed.slice(0, end)}${comma} "added": [1]}${installed.slice(end + 1)}`);
      uninstall(place, client);
      expect(config(file)).toEqual({ ...foreign, added: [1] });
    },
  );

  it("keeps a table that was added behind proctor's", () => {
    const place = newPlace();
    const file = write(place, ".codex/config.toml", 'model = "x"\n');
    install(place, "codex");
    writeFileSync(file, `${readFileSync(file, "utf8")}\n# mine\n[tui]\ntheme = "dark"\n`);
    uninstall(place, "codex");
    expect(readFileSync(file, "utf8")).toBe('model = "x"\n\n# mine\n[tui]\ntheme = "dark"\n');
  });
});

describe("no file", () => {
  it.each(CLIENT_IDS)("is there before and after %s, nor a directory", (client) => {
    for (const scope of ["user", "project"] as const) {
      const place = newPlace(scope);
      const plan = install(place, client);
      const modes = plan.changes.map(({ file }) => statSync(file.path).mode & 0o777);
      const expected = scope === "user" ? 0o600 : 0o666 & ~process.umask();
      expect(modes).toEqual(modes.map(() => expected));
      uninstall(place, client);
      expect([...readdirSync(place.home), ...readdirSync(place.cwd)]).toEqual([]);
      expect(readdirSync(join(place.env["XDG_STATE_HOME"] ?? "", "proctor", "clients"))).toEqual([]);
    }
  });
});

describe("a plan", () => {
  it("is not carried out when a file changed after it was made", () => {
    const place = newPlace();
    const file = write(place, ".cursor/mcp.json", "{}");
    const server = serverCommand(PROGRAM, "user", []);
    const plan = planInstall({ client: clientNamed("cursor"), place, server, replaceShell: false, config: null });
    writeFileSync(file, '{"by": "Cursor"}');
    expect(() => carryOut(plan)).toThrow(/was changed by another program meanwhile. Nothing was changed/);
    expect(readFileSync(file, "utf8")).toBe('{"by": "Cursor"}');
    expect(readdirSync(dirname(file))).toEqual(["mcp.json"]);
  });

  it("takes back its first file when the second can't be written", () => {
    const place = newPlace();
    const first = write(place, ".claude.json", '{"numStartups": 1}');
    const second = write(place, ".claude/settings.json", "{}");
    const server = serverCommand(PROGRAM, "user", []);
    const plan = planInstall({ client: clientNamed("claude"), place, server, replaceShell: true, config: null });
    expect(plan.changes.map(({ file }) => file.path)).toEqual([first, second]);
    writeFileSync(second, '{"by": "Claude"}');
    expect(() => carryOut(plan)).toThrow(/settings.json: was changed by another program/);
    expect(readFileSync(first, "utf8")).toBe('{"numStartups": 1}');
    expect(filesOf(place.env["XDG_STATE_HOME"] ?? "")).toEqual([]);
  });
});

describe("the command that a client starts", () => {
  it.each([
    ["user", "/opt/proctor/dist/cli/main.js", { command: "/opt/node", args: ["/opt/proctor/dist/cli/main.js", "mcp"] }],
    ["project", "/opt/proctor/dist/cli/main.js", { command: "proctor", args: ["mcp"] }],
    [
      "user",
      "/root/.npm/_npx/3f/node_modules/proctor/dist/cli/main.js",
      { command: "npx", args: ["-y", "proctor@1.2.3", "mcp"] },
    ],
  ] as const)("scope %s, installed at %s", (scope, main, expected) => {
    expect(serverCommand({ ...PROGRAM, main }, scope, [])).toEqual(expected);
  });
});
