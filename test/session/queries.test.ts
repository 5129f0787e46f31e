/** What a program asks its terminal is answered by the run's own terminal, whoever has joined it, or nobody. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { PROGRAM } from "../cli/command-line.ts";
import { eventually, killSeen, livingProcesses } from "./processes.ts";
import { Driven, terminalSession } from "./terminal-session.ts";
import type { TerminalSession } from "./terminal-session.ts";

const ASKER = fileURLToPath(new URL("programs/asker.py", import.meta.url));
const ATTRIBUTES = String.raw`\x1b[?1;2c`;

let world: TerminalSession;
beforeAll(async () => {
  world = await terminalSession("built-in");
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});
const start = (command: string): Promise<Driven> => Driven.start(world.session, command, world.base);
const log = (driven: Driven): string => readFileSync(driven.run.log.path, "latin1");
const answers = (driven: Driven): string[] =>
  [...log(driven).matchAll(/^answer: (.*?)\r?$/gm)].map(([, one]) => one ?? "");

test("the place of the cursor, what it is, its colours, its modes: each in the order in which it was asked", async () => {
  const queries: readonly (readonly [query: string, answer: string])[] = [
    [String.raw`\x1b[5;7H\x1b[6n`, String.raw`\x1b[5;7R`],
    [String.raw`\x1b[2;1Habc\x1b[6n`, String.raw`\x1b[2;4R`],
    [String.raw`\x1b[5n`, String.raw`\x1b[0n`],
    [String.raw`\x1b[>c`, String.raw`\x1b[>0;276;0c`],
    [String.raw`\x1b[>0q`, String.raw`\x1bP>|proctor\x1b\\`],
    [String.raw`\x1b]10;?\x07`, String.raw`\x1b]10;rgb:e5e5/e5e5/e5e5\x1b\\`],
    [String.raw`\x1b]11;?\x1b\\`, String.raw`\x1b]11;rgb:0000/0000/0000\x1b\\`],
    [String.raw`\x1b[?2004h\x1b[?2004$p`, String.raw`\x1b[?2004;1$y`],
    [String.raw`\x1b[?1u`, ""],
  ];
  const driven = await start(`python3 "${ASKER}" ${queries.map(([query]) => `'${query}'`).join(" ")}`);
  expect(await driven.ends()).toBe(0);
  expect(answers(driven)).toEqual(queries.map(([, answer]) => `${answer}${ATTRIBUTES}`));
});

test("a question that comes in pieces is one question", async () => {
  const driven = await start(
    String.raw`stty raw -echo; for part in '\e' '[' '6' 'n' '\e' ']11' ';?' '\e' '\\' '\e[31m\e' '[5n'; do printf "$part"; sleep 0.05; done; head -c 35 | od -An -c -w35; stty sane`,
  );
  expect(await driven.ends()).toBe(0);
  expect(log(driven).replaceAll(/\s/g, "")).toContain("033[1;1R033]11;rgb:0000/0000/0000033\\033[0n");
});

test("after much output, and under another host than the one that started it", async () => {
  const driven = await start(
    `head -c 9000000 /dev/zero | tr '\\0' 'x'; read line; python3 "${ASKER}" '\\x1b[9;3H\\x1b[6n'`,
  );
  await eventually("the output", () => log(driven).length === 9_000_000);
  const host = livingProcesses().find(
    (p) => p.command.includes("host-main.js") && !p.command.includes("guardian.sh") && p.command.includes(world.base),
  );
  expect(host !== undefined && killSeen(host)).toBe(true);
  await eventually("another host", async () => (await world.session.status(driven.run.id)).state === "running");
  await driven.presses("Enter");
  expect(await driven.ends()).toBe(0);
  expect(answers(driven)).toEqual([String.raw`\x1b[9;3R${ATTRIBUTES}`]);
});

test("asked while there is no host: the next one answers", async () => {
  const driven = await start(`sleep 0.5; python3 "${ASKER}" '\\x1b[3;3H\\x1b[6n'`);
  const host = livingProcesses().find(
    (p) => p.command.includes("host-main.js") && !p.command.includes("guardian.sh") && p.command.includes(world.base),
  );
  const guardian = livingProcesses().find((p) => p.command.includes("guardian.sh") && p.command.includes(world.base));
  expect(guardian !== undefined && killSeen(guardian)).toBe(true);
  expect(host !== undefined && killSeen(host)).toBe(true);
  await eventually("the question", () => log(driven).includes("\x1b[6n"));
  expect(await driven.ends()).toBe(0);
  expect(answers(driven)).toEqual([String.raw`\x1b[3;3R${ATTRIBUTES}`]);
});

test("one answer, although two people have joined whose terminals would answer too", async () => {
  const driven = await start(
    `echo waits; read line; python3 "${ASKER}" '\\x1b[4;2H\\x1b[6n' '\\x1b]11;?\\x07'; sleep 0.3; read -t 0.1 -n 1 rest; echo "rest:$rest:"`,
  );
  const socket = join(world.base, "people");
  const tmux = (...args: string[]): string =>
    spawnSync("tmux", ["-S", socket, "-f", "/dev/null", ...args], { encoding: "utf8" }).stdout;
  try {
    for (const name of ["one", "two"]) {
      tmux(
        "new-session",
        "-d",
        "-s",
        name,
        "-x",
        "100",
        "-y",
        "30",
        process.execPath,
        PROGRAM,
        "attach",
        driven.run.id,
        "--session",
        join(world.base, "s"),
      );
      // The run's screen, which stays; what attach says of itself is painted over by it.
      await eventually("it has joined", () => tmux("capture-pane", "-p", "-t", `=${name}:`).includes("waits"));
    }
    await driven.presses("Enter");
    expect(await driven.ends()).toBe(0);
    expect(answers(driven)).toEqual([
      String.raw`\x1b[4;2R${ATTRIBUTES}`,
      String.raw`\x1b]11;rgb:0000/0000/0000\x1b\\${ATTRIBUTES}`,
    ]);
    expect(log(driven)).toContain("rest::");
  } finally {
    tmux("kill-server");
  }
});

test("vim learns its terminal's colours and version, and a shell of the kind that asks at every prompt gets its prompt", async () => {
  mkdirSync(join(world.base, "v"), { recursive: true });
  const vim = await start("vim -N -u NONE -i NONE -n -c 'set ttyfast' v/new.txt");
  await vim.shows("v/new.txt");
  await vim.enters(":echo &background v:termresponse");
  await vim.shows(/dark .*0;276;0c/);
  await vim.enters(":q!");
  expect(await vim.ends()).toBe(0);

  const prompt = await start(
    String.raw`for i in 1 2 3; do printf 'prompt> '; IFS='[;' read -rs -d R -p $'\e[6n' _ row column; echo "at $row,$column"; done`,
  );
  expect(await prompt.ends()).toBe(0);
  expect((await prompt.shows("at 3,9")).text).toBe("prompt> at 1,9\nprompt> at 2,9\nprompt> at 3,9");
});
