/** Real programs, driven to their end by input alone; each test says what the screen showed on the way. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { eventually, livingProcesses, uniqueSleep } from "./processes.ts";
import { Driven, terminalSession } from "./terminal-session.ts";
import type { TerminalSession } from "./terminal-session.ts";

const LINE_EDITOR = fileURLToPath(new URL("programs/line-editor.mjs", import.meta.url));

let world: TerminalSession;
let count = 0;
let cwd: string;
beforeAll(async () => {
  world = await terminalSession("built-in");
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});
beforeEach(() => {
  cwd = join(world.base, `w${++count}`);
  mkdirSync(cwd);
});
const start = (command: string): Promise<Driven> => Driven.start(world.session, command, cwd);

test("bash: commands, history, an interrupted command, a job, the end", async () => {
  const bash = await start("PS1='$ ' bash --norc");
  await bash.shows(/^\$$/);
  await bash.enters("echo $((6 * 7))");
  await bash.shows(/^42$/m);
  await bash.presses("Up", "Enter");
  await bash.shows(/42[\s\S]*^42$/m);
  const held = `sleep ${uniqueSleep()}`;
  await bash.enters(held);
  // On the screen is what was typed; a Ctrl-C before the program is there would be the shell's, which ignores it.
  await eventually("the program", () => livingProcesses().some(({ command }) => command === held));
  await bash.presses("C-c");
  await bash.shows(/\^C\n\$$/);
  await bash.enters("sleep 1000 &");
  await bash.shows(/\[1\] \d+/);
  await bash.enters("kill %1; wait; exit 5");
  expect(await bash.ends()).toBe(5);
});

test("bash: several lines are one paste, which nothing of is run before Enter", async () => {
  const bash = await start("PS1='$ ' bash --norc");
  await bash.shows(/^\$$/);
  await bash.types("echo one\necho two");
  const screen = await bash.shows(/echo one[\s\S]*echo two/);
  expect(screen.text).not.toMatch(/^one$/m);
  await bash.presses("Enter");
  await bash.shows(/^one\ntwo$/m);
  await bash.presses("C-d");
  expect(await bash.ends()).toBe(0);
});

test("python3: a block, a value, the end", async () => {
  const python = await start("PYTHON_BASIC_REPL=1 python3 -q");
  await python.shows(">>>");
  await python.enters("def square(x):");
  await python.shows("...");
  await python.enters("    return x * x");
  await python.enters("");
  await python.enters("square(12)");
  await python.shows(/^144$/m);
  await python.enters("raise SystemExit(3)");
  expect(await python.ends()).toBe(3);
});

test("node: the REPL", async () => {
  const node = await start(`"${process.execPath}" -i`);
  await node.shows(/^>/m);
  await node.enters("[1, 2, 3].map((n) => n * 2)");
  await node.shows("[ 2, 4, 6 ]");
  await node.enters("process.exit(4)");
  expect(await node.ends()).toBe(4);
});

test("less: pages, searches, and is a full-screen program", async () => {
  writeFileSync(join(cwd, "long.txt"), Array.from({ length: 500 }, (_, i) => `row ${i + 1} of the text\n`).join(""));
  const less = await start("LESS= less long.txt");
  const first = await less.shows("row 31 of the text");
  expect(first).toMatchObject({ fullScreen: true, rows: 32 });
  expect(first.text).not.toContain("row 33 ");
  await less.presses("PageDown");
  await less.shows("row 60 of the text");
  await less.enters("/row 444");
  await less.shows("row 444 of the text");
  await less.types("G");
  await less.shows("row 500 of the text");
  await less.types("q");
  expect(await less.ends()).toBe(0);
});

test("vim: writes a file and quits", async () => {
  const vim = await start("vim -N -u NONE -i NONE -n -c 'set showmode' letter.txt");
  await vim.shows("letter.txt");
  await vim.types("i");
  await vim.shows("INSERT");
  await vim.types("Dear reader,\nyours.");
  await vim.presses("Escape");
  const screen = await vim.shows(/^Dear reader,\nyours\./);
  expect(screen.fullScreen).toBe(true);
  await vim.presses("Up", "A", "Space", "h", "i", "Escape");
  await vim.shows("Dear reader, hi");
  await vim.enters(":wq");
  expect(await vim.ends()).toBe(0);
  expect(readFileSync(join(cwd, "letter.txt"), "utf8")).toBe("Dear reader, hi\nyours.\n");
});

test("git add -p: one hunk of two", async () => {
  const git = (...args: string[]): string =>
    execFileSync("git", args, { cwd, encoding: "utf8", env: { ...process.env, HOME: cwd } });
  git("init", "-q");
  const text = Array.from({ length: 40 }, (_, i) => `line ${i + 1}`);
  writeFileSync(join(cwd, "f"), `${text.join("\n")}\n`);
  git("add", "f");
  git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "first");
  text[1] = "changed early";
  text[38] = "changed late";
  writeFileSync(join(cwd, "f"), `${text.join("\n")}\n`);
  const add = await start("git add -p");
  await add.shows(/changed early[\s\S]*Stage this hunk/);
  await add.enters("n");
  await add.shows(/changed late[\s\S]*Stage this hunk/);
  await add.enters("y");
  expect(await add.ends()).toBe(0);
  const staged = git("diff", "--cached");
  expect(staged).toContain("+changed late");
  expect(staged).not.toContain("+changed early");
});

test("npm init: every question is answered", async () => {
  const npm = await start("npm init");
  await npm.shows(/package name: \(\S+\)/);
  await npm.enters("typed-in");
  await npm.shows(/version: \(1\.0\.0\)/);
  await npm.enters("2.3.4");
  for (const question of [
    "description:",
    "entry point:",
    "test command:",
    "git repository:",
    "keywords:",
    "author:",
    "license:",
    "type:",
  ]) {
    const screen = await npm.shows(new RegExp(`${question}|Is this OK`));
    if (screen.text.includes("Is this OK")) break;
    await npm.enters(question === "description:" ? "by hand" : "");
  }
  await npm.shows("Is this OK");
  await npm.enters("yes");
  expect(await npm.ends()).toBe(0);
  expect(JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"))).toMatchObject({
    name: "typed-in",
    version: "2.3.4",
    description: "by hand",
  });
});

test("top: shows its table, then leaves", async () => {
  const top = await start("top -d 1");
  await top.shows(/PID +USER/);
  await top.types("q");
  expect(await top.ends()).toBe(0);
});

test("a line editor in raw mode: arrows, alt and function keys, a paste, Enter", async () => {
  const editor = await start(`"${process.execPath}" "${LINE_EDITOR}"`);
  const screen = await editor.shows(/^>/);
  expect(screen.title).toBe("line editor");
  await editor.types("word");
  await editor.presses("Left", "Left", "BSpace", "0", "Right", "M-f", "F5", "Home", "-");
  await editor.shows("> -w0r<alt-f><F5>d");
  await editor.types("three\nlines\nhere");
  await editor.shows("> -<paste of 3 lines>w0r<alt-f><F5>d");
  await editor.enters("!");
  expect(await editor.ends()).toBe(0);
  await editor.shows('submitted: "-<paste of 3 lines>!w0r<alt-f><F5>d"');
  expect(existsSync(cwd)).toBe(true);
});
