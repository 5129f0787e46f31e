import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/command-table.ts";
import { commandHelp, globalHelp } from "../../src/cli/help-text.ts";
import { newWorld } from "./command-line.ts";

describe("help", () => {
  it("of proctor", () => {
    expect(globalHelp("1.2.3")).toMatchSnapshot();
  });

  it.each(COMMANDS.map((command) => [command.name, command] as const))("of %s", (_, command) => {
    const text = commandHelp(command);
    expect(text).toMatchSnapshot();
    expect(text.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  it("is printed on standard output, and by a call without a command on standard error", async () => {
    const world = newWorld();
    for (const args of [["--help"], ["-h"], ["help"], ["stop", "--help"], ["help", "stop"], ["stop", "abcd", "-h"]]) {
      const answer = await world.call(args);
      expect([args, answer.code, answer.err]).toEqual([args, 0, ""]);
      expect(answer.out).toMatch(args.includes("stop") ? /^Usage: proctor stop/ : /^proctor \d/);
    }
    for (const args of [
      ["session", "--help"],
      ["help", "session"],
    ])
      expect(await world.call(args)).toMatchObject({
        code: 0,
        out: expect.stringMatching(/^Usage: proctor session end/),
      });
    const none = await world.call([]);
    expect([none.code, none.out]).toEqual([125, ""]);
    expect(none.err).toMatch(/Usage: proctor COMMAND/);
  });

  it("belongs to the command behind it, not to proctor", async () => {
    const world = newWorld();
    const answer = await world.call(["run", "--", "echo", "--help"]);
    expect(answer.out).not.toMatch(/Usage: proctor run/);
    const version = await world.call(["--version"]);
    expect([version.code, version.out]).toEqual([0, expect.stringMatching(/^proctor \d+\.\d+\.\d+\n$/)]);
  });
});
