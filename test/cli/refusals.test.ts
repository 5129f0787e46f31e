import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newWorld } from "./command-line.ts";

/** Arguments, the code, what the message must name. */
const REFUSALS: readonly (readonly [readonly string[], string, RegExp])[] = [
  [["run"], "ERR_INPUT_USAGE", /command is missing/],
  [["run", "--no-such-option", "--", "true"], "ERR_INPUT_USAGE", /--no-such-option/],
  [["run", "  "], "ERR_INPUT_COMMAND", /empty/],
  [["run", "true", ""], "ERR_INPUT_COMMAND", /command 2.*empty/],
  [["run", "--env", "NOEQUALS", "true"], "ERR_INPUT_ENV", /--env.*"NOEQUALS".*NAME=VALUE/],
  [["run", "--env", "=x", "true"], "ERR_INPUT_ENV", /--env.*"=x"/],
  [["run", "--stdin", "/no/such/input", "true"], "ERR_INPUT_STDIN", /stdin.*\/no\/such\/input.*ENOENT/],
  [["run", "--stdin", "open", "true"], "ERR_INPUT_STDIN", /stdin.*\/open is a directory \(EISDIR\)/],
  [["run", "-b", "--stdin", "/", "true"], "ERR_INPUT_STDIN", /stdin: \/ is a directory \(EISDIR\)/],
  [["run", "--stdin", "-", "true"], "ERR_INPUT_STDIN", /--stdin.*"-"/],
  [["run", "--cwd", "/no/such/dir", "true"], "ERR_INPUT_CWD", /cwd.*\/no\/such\/dir.*not exist/],
  [["run", "--cwd", "plain.txt", "true"], "ERR_INPUT_CWD", /plain\.txt.*not a directory/],
  [["run", "-f", "missing.sh"], "ERR_INPUT_FILE", /--file.*missing\.sh.*ENOENT/],
  [["run", "-f", "latin1.sh"], "ERR_INPUT_FILE", /latin1\.sh.*UTF-8/],
  [["run", "-f", "-", "-f", "-"], "ERR_INPUT_FILE", /--file.*"-".*2 times/],
  [["run", "-f", "nul.sh"], "ERR_INPUT_COMMAND", /NUL/],
  [["run", "--timeout=0", "true"], "ERR_INPUT_DURATION", /--timeout.*"0"/],
  [["run", "--memory", "1X", "true"], "ERR_INPUT_SIZE", /--memory.*"1X"/],
  [["run", "--log-max", "1K", "true"], "ERR_INPUT_SIZE", /--log-max.*"1K".*64K/],
  [["run", "--processes", "0", "true"], "ERR_INPUT_NUMBER", /--processes.*"0"/],
  [["run", "--sandbox", "no-such-profile", "true"], "ERR_INPUT_SANDBOX", /"no-such-profile" is no profile/],
  [["run", "--session", "plain.txt", "true"], "ERR_SESSION_DIR", /plain\.txt/],
  [["run", "--session", "open", "true"], "ERR_SESSION_DIR", /open.*chmod 700/],
  [["run", "--session", "full", "true"], "ERR_SESSION_DIR", /full.*not empty.*something/],
  [["status", "nosuchid0000"], "ERR_INPUT_ID", /nosuchid0000/],
  [["logs", "nosuchid0000"], "ERR_INPUT_ID", /nosuchid0000/],
  [["logs", "x", "--grep", "("], "ERR_INPUT_PATTERN", /--grep.*"\("/],
  [["logs", "x", "--raw", "--grep", "a"], "ERR_INPUT_USAGE", /--raw.*--grep/],
  [["logs", "x", "--from-line", "0"], "ERR_INPUT_NUMBER", /--from-line: "0" can't be used.*a whole number from 1 /],
  [["logs", "x", "--from-line", "-1"], "ERR_INPUT_NUMBER", /--from-line: "-1" can't be used.*a whole number from 1 /],
  [["logs", "x", "--from-line", "1.5"], "ERR_INPUT_NUMBER", /--from-line: "1.5" can't be used.*a whole number from 1 /],
  [["logs", "x", "--from-line", "x"], "ERR_INPUT_NUMBER", /--from-line: "x" can't be used.*a whole number from 1 /],
  [["logs", "x", "--from-line", "1", "--from", "0"], "ERR_INPUT_USAGE", /--from and --from-line exclude/],
  [["logs", "x", "--from-line", "1", "--screen"], "ERR_INPUT_USAGE", /--screen and --from-line exclude/],
  [["stop", "nosuchid0000"], "ERR_INPUT_ID", /nosuchid0000/],
  [["wait", "nosuchid0000", "--timeout", "2s"], "ERR_INPUT_ID", /nosuchid0000/],
  [["wait", "x", "--match", "["], "ERR_INPUT_PATTERN", /--match.*"\["/],
  [["wait", "x", "--port", "70000"], "ERR_INPUT_NUMBER", /--port.*"70000".*65535/],
  [["wait", "x", "--port", "1", "--match", "a"], "ERR_INPUT_USAGE", /--match.*--port/],
  [["stop", "x", "--grace", "25h"], "ERR_INPUT_DURATION", /--grace.*"25h"/],
  [["excerpt", "missing.log"], "ERR_INPUT_FILE", /missing\.log.*ENOENT/],
  [["excerpt", "open"], "ERR_INPUT_FILE", /open.*EISDIR/],
  [["excerpt", "plain.txt", "--exit", "256"], "ERR_INPUT_NUMBER", /--exit.*"256"/],
  [["input", "abcd"], "ERR_INPUT_USAGE", /nothing was given.*--text/],
  [["input", "abcd", "--text", "x", "--file", "y"], "ERR_INPUT_USAGE", /--text and --file exclude/],
  [["input", "abcd", "--file", "missing.txt"], "ERR_INPUT_FILE", /missing\.txt.*ENOENT/],
  [["attach", "abcd"], "ERR_INPUT_USAGE", /no terminal.*--screen/],
  [["logs", "abcd", "--screen", "--follow"], "ERR_INPUT_USAGE", /--screen and --follow exclude/],
  [["agent", "claude", "-p", "x"], "ERR_INPUT_USAGE", /no option -p/],
  [["completion", "tcsh"], "ERR_INPUT_USAGE", /"tcsh".*bash, zsh, fish/],
  [["list", "extra"], "ERR_INPUT_USAGE", /"extra"/],
  [["rnu", "x"], "ERR_INPUT_USAGE", /"rnu".*proctor run/],
  [["session", "ned"], "ERR_INPUT_USAGE", /"session ned".*session end/],
  [["--frobnicate"], "ERR_INPUT_USAGE", /--frobnicate/],
];

describe("what can't be done is refused", () => {
  it.each(REFUSALS)("proctor %j", async (args, code, message) => {
    const world = newWorld();
    const { work } = world;
    writeFileSync(join(work, "plain.txt"), "x\n");
    writeFileSync(join(work, "latin1.sh"), Buffer.from([0x65, 0x63, 0x68, 0x6f, 0x20, 0xe9]));
    writeFileSync(join(work, "nul.sh"), "echo \0");
    mkdirSync(join(work, "open"), { mode: 0o755 });
    mkdirSync(join(work, "full"), { mode: 0o700 });
    writeFileSync(join(work, "full", "something"), "x");
    const plain = await world.call(args, { input: "" });
    expect([plain.code, plain.out]).toEqual([125, ""]);
    expect(plain.err).toMatch(/^proctor: [^\n]+\n$/);
    expect(plain.err).toMatch(message);
    const [command = "", ...rest] = args;
    const json = await world.call([command, "--json", ...rest], { input: "" });
    expect(json.code).toBe(125);
    const document: unknown = JSON.parse(json.out);
    expect(document).toEqual({
      error: { code: command === "completion" ? "ERR_INPUT_USAGE" : code, message: expect.any(String) },
    });
  });

  it("names the directory that was deleted under the caller", async () => {
    const world = newWorld();
    const answer = await world.shell("mkdir gone && cd gone && rmdir ../gone && $PROCTOR run --json true");
    expect(answer.code).toBe(125);
    expect(answer.out).toMatch(/"ERR_INPUT_CWD".*--cwd/);
  });

  it("tells an ambiguous prefix from an unknown one", async () => {
    const world = newWorld();
    const ids = new Set<string>();
    // Ids are random: two of 1,000 rarely share four characters, so the prefix that is too short stands for it.
    const { id } = await world.run(["true"]);
    ids.add(id);
    expect((await world.call(["status", id.slice(0, 4)])).code).toBe(0);
    expect((await world.call(["status", id.slice(0, 3)])).err).toMatch(/at least 4 characters/);
  });
});
