/** Settings mean the same whichever way a command is run. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { World } from "../cli/command-line.ts";
import { FACES, scratch } from "./callers.ts";

/** A failure with an error that everybody knows, and lines of which only the user's own pattern can tell that they matter. */
const FAILURE =
  "w=(fir elm oak ash yew box bay); for i in $(seq 1 400); do verb=grew; ((i % 20 == 10 && i > 100 && i < 300)) && verb=stood; " +
  'echo "${w[i%7]} ${w[i*i%5]} $verb by $i near ${w[i*3%7]}"; done; ' +
  "echo 'src/a.c:1:2: error: no such tree'; echo 'make: *** [all] Error 1'; exit 4";

/** A project whose settings are trusted, in a home of its own. */
async function trustedProject(settings: object): Promise<{ dir: string; home: string }> {
  const home = scratch();
  const dir = join(home, "project", "deep");
  mkdirSync(dir, { recursive: true });
  mkdirSync(join(home, "project", ".git"));
  writeFileSync(join(home, "project", ".proctor.json"), JSON.stringify(settings));
  const world = new World();
  onTestFinished(() => world[Symbol.asyncDispose]());
  const answer = await world.call(["trust"], { cwd: dir, env: { XDG_STATE_HOME: home } });
  expect([answer.code, answer.err]).toEqual([0, ""]);
  return { dir, home };
}

const lines = (text: string): number => text.split("\n").length;

describe.each(FACES)("%s", (_, face) => {
  it("keeps to the ceilings of the environment, of a pragma and of a trusted project file", async () => {
    const { dir, home } = await trustedProject({ maxResultLines: 9 });
    const byProject = await face({ XDG_STATE_HOME: home })([FAILURE], dir);
    expect(byProject).toMatchObject({ exitCode: 4, totalLines: 402, notes: [] });
    expect(lines(byProject.output)).toBeLessThanOrEqual(9);
    const call = face({ XDG_STATE_HOME: home, PROCTOR_RESULT_MAX_LINES: "7" });
    expect(lines((await call([FAILURE], dir)).output)).toBeLessThanOrEqual(7);
    const byPragma = await call([`# @proctor: {"maxResultLines": 5, "maxResultTokens": 64}\n${FAILURE}`], dir);
    expect(lines(byPragma.output)).toBeLessThanOrEqual(5);
    expect(byPragma.exitCode).toBe(4);
  });

  it("shows what the project's own patterns name", async () => {
    const without = await face({})([FAILURE], scratch());
    expect(without.output).not.toContain(" stood by 290 ");
    const { dir, home } = await trustedProject({ errorPatterns: [" stood by "] });
    const result = await face({ XDG_STATE_HOME: home })([FAILURE], dir);
    expect(result.output).toContain(" stood by 290 ");
    expect(result.notes).toEqual([]);
  });

  it("tells of what can't be used and applies the rest", async () => {
    const call = face({ PROCTOR_RESULT_MAX_BYTES: "12", PROCTOR_RESULT_MAX_ROWS: "5" });
    const { notes, exitCode } = await call(
      ['# @proctor: {"headRatio": 3, "errorPatterns": ["(a+)+$", "(?=look)"], "successMaxResultLines": 5}\nseq 1 500'],
      scratch(),
    );
    expect(exitCode).toBe(0);
    expect(notes.join("\n")).toMatch(/PROCTOR_RESULT_MAX_BYTES.*12.*256/);
    expect(notes.join("\n")).toMatch(/PROCTOR_RESULT_MAX_ROWS.*no such setting/);
    expect(notes.join("\n")).toMatch(/headRatio.*3.*from 0 to 1/);
    expect(notes.join("\n")).toMatch(/errorPatterns\[1\] in the command's pragma: "\(\?=look\)".*look-around/);
    expect(notes).toHaveLength(4);
  });

  it("names the layer of a pattern that can't be used, and its place there", async () => {
    const { dir, home } = await trustedProject({ errorPatterns: ["good", "(a", "[b-"] });
    const { notes } = await face({ XDG_STATE_HOME: home })(['# @proctor: {"errorPatterns": ["(a"]}\nexit 1'], dir);
    const file = join(home, "project", ".proctor.json");
    expect(notes).toEqual([
      expect.stringContaining(
        `settings: errorPatterns[0] in the command's pragma and errorPatterns[1] in ${file}: "(a" can't be used: missing closing )`,
      ),
      expect.stringContaining(`settings: errorPatterns[2] in ${file}: "[b-" can't be used: `),
    ]);
  });

  it("tells of a project file that is not trusted, and goes by the other layers", async () => {
    const dir = scratch();
    writeFileSync(join(dir, ".proctor.json"), '{"maxResultLines": 6, "promoteAfterMs": 0}');
    const result = await face({})([FAILURE], dir);
    expect(result).toMatchObject({ exitCode: 4, promoted: false });
    expect(result.notes).toEqual([expect.stringMatching(/\.proctor\.json is not used: it is not trusted/)]);
  });

  it("goes to the background when the settings say so, and the most specific one wins", async () => {
    const { dir, home } = await trustedProject({ promoteAfterMs: 0 });
    const call = face({ XDG_STATE_HOME: home });
    expect(await call(["sleep 300"], dir)).toMatchObject({ promoted: true, cause: null });
    expect(await call(['# @proctor: {"promoteAfterMs": 50000}\nexit 6'], dir)).toMatchObject({
      promoted: false,
      exitCode: 6,
    });
  });

  it("stops a run whose log outgrows the settings' cap", async () => {
    const { dir, home } = await trustedProject({ logMaxBytes: 65536 });
    const result = await face({ XDG_STATE_HOME: home })(["yes | head -c 10000000"], dir);
    expect(result.cause).toBe("log_limit");
    expect(result.log.bytes).toBe(65536);
  });

  it("masks secrets in what is shown, also a key of many lines, and never in the log; a setting shows them", async () => {
    const dir = scratch();
    const token = `ghp_${"a1B2".repeat(9)}`;
    const keyLine = "MIIEpAIBAAKCAQEA7bq98bKpZ1u0qv5Yc1mQx3o8Jr2dS4fT6gU8hV0iW2jX4kY6";
    const file = join(dir, "printed");
    const begin = "-----BEGIN RSA PRIVATE KEY-----";
    const end = "-----END RSA PRIVATE KEY-----";
    const printed = `token ${token}\nfetching https://ann:hunter22@example.org/x\n${begin}\n${keyLine}\n${keyLine}\n${end}\n`;
    writeFileSync(file, printed);
    const command = `cat ${file}; exit 3`;
    const shown = await face({})([command], dir);
    expect(shown.exitCode).toBe(3);
    expect(shown.output).toMatch(/token ghp_\[redacted\]\nfetching https:\/\/ann:\[redacted\]@example\.org\/x/);
    for (const secret of [token, "hunter22", keyLine]) expect(shown.output).not.toContain(secret);
    expect(readFileSync(shown.log.path, "utf8")).toBe(printed);
    const { output } = await face({ PROCTOR_REDACT: "0" })([command], dir);
    expect(output).toBe(printed.trimEnd());
    const byPragma = await face({})([`# @proctor: {"redact": false}\n${command}`], dir);
    expect(byPragma.output).toContain(token);
  });
});
