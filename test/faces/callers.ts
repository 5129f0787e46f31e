/** The three ways to run a command, so that one test can say that they behave the same. */
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { onTestFinished } from "vitest";
import type { RunResult } from "../../src/model/index.ts";
import { connect } from "../../src/index.ts";
import { World } from "../cli/command-line.ts";
import { McpProcess } from "../mcp/mcp-process.ts";

/** One call of a face: the commands, and the directory they run in. */
export type Caller = (commands: readonly string[], cwd: string) => Promise<RunResult>;

/** A directory for one test. */
export function scratch(): string {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "proctor-faces-")));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Puts a program into a directory; a body without an interpreter is one of sh. */
export function install(dir: string, name: string, body: string): void {
  mkdirSync(dir, { recursive: true });
  const file = join(dir, name);
  rmSync(file, { force: true });
  writeFileSync(file, body.startsWith("#!") ? body : `#!/bin/sh\n${body}\n`);
  chmodSync(file, 0o755);
}

/** PATH with `dir` before everything else. */
export function pathWith(dir: string): string {
  return `${dir}${delimiter}${process.env["PATH"] ?? ""}`;
}

/** The command line in a world of its own. */
export function commandLine(env: Readonly<Record<string, string>>): Caller {
  const world = new World();
  onTestFinished(() => world[Symbol.asyncDispose]());
  return (commands, cwd) => world.run(commands, { env, cwd });
}

/** The MCP server; one process for all calls. */
export function mcpServer(env: Readonly<Record<string, string>>): Caller {
  const server = new McpProcess({ env });
  onTestFinished(() => server.dispose());
  const greeted = server.initialize();
  return async (commands, cwd) => {
    await greeted;
    return (await server.tool("bash", { command: commands, cwd })).run;
  };
}

/** The library in this process; `env` is this process's for the length of the test. */
function library(env: Readonly<Record<string, string>>): Caller {
  for (const [name, value] of Object.entries(env)) {
    const before = process.env[name];
    process.env[name] = value;
    onTestFinished(() => {
      if (before === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = before;
    });
  }
  const session = connect();
  onTestFinished(async () => void (await (await session).end({ graceMs: 0 })));
  return async (commands, cwd) => (await session).bash(commands, { cwd });
}

/** Every face by its name. */
export const FACES: readonly (readonly [string, (env: Readonly<Record<string, string>>) => Caller])[] = [
  ["the command line", commandLine],
  ["the MCP server", mcpServer],
  ["the library", library],
];
