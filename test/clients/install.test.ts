/** `proctor install`, `uninstall` and `doctor CLIENT`, by the built program, on files as people have them. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { parse as parseTree } from "jsonc-parser";
import { parse as parseToml } from "smol-toml";
import { describe, expect, it } from "vitest";
import { PROGRAM, newWorld } from "../cli/command-line.ts";
import type { World } from "../cli/command-line.ts";
import { SAMPLES, SWITCHABLE } from "./configurations.ts";

interface Document {
  readonly dryRun: boolean;
  readonly files: readonly {
    readonly path: string;
    readonly action: string;
    readonly diff: string;
    readonly backup: string | null;
  }[];
  readonly notes: readonly string[];
}

const home = (world: World, ...path: readonly string[]): string => join(world.root, "home", ...path);

function write(world: World, path: string, text: string): string {
  const file = home(world, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

/** Every file and directory of the home but proctor's own state, with content and mode. */
function snapshot(world: World, dir = home(world)): Record<string, string> {
  const found: Record<string, string> = {};
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (path === home(world, ".local")) continue;
    const mode = (lstatSync(path).mode & 0o7777).toString(8);
    found[path] = entry.isFile() ? `${mode} ${readFileSync(path).toString("base64")}` : mode;
    if (entry.isDirectory()) Object.assign(found, snapshot(world, path));
  }
  return found;
}

function config(file: string): Record<string, unknown> {
  const text = readFileSync(file, "utf8").replace(/^\uFEFF/, "");
  return (file.endsWith(".toml") ? parseToml(text) : parseTree(text)) as Record<string, unknown>;
}

/** Whether `after` is `before` with something put in between: no byte of it is gone or moved. */
function isGrown(before: string, after: string): boolean {
  let at = 0;
  for (const char of after) if (before.startsWith(char, at)) at += char.length;
  return at === before.length;
}

describe("a round trip", () => {
  it.each(SAMPLES)("$client, $path: $title", async ({ client, path, text }) => {
    const world = newWorld();
    const file = write(world, path, text);
    chmodSync(file, 0o640);
    const before = snapshot(world);
    const args = SWITCHABLE.includes(client) ? [client, "--replace-shell"] : [client];

    const installed = await world.json<Document>(["install", ...args]);
    expect(installed.answer.code).toBe(0);
    expect(installed.files.map((one) => one.path)).toContain(file);
    expect(JSON.stringify(config(installed.files[0]?.path ?? ""))).toContain(PROGRAM);
    expect(isGrown(text, readFileSync(file, "utf8"))).toBe(true);
    expect(statSync(file).mode & 0o777).toBe(0o640);

    const again = await world.json<Document>(["install", ...args]);
    expect([again.answer.code, again.files]).toEqual([0, []]);

    const removed = await world.json<Document>(["uninstall", client]);
    expect(removed.answer.code).toBe(0);
    expect(snapshot(world)).toEqual(before);
    expect(readdirSync(home(world, ".local/state/proctor/clients"))).toEqual([]);
  });

  it("in two steps, the shell later, ends where it began", async () => {
    const world = newWorld();
    write(world, ".codex/config.toml", 'model = "x"\n[features]\nshell_tool = true # as it comes\n');
    const before = snapshot(world);
    await world.json(["install", "codex"]);
    await world.json(["install", "codex", "--replace-shell"]);
    await world.json(["install", "codex", "--tools", "bash,wait"]);
    expect(config(home(world, ".codex/config.toml"))).toMatchObject({
      features: { shell_tool: false, unified_exec: false },
      mcp_servers: { proctor: { args: [PROGRAM, "mcp", "--tools", "bash,wait"] } },
    });
    await world.json(["uninstall", "codex"]);
    expect(snapshot(world)).toEqual(before);
  });

  it("puts back what stood in its place, also when the file was changed since", async () => {
    const world = newWorld();
    const file = write(world, ".cursor/mcp.json", '{"mcpServers": {"proctor": {"command": "mine"}}}');
    await world.json(["install", "cursor"]);
    writeFileSync(file, readFileSync(file, "utf8").replace("{", '{"later": 1, '));
    await world.json(["uninstall", "cursor"]);
    expect(config(file)).toEqual({ later: 1, mcpServers: { proctor: { command: "mine" } } });
  });

  it("leaves a switch alone that its record does not know", async () => {
    const world = newWorld();
    const file = write(
      world,
      ".gemini/settings.json",
      '{"mcpServers": {"proctor": {"command": "x"}}, "tools": {"exclude": ["run_shell_command"]}}',
    );
    const removed = await world.json<Document>(["uninstall", "gemini"]);
    expect(config(file)).toEqual({ mcpServers: {}, tools: { exclude: ["run_shell_command"] } });
    expect(removed.notes).toEqual([expect.stringContaining("tools.exclude")]);
  });
});

describe("install", () => {
  it("--dry-run shows the change and makes none", async () => {
    const world = newWorld();
    write(world, ".claude.json", '{\n  "numStartups": 1\n}\n');
    const before = snapshot(world);
    const answer = await world.call(["install", "claude", "--replace-shell", "--dry-run"]);
    expect(answer.code).toBe(0);
    expect(answer.out).toContain(`--- ${home(world, ".claude.json")}\n+++ ${home(world, ".claude.json")}\n@@ `);
    expect(answer.out).toContain('-  "numStartups": 1\n+  "numStartups": 1,\n+  "mcpServers": {\n');
    expect(answer.out).toContain(`--- /dev/null\n+++ ${home(world, ".claude/settings.json")}\n`);
    expect(snapshot(world)).toEqual(before);
    expect(existsSync(home(world, ".local"))).toBe(false);
  });

  it("shows the change, keeps the original privately, and says where", async () => {
    const world = newWorld();
    const text = '{"numStartups": 1, "secret": "s"}';
    write(world, ".claude.json", text);
    const answer = await world.call(["install", "claude"]);
    expect(answer.out).toMatch(/^--- .*\n\+\+\+ .*\n@@ /);
    const backup = / as it was: (\S+)/.exec(answer.out)?.[1] ?? "";
    expect(readFileSync(backup, "utf8")).toBe(text);
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect(statSync(dirname(backup)).mode & 0o777).toBe(0o700);
  });

  it("follows a symbolic link, which stays one", async () => {
    const world = newWorld();
    const real = write(world, "dotfiles/gemini.json", "{}\n");
    const link = home(world, ".gemini/settings.json");
    mkdirSync(dirname(link));
    symlinkSync("../dotfiles/gemini.json", link);
    const before = snapshot(world);
    await world.json(["install", "gemini"]);
    expect(lstatSync(link).isSymbolicLink()).toBe(true);
    expect(config(real)).toHaveProperty("mcpServers.proctor");
    await world.json(["uninstall", "gemini"]);
    expect(snapshot(world)).toEqual(before);
  });

  it("--scope project writes the project's file, which names the program by name", async () => {
    const world = newWorld();
    const files: Readonly<Record<string, string>> = {
      claude: ".mcp.json",
      codex: ".codex/config.toml",
      opencode: "opencode.json",
    };
    for (const [client, path] of Object.entries(files)) {
      // Whoever runs this may have proctor on PATH.
      const env = { PATH: home(world) };
      const installed = await world.json<Document>(["install", client, "--scope", "project"], { env });
      expect(installed.files.map((one) => one.path)).toEqual([join(world.work, path)]);
      expect(installed.notes).toContainEqual(expect.stringContaining("proctor is not on PATH"));
      expect(readFileSync(join(world.work, path), "utf8")).not.toContain(PROGRAM);
      await world.json(["uninstall", client, "--scope", "project"]);
    }
    expect(readdirSync(world.work)).toEqual([]);
  });

  it("--config names another file", async () => {
    const world = newWorld();
    const file = write(world, "windsurf/mcp_config.json", "{}");
    await world.json(["install", "cursor", "--config", file]);
    expect(config(file)).toHaveProperty("mcpServers.proctor");
    await world.json(["uninstall", "cursor", "--config", file]);
    expect(readFileSync(file, "utf8")).toBe("{}");
  });

  it.each([
    [".claude.json", "claude", '{\n  "a": 1,\n  "b" 2\n}\n', ":3:7: this is not JSON (colon expected)"],
    [".claude.json", "claude", "[1]", ":1:1: holds an array instead of an object"],
    [".gemini/settings.json", "gemini", '{"mcpServers": []}', ':1:16: "mcpServers" is not an object'],
    [".codex/config.toml", "codex", 'model = "x"\nmcp_servers = 3 4\n', ":2:"],
    [".codex/config.toml", "codex", "mcp_servers = { a = { command = 'b' } }\n", "can't be put in without rewriting"],
    [".gemini/settings.json", "gemini", Buffer.from([0x7b, 0xff, 0x7d]), "is not UTF-8"],
  ])("refuses a broken %s of %s and changes nothing: %s", async (path, client, text, why) => {
    const world = newWorld();
    const file = write(world, path, "");
    writeFileSync(file, text);
    const before = snapshot(world);
    const answer = await world.json<{ error: { code: string; message: string } }>(["install", client]);
    expect([answer.answer.code, answer.error.code]).toEqual([125, "ERR_INPUT_FILE"]);
    expect(answer.error.message).toContain(file);
    expect(answer.error.message).toContain(why);
    expect(answer.error.message).toContain("Nothing was changed");
    expect(snapshot(world)).toEqual(before);
    expect(existsSync(home(world, ".local/state/proctor/clients"))).toBe(false);
  });

  it("changes no file when one of two is broken, or can't be written", async () => {
    const world = newWorld();
    write(world, ".claude.json", "{}");
    const settings = write(world, ".claude/settings.json", "{");
    const before = snapshot(world);
    expect((await world.call(["install", "claude", "--replace-shell"])).code).toBe(125);
    expect(snapshot(world)).toEqual(before);
    // The second can be read and not be replaced: its temporary name is taken by a directory's contents.
    unlinkSync(settings);
    mkdirSync(settings);
    const refused = await world.call(["install", "claude", "--replace-shell"]);
    expect([refused.code, refused.err]).toEqual([125, expect.stringContaining("is not a regular file")]);
    expect(readFileSync(home(world, ".claude.json"), "utf8")).toBe("{}");
  });

  it("says what can't be switched, asked or meant", async () => {
    const world = newWorld();
    const say = async (...args: readonly string[]): Promise<string> => {
      const answer = await world.call(["install", ...args]);
      expect(answer.code).toBe(125);
      return answer.err;
    };
    expect(await say("copilot", "--replace-shell")).toContain("--excluded-tools bash");
    expect(await say("cursor", "--replace-shell")).toContain("no setting");
    expect(await say("claud")).toContain("claude");
    expect(await say("claude", "--scope", "system")).toContain("Accepted: user, project");
    expect(await say("claude", "--tools", "bash,nonsense")).toContain("nonsense");
    expect(snapshot(world)).toEqual({});
  });
});

describe("Pi that loads the extension", () => {
  const SETTINGS = ".pi/agent/settings.json";

  it.each([
    ["a package", { packages: ["npm:other", "npm:proctor"] }],
    ["a package of a version", { packages: [{ source: "npm:proctor@0.1.0", skills: [] }] }],
    ["a package in a directory", { packages: ["../../checkout"] }],
    ["a package below the home directory", { packages: ["~/checkout"] }],
    ["an extension's file", { extensions: ["~/checkout/dist/pi/index.js"] }],
  ])("is refused a second shell beside it: %s", async (_title, settings) => {
    const world = newWorld();
    write(world, "checkout/package.json", '{ "name": "proctor" }');
    const file = write(world, SETTINGS, JSON.stringify(settings));
    const before = snapshot(world);
    const answer = await world.call(["install", "pi", "--replace-shell"]);
    expect(answer.code).toBe(125);
    expect(answer.err).toContain(file);
    expect(answer.err).toMatch(/takes the place of its shell.*Nothing was changed\. Accepted:/);
    expect(snapshot(world)).toEqual(before);
  });

  it.each([
    ["other packages", { packages: ["npm:proctor-of-others", "git:github.com/ada/proctor-theme", "../../other"] }],
    ["the package without its extension", { packages: [{ source: "npm:proctor", extensions: [] }] }],
    ["an extension that is left out", { extensions: ["!~/checkout/dist/pi/index.js", 7] }],
  ])("is told apart from %s", async (_title, settings) => {
    const world = newWorld();
    write(world, "checkout/package.json", '{ "name": "proctor" }');
    write(world, "other/package.json", "{ not JSON");
    write(world, SETTINGS, JSON.stringify(settings));
    expect((await world.call(["install", "pi", "--replace-shell"])).code).toBe(0);
  });

  it("counts for a project wherever it is named; other clients and files go on", async () => {
    const world = newWorld();
    write(world, SETTINGS, '{ "packages": ["npm:proctor"] }');
    expect((await world.call(["install", "pi", "--scope", "project"])).code).toBe(125);
    expect((await world.call(["install", "pi", "--config", join(world.work, "other.json")])).code).toBe(0);
    expect((await world.call(["install", "gemini"])).code).toBe(0);
    const { checks } = await world.json<{ checks: readonly { detail: string }[] }>(["doctor", "pi"]);
    expect(checks.map(({ detail }) => detail)).toEqual([expect.stringContaining("which needs no server")]);
  });
});

describe("doctor CLIENT", () => {
  interface Checks {
    readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly detail: string }[];
  }

  it.each(["codex", "opencode"])("starts what %s would start, and calls a tool", async (client) => {
    const world = newWorld();
    await world.json(["install", client]);
    const answer = await world.json<Checks>(["doctor", client]);
    expect(answer.checks.map(({ name, ok }) => [name, ok])).toEqual(
      ["configuration", "server", "tools", "call", "end"].map((name) => [name, true]),
    );
    expect(answer.answer.code).toBe(0);
  });

  it("tells what is wrong", async () => {
    const world = newWorld();
    const last = async (): Promise<{ ok: boolean; detail: string } | undefined> => {
      const answer = await world.json<Checks>(["doctor", "gemini"]);
      expect(answer.answer.code).toBe(1);
      return answer.checks.at(-1);
    };
    expect((await last())?.detail).toContain("proctor install gemini");
    const file = write(world, ".gemini/settings.json", '{"mcpServers": {"proctor": {"command": "/nowhere/node"}}}');
    expect((await last())?.detail).toMatch(/can't be started.*ENOENT/);
    writeFileSync(
      file,
      '{"mcpServers": {"proctor": {"command": "sh", "args": ["-c", "echo no such module >&2; exit 3"]}}}',
    );
    expect((await last())?.detail).toMatch(/exit status 3.*no such module/);
    writeFileSync(file, '{"mcpServers": {"proctor": {}}}');
    expect((await last())?.detail).toContain("mcpServers.proctor.command");
    writeFileSync(file, "{");
    expect((await last())?.detail).toContain(`${file}:1:2: this is not JSON`);
    writeFileSync(
      file,
      JSON.stringify({
        mcpServers: { proctor: { command: process.execPath, args: [PROGRAM, "mcp", "--tools", "runner_list"] } },
      }),
    );
    expect((await last())?.detail).toContain('no "bash"');
  });

  it("takes the project's entry before the user's", async () => {
    const world = newWorld();
    await world.json(["install", "claude"]);
    writeFileSync(join(world.work, ".mcp.json"), '{"mcpServers": {"proctor": {"command": "/nowhere"}}}');
    const answer = await world.json<Checks>(["doctor", "claude"]);
    expect(answer.checks[0]?.detail).toContain(`${join(world.work, ".mcp.json")} names proctor; it goes before`);
    expect(answer.answer.code).toBe(1);
  });
});
