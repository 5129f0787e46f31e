/** The arguments of Pi's `bash`, as models write them and as other extensions change them. */
import { describe, expect, it } from "vitest";
import { prepareBashArguments, readBashArguments } from "../../src/pi/bash-arguments.ts";

const read = (args: unknown): ReturnType<typeof readBashArguments> => readBashArguments(prepareBashArguments(args));

describe("the arguments of bash", () => {
  it("are Pi's own", () => {
    expect(read({ command: "ls", timeout: 3 })).toEqual({
      commands: ["ls"],
      timeoutMs: 3000,
      background: false,
      interactive: false,
    });
  });

  it("take a list under either name", () => {
    const commands = ["make", "make test"];
    expect(read({ commands }).commands).toEqual(commands);
    expect(read({ command: commands }).commands).toEqual(commands);
    expect(read({ commands, background: true }).background).toBe(true);
  });

  it("show a list to whoever looks at `command` before it runs", () => {
    expect(prepareBashArguments({ commands: ["cd /", "rm -rf x"] })).toMatchObject({ command: "cd / && rm -rf x" });
  });

  it("run the `command` that another extension put in a list's place", () => {
    const prepared = prepareBashArguments({ commands: ["a", "b"] });
    prepared["command"] = "source ~/.profile\na && b";
    expect(readBashArguments(prepared).commands).toEqual(["source ~/.profile\na && b"]);
  });

  it("hold one command or a list", () => {
    expect(() => read({})).toThrow("command: it is missing");
    expect(() => read({ command: "  " })).toThrow("command: it is missing");
    expect(() => read({ commands: [] })).toThrow("command: it is missing");
  });

  it("refuse a timeout that can't be meant", () => {
    expect(() => read({ command: "ls", timeout: 600_000 })).toThrow(/timeout: .*24 h/);
    expect(() => read({ command: "ls", timeout: -1 })).toThrow(/timeout/);
  });
});
