import { describe, expect, it } from "vitest";
import { COMMANDS, findCommand } from "../../src/cli/command-table.ts";
import { LOGS } from "../../src/cli/reading-specs.ts";
import { RUN } from "../../src/cli/run-spec.ts";
import { parseArguments } from "../../src/cli/parse-arguments.ts";
import { isProctorError } from "../../src/model/index.ts";

function refusal(argv: readonly string[], spec = RUN): { code: string; message: string } {
  try {
    parseArguments(spec, argv);
  } catch (error) {
    if (isProctorError(error)) return { code: error.code, message: error.message };
    throw error;
  }
  throw new Error(`${argv.join(" ")} was accepted`);
}

describe("arguments", () => {
  it("takes both forms of a value, and keeps text as it was typed", () => {
    const args = parseArguments(RUN, ["--name=007", "--timeout", "90", "--", "echo 1"]);
    expect(args.text("name")).toBe("007");
    expect(args.number("timeout")).toBe(90_000);
    expect(args.operands).toEqual(["echo 1"]);
  });

  it("keeps commands and files in the order in which they were given", () => {
    const args = parseArguments(RUN, ["a", "-f", "x.sh", "b", "--file=y.sh", "--", "-c"]);
    expect(args.ordered).toEqual([
      { option: null, value: "a" },
      { option: "file", value: "x.sh" },
      { option: null, value: "b" },
      { option: "file", value: "y.sh" },
      { option: null, value: "-c" },
    ]);
  });

  it("takes everything behind -- as a command", () => {
    expect(parseArguments(RUN, ["-b", "--", "--json", "-b"]).operands).toEqual(["--json", "-b"]);
    expect(parseArguments(RUN, ["-b", "--", "--json"]).has("json")).toBe(false);
  });

  it("takes short options together", () => {
    const args = parseArguments(RUN, ["-bf", "x.sh"]);
    expect(args.has("background")).toBe(true);
    expect(args.ordered).toEqual([{ option: "file", value: "x.sh" }]);
  });

  it("takes words where numbers have some, and zero where zero means something", () => {
    expect(parseArguments(RUN, ["--promote-after", "never", "x"]).number("promote-after")).toBeNull();
    expect(parseArguments(RUN, ["--promote-after", "0", "x"]).number("promote-after")).toBe(0);
    expect(refusal(["--promote-after", "nevr", "x"]).message).toMatch(/--promote-after.*"nevr".*500ms.*never/);
  });

  it.each([
    [["--tiemout", "5", "x"], "ERR_INPUT_USAGE", /--tiemout.*--timeout/],
    [["-z", "x"], "ERR_INPUT_USAGE", /-z.*needs "--"/],
    [["--json=yes", "x"], "ERR_INPUT_USAGE", /--json.*"yes"/],
    [["--name"], "ERR_INPUT_USAGE", /--name.*NAME/],
    [["--name", "--json", "x"], "ERR_INPUT_USAGE", /--name.*--json/],
    [["--timeout", "5", "--timeout", "6", "x"], "ERR_INPUT_USAGE", /--timeout.*twice.*"5".*"6"/],
    [["--timeout", "-5", "x"], "ERR_INPUT_DURATION", /--timeout.*"-5"/],
    [["--timeout=180000", "x"], "ERR_INPUT_DURATION", /--timeout.*"180000".*24 h/],
    [["--timeout", "", "x"], "ERR_INPUT_DURATION", /--timeout.*""/],
    [["--memory", "12", "x"], "ERR_INPUT_SIZE", /--memory.*"12".*1M/],
    [["--log-max", "12Q", "x"], "ERR_INPUT_SIZE", /--log-max.*"12Q"/],
    [["--open-files", "1e3", "x"], "ERR_INPUT_NUMBER", /--open-files.*"1e3".*1 to/],
    [["--cwd=", "x"], "ERR_INPUT_USAGE", /--cwd.*""/],
    [["ls", "-la"], "ERR_INPUT_USAGE", /-la.*'ls -la'/],
    [["ls", "--json"], "ERR_INPUT_USAGE", /--json.*before the commands/],
    [[], "ERR_INPUT_USAGE", /command is missing/],
    [["--json"], "ERR_INPUT_USAGE", /command is missing/],
  ] as const)("refuses run %j", (argv, code, message) => {
    const refused = refusal(argv);
    expect(refused.code).toBe(code);
    expect(refused.message).toMatch(message);
  });

  it("names the operand that is missing, or one too many", () => {
    expect(refusal([], LOGS).message).toMatch(/ID is missing/);
    expect(refusal(["abcd", "efgh"], LOGS).message).toMatch(/"efgh".*one operand too many/);
  });

  it("takes options behind the operands of other commands", () => {
    const args = parseArguments(LOGS, ["abcd", "--lines", "5"]);
    expect(args.number("lines")).toBe(5);
  });
});

describe("the table of commands", () => {
  it("finds commands of one word and of two", () => {
    expect(findCommand(["session", "end", "x"])?.length).toBe(2);
    expect(findCommand(["stop-all"])?.command.name).toBe("stop-all");
    expect(findCommand(["session"])).toBeNull();
  });

  it.each(COMMANDS.map((command) => [command.name, command] as const))(
    "%s: no option stands twice, and its program loads",
    async (_, command) => {
      const names = command.options.flatMap((o) => [o.long, ...(o.short === undefined ? [] : [o.short])]);
      expect(new Set(names).size).toBe(names.length);
      expect(command.examples.length).toBeGreaterThanOrEqual(2);
      for (const option of command.options) expect(option.placeholder === undefined).toBe(option.kind.type === "flag");
      expect(typeof (await command.load()).execute).toBe("function");
    },
  );
});
