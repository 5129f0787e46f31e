import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { LogSlice } from "../../src/model/index.ts";
import { eventually } from "../session/processes.ts";
import { newWorld } from "./command-line.ts";

/** A command that prints the bytes that a program for Node leaves in `log`, and fails. */
function printing(world: ReturnType<typeof newWorld>, program: string): string {
  writeFileSync(
    join(world.work, "print.mjs"),
    `let log;\n${program}\nprocess.stdout.write(log, () => process.exit(1));`,
  );
  return `${process.execPath} print.mjs`;
}

const STEPS = "const steps = (n, of = '') => Array.from({ length: n }, (_, i) => `step ${i} ${of}done\\n`).join('');";
const ERROR = "error: the disk is full";

const LOGS: readonly (readonly [string, string])[] = [
  ["of ASCII", `log = steps(6000) + "${ERROR}\\n" + steps(3000);`],
  [
    "of other characters, ended as Windows does",
    `log = (steps(900, "漢字 é ") + "${ERROR}\\n" + steps(900)).replaceAll("\\n", "\\r\\n");`,
  ],
  ["of many megabytes", `log = steps(400_000) + "${ERROR}\\n" + steps(300_000);`],
  [
    "with progress that was drawn over",
    `log = steps(700).replaceAll("step", "\\x1b[32m 10 %\\r 99 %\\r\\x1b[Kstep") + "\\x1b[31m${ERROR}\\x1b[0m\\n" + steps(700);`,
  ],
  [
    "in UTF-16, with the byte of a line feed in other characters",
    `log = Buffer.from("\\ufeff" + steps(800, "\\u0a0a \\u4e0a ") + "${ERROR}\\n" + steps(800), "utf16le");`,
  ],
  [
    "in UTF-16 of the other byte order",
    `log = Buffer.from("\\ufeff" + steps(800, "\\u0a0a \\u4e0a ") + "${ERROR}\\n" + steps(800), "utf16le").swap16();`,
  ],
];

describe("proctor logs --from-line", () => {
  it.each(LOGS)("begins with the line that an excerpt names, of a log %s", async (_, program) => {
    const world = newWorld();
    const run = await world.run([printing(world, `${STEPS}\n${program}`)]);
    const [, number = "", named = ""] = /; line (\d+):\] …\n(error:.*)/.exec(run.output) ?? [];
    expect(named).toBe(ERROR);
    const whole = await world.call(["logs", run.id, "--from-line", number]);
    expect(whole.out.split("\n")[0]).toBe(named);
    expect((await world.call(["logs", run.id, "--from-line", number, "--lines", "1"])).out.trimEnd()).toBe(named);
    const slice = await world.json<LogSlice>(["logs", run.id, "--from-line", number, "--lines", "1"]);
    expect(slice.text.trimEnd()).toBe(named);
    // The bytes are the same in each of its forms.
    const { bytes } = await world.call(["logs", run.id, "--raw"]);
    const raw = await world.call(["logs", run.id, "--raw", "--from-line", number, "--lines", "1"]);
    expect(raw.bytes.equals(bytes.subarray(slice.from, slice.to))).toBe(true);
    const rest = await world.call(["logs", run.id, "--raw", "--from-line", number]);
    expect(rest.bytes.equals(bytes.subarray(slice.from))).toBe(true);
  });

  it("gives so many lines from there, or so many that match", async () => {
    const world = newWorld();
    const { id } = await world.run(["seq 1 1000; printf end"]);
    const logs = async (...args: string[]): Promise<string> => (await world.call(["logs", id, ...args])).out;
    expect(await logs("--from-line", "1", "--lines", "2")).toBe("1\n2\n");
    expect(await logs("--from-line", "999", "--lines", "2")).toBe("999\n1000\n");
    expect(await logs("--from-line", "999")).toBe("999\n1000\nend");
    expect(await logs("--from-line", "1000", "--lines", "9")).toBe("1000\nend");
    expect(await logs("--from-line", "990", "--grep", "5$")).toBe("995\n");
    expect(await logs("--from-line", "500", "--grep", "5$", "--lines", "2")).toBe("505\n515\n");
    // Without a line to begin with, the last ones, as before.
    expect(await logs("--from", "0", "--lines", "2")).toBe("1000\nend");
    expect(await logs("--from", "0", "--grep", "5$", "--lines", "2")).toBe("985\n995\n");
  });

  it("as a document says where the part is and where to go on", async () => {
    const world = newWorld();
    const { id } = await world.run(["seq 1 100000"]);
    const logs = (...args: string[]) => world.json<LogSlice>(["logs", id, "--from-line", ...args]);
    expect(await logs("10", "--lines", "2")).toMatchObject({
      from: 18,
      to: 24,
      lines: 2,
      text: "10\n11\n",
      truncated: false,
    });
    expect(await logs("10", "--grep", "00$", "--lines", "1")).toMatchObject({ from: 18, to: 292, text: "100\n" });
    expect(await logs("1000", "--grep", "no such")).toMatchObject({
      to: 588_895,
      lines: 0,
      text: "",
      truncated: false,
    });
    // More than one answer holds.
    const first = await logs("2");
    expect(first).toMatchObject({ from: 2, truncated: true });
    expect(first.text).toMatch(/^2\n3\n/);
    const next = await world.json<LogSlice>(["logs", id, "--from", String(first.to)]);
    expect(next.text.split("\n")[0]).toBe(String(first.lines + 2));
    const found = await logs("2", "--grep", ".");
    const more = await world.json<LogSlice>(["logs", id, "--from", String(found.to)]);
    expect([found.truncated, more.text.split("\n")[0]]).toEqual([true, String(found.lines + 2)]);
  });

  it("of a line that is not there gives nothing, and says so", async () => {
    const world = newWorld();
    const { id } = await world.run(["seq 1 9"]);
    const beyond = await world.call(["logs", id, "--from-line", "10"]);
    expect([beyond.code, beyond.out, beyond.err]).toEqual([0, "", ""]);
    for (const line of ["10", "11", "9007199254740991"])
      expect(await world.json<LogSlice>(["logs", id, "--from-line", line])).toMatchObject({
        answer: { code: 0 },
        from: 18,
        to: 18,
        bytes: 18,
        lines: 0,
        text: "",
        truncated: false,
      });
    const silent = await world.run(["true"]);
    expect((await world.call(["logs", silent.id, "--from-line", "3"])).out).toBe("");
  });

  it("follows from a line that is yet to come, as far as it is told to", async () => {
    const world = newWorld();
    const { id } = await world.run([
      "-b",
      "printf '1\\n2'; until [ -e a ]; do sleep 0.05; done; printf ' and more\\n3\\n'; until [ -e b ]; do sleep 0.05; done; echo 4; echo 5",
      "printf 'six\\nseven'",
    ]);
    await eventually("the first lines", async () => (await world.call(["logs", id])).out === "1\n2");
    const all = world.start(["logs", id, "--follow", "--from-line", "3"]);
    const two = world.start(["logs", id, "--follow", "--from-line", "3", "--lines", "2"]);
    const matching = world.start(["logs", id, "--follow", "--from-line", "3", "--grep", "[35s]", "--lines", "3"]);
    const followers = [all, two, matching].map(({ child }) => {
      const seen = { text: "" };
      child.stdout?.on("data", (part: Buffer) => (seen.text += part.toString()));
      return seen;
    });
    writeFileSync(join(world.work, "a"), "");
    // Who comes when the next stage runs would follow that one.
    await eventually("the third line", () => followers.every(({ text }) => text === "3\n"));
    writeFileSync(join(world.work, "b"), "");
    expect((await two.ended).out).toBe("3\n4\n");
    expect((await matching.ended).out).toBe("3\n5\nsix\n");
    expect((await all.ended).out).toBe("3\n4\n5\nsix\nseven");
  });

  it("ends as soon as it has the lines, though the run goes on", async () => {
    const world = newWorld();
    const { id } = await world.run(["-b", "seq 1 9; until [ -e stop ]; do sleep 0.05; done"]);
    const answer = await world.call(["logs", id, "--follow", "--from-line", "4", "--lines", "2"]);
    expect([answer.code, answer.out]).toEqual([0, "4\n5\n"]);
    expect((await world.status(id)).state).toBe("running");
    writeFileSync(join(world.work, "stop"), "");
  });
});
