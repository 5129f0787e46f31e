/**
 * The documents run: every block of the README and of `docs/` that is marked `runnable` is executed as it stands,
 * by the built program, in a session of its own. And what documents say about files and packages is so.
 */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");
const PROGRAM = join(ROOT, "dist", "cli", "main.js");

interface Block {
  readonly file: string;
  readonly line: number;
  readonly language: string;
  readonly text: string;
}

function documents(): string[] {
  const inDocs = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" }).map((path) =>
    join("docs", path),
  );
  const atRoot = readdirSync(ROOT);
  return [...atRoot, ...inDocs].filter((path) => path.endsWith(".md"));
}

function runnableBlocks(file: string): Block[] {
  const text = readFileSync(join(ROOT, file), "utf8");
  return [...text.matchAll(/^```(\w+) runnable\n([^]*?)^```$/gm)].map((match) => ({
    file,
    line: text.slice(0, match.index).split("\n").length,
    language: match[1] ?? "",
    text: match[2] ?? "",
  }));
}

const blocks = documents().flatMap(runnableBlocks);
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "proctor-docs-")));
// Inside the package, so that `import "proctor"` finds the package itself.
const modules = join(ROOT, ".cache", "docs");

/** A reader's shell: `proctor` on PATH, and a state directory that is empty. */
function readersEnvironment(name: string): NodeJS.ProcessEnv {
  const bin = join(scratch, "bin");
  mkdirSync(bin, { recursive: true });
  const shim = join(bin, "proctor");
  writeFileSync(shim, `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`);
  chmodSync(shim, 0o755);
  return { ...process.env, PATH: `${bin}:${process.env["PATH"] ?? ""}`, XDG_STATE_HOME: join(scratch, name) };
}

afterAll(() => {
  rmSync(modules, { recursive: true, force: true });
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
});

describe("a runnable block", () => {
  it("stands in the README", () => {
    expect(blocks.filter((block) => block.file === "README.md").map((block) => block.language)).toEqual(
      expect.arrayContaining(["sh", "js"]),
    );
  });

  it.each(blocks.map((block) => [`${block.file}:${block.line}`, block] as const))(
    "%s does what it says",
    (_at, block) => {
      const env = readersEnvironment(`state-${block.line}`);
      const cwd = mkdtempSync(join(scratch, "cwd-"));
      try {
        let result: ReturnType<typeof spawnSync>;
        switch (block.language) {
          case "sh":
            result = spawnSync("bash", ["-euo", "pipefail", "-c", block.text], { cwd, env, encoding: "utf8" });
            break;
          case "js": {
            mkdirSync(modules, { recursive: true });
            const path = join(modules, `block-${block.line}.mjs`);
            writeFileSync(path, block.text);
            result = spawnSync(process.execPath, [path], { cwd, env, encoding: "utf8" });
            break;
          }
          default:
            throw new Error(`${block.file}:${block.line}: nobody here can run "${block.language}"`);
        }
        expect({ status: result.status, stderr: result.stderr }).toEqual({ status: 0, stderr: expect.any(String) });
        expect(String(result.stdout)).not.toBe("");
      } finally {
        spawnSync("proctor", ["session", "end"], { env, stdio: "ignore" });
      }
    },
  );
});

describe("a document", () => {
  it.each(documents())("%s links to what exists", (file) => {
    const text = readFileSync(join(ROOT, file), "utf8").replace(/^```[^]*?^```$/gm, "");
    const targets = [...text.matchAll(/\]\(([^)#\s]+)(?:#[^)]*)?\)/g)].map((match) => match[1] ?? "");
    const local = targets.filter((target) => !/^[a-z]+:/.test(target));
    const missing = local.filter((target) => !existsSync(resolve(ROOT, dirname(file), target)));
    expect(missing).toEqual([]);
  });

  it("names every dependency, and why", () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Record<
      "dependencies" | "devDependencies",
      Record<string, string>
    >;
    const text = readFileSync(join(ROOT, "docs", "dependencies.md"), "utf8");
    const names = [...Object.keys(dependencies), ...Object.keys(devDependencies)];
    expect(names.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  it("is the API reference that the declarations make: after a change, npm run api", () => {
    const check = spawnSync(process.execPath, [join(ROOT, "scripts", "write-api-reference.mjs"), "--check"], {
      encoding: "utf8",
    });
    expect([check.status, check.stderr]).toEqual([0, ""]);
  });

  it("has no example that nobody runs", () => {
    // Programs' own configuration, a picture, and what only makes sense on a clone, inside Pi, or with an
    // adapter of one's own.
    const left = documents()
      .filter((file) => !/^(docs\/(api\.md|decisions\/)|CONTRIBUTING\.md)/.test(file))
      .flatMap((file) => {
        const text = readFileSync(join(ROOT, file), "utf8");
        return [...text.matchAll(/^```(sh|js|ts)\n([^\n]*)/gm)].map((match) => `${file}: ${match[2] ?? ""}`);
      });
    expect(left).toEqual([
      "README.md: npm ci && npm run demo",
      "README.md: npm ci && npm test",
      "README.md: proctor install claude",
      "docs/agent-runs.md: const adapter = {",
      'docs/agent-runs.md: import { readFileSync } from "node:fs";',
      "docs/agents.md: proctor install claude",
      "docs/pi.md: pi install ~/src/proctor     # pi remove ~/src/proctor takes it out again",
      'docs/pi.md: const server = await tools.bash({ command: "npm run dev", background: true });',
    ]);
  });

  it("is there for every task", () => {
    const tasks =
      "run background wait logs interactive agents sandbox limits queue sessions settings embed troubleshoot";
    const readme = readFileSync(join(ROOT, "README.md"), "utf8");
    expect(tasks.split(" ").filter((task) => !readme.includes(`(docs/${task}.md)`))).toEqual([]);
  });

  it("names every floor in the architecture", () => {
    const text = readFileSync(join(ROOT, "docs", "architecture.md"), "utf8");
    const floors = readdirSync(join(ROOT, "src"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const missing = floors
      .map((floor) => relative(ROOT, join(ROOT, "src", floor.name)))
      .filter((path) => !text.includes(`\`${path}\``));
    expect(missing).toEqual([]);
  });
});
