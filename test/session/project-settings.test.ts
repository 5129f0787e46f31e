import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  callSettings,
  findProjectFile,
  readProjectFile,
  recordTrust,
  removeTrust,
  trustRecords,
} from "../../src/session/index.ts";
import { isRoot } from "../privilege.ts";

let root = "";
let repository = "";
let inside = "";
let file = "";
let env: NodeJS.ProcessEnv = {};
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "project-settings-")));
  repository = join(root, "repository");
  inside = join(repository, "packages", "one");
  file = join(repository, ".proctor.json");
  mkdirSync(inside, { recursive: true });
  mkdirSync(join(repository, ".git"));
  env = { XDG_STATE_HOME: join(root, "state") };
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function trust(path: string): void {
  const read = readProjectFile(path);
  if (read.kind === "refused") throw new Error(read.why);
  recordTrust(path, read.hash, env);
}
const settingsIn = (cwd: string): ReturnType<typeof callSettings> => callSettings(["true"], { env, cwd });
/** What is told of a file that does not count; the built-in value applies then. */
function reasonIn(cwd: string): string {
  const { settings, notes } = settingsIn(cwd);
  expect(settings.maxResultLines).toBe(120);
  expect(notes).toHaveLength(1);
  return notes[0] ?? "";
}

describe("the project's file is the nearest one", () => {
  it("from the run's directory up to the repository's root", () => {
    writeFileSync(file, "{}");
    expect([findProjectFile(inside), findProjectFile(repository)]).toEqual([file, file]);
    writeFileSync(join(inside, ".proctor.json"), "{}");
    expect(findProjectFile(inside)).toBe(join(inside, ".proctor.json"));
  });

  it("and never one above the repository, also where .git is a file", () => {
    writeFileSync(join(root, ".proctor.json"), "{}");
    expect(findProjectFile(inside)).toBeNull();
    rmSync(join(repository, ".git"), { recursive: true });
    expect(findProjectFile(inside)).toBe(join(root, ".proctor.json"));
    writeFileSync(join(repository, ".git"), "gitdir: elsewhere\n");
    expect(findProjectFile(inside)).toBeNull();
  });

  it.runIf(isRoot)("and never one in a directory of another user above", () => {
    rmSync(join(repository, ".git"), { recursive: true });
    writeFileSync(join(root, ".proctor.json"), "{}");
    chownSync(root, 12345, 12345);
    expect(findProjectFile(inside)).toBeNull();
  });

  it("seen from the real directory, not from the link that led there", () => {
    writeFileSync(file, "{}");
    symlinkSync(inside, join(root, "link"));
    expect(findProjectFile(join(root, "link"))).toBe(file);
  });

  it("and none where the directory is gone", () => {
    expect(findProjectFile(join(root, "no", "such"))).toBeNull();
    expect(settingsIn(join(root, "no", "such")).notes).toEqual([]);
  });
});

describe("a project's file counts", () => {
  it("once it is trusted, until it changes, and again when it is as it was", () => {
    writeFileSync(file, '{"maxResultLines": 30}');
    expect(reasonIn(inside)).toContain(`${file} is not used: it is not trusted`);
    trust(file);
    expect(settingsIn(inside)).toMatchObject({ settings: { maxResultLines: 30 }, notes: [] });
    writeFileSync(file, '{"maxResultLines": 31}');
    expect(reasonIn(inside)).toMatch(/it has changed since it was trusted.*proctor trust \S+\.proctor\.json$/);
    writeFileSync(file, '{"maxResultLines": 30}');
    expect(settingsIn(inside).settings.maxResultLines).toBe(30);
    expect([removeTrust(file, env), removeTrust(file, env)]).toEqual([true, false]);
    expect(reasonIn(inside)).toContain("not trusted");
  });

  it("at its own path: a copy elsewhere is another file", () => {
    writeFileSync(file, '{"maxResultLines": 30}');
    trust(file);
    const copy = join(inside, ".proctor.json");
    writeFileSync(copy, '{"maxResultLines": 30}');
    expect(reasonIn(inside)).toContain(copy);
  });

  it("below the environment and a pragma, and its lists are joined with theirs", () => {
    writeFileSync(file, '{"maxResultLines": 30, "maxResultBytes": 3000, "errorPatterns": ["a"]}');
    trust(file);
    env["PROCTOR_RESULT_MAX_LINES"] = "40";
    const { settings } = callSettings(['# @proctor: {"maxResultBytes": 5000, "errorPatterns": ["b"]}\ntrue'], {
      env,
      cwd: inside,
    });
    expect(settings).toMatchObject({ maxResultLines: 40, maxResultBytes: 5000, errorPatterns: ["b", "a"] });
  });

  it("but for keys that are none, each of which is told", () => {
    writeFileSync(
      file,
      '{"maxResultLines": 30, "command": "rm -rf /", "env": {"A": "b"}, "maxHeavyJobs": 9, "headRatio": 7}',
    );
    trust(file);
    const { settings, notes } = settingsIn(inside);
    expect(settings).toMatchObject({ maxResultLines: 30, maxHeavyJobs: 2, headRatio: 0.2 });
    expect(notes).toHaveLength(4);
    for (const key of ["command", "env", "maxHeavyJobs", "headRatio"]) expect(notes.join("\n")).toContain(key);
    expect(callSettings(["true", "false", "true"], { env, cwd: inside }).notes).toEqual(notes);
  });

  it.each([
    ["no JSON", '{"maxResultLines": 30', "is not JSON"],
    ["no object", "[1]", "is not a JSON object"],
    ["empty", "", "is not JSON"],
  ])("and is told of when it holds %s", (_, text, why) => {
    writeFileSync(file, text);
    trust(file);
    expect(reasonIn(inside)).toContain(why);
  });
});

describe("a project's file is refused, and that is told,", () => {
  it("when it is a symbolic link, also to one that is trusted", () => {
    const real = join(repository, "real", ".proctor.json");
    mkdirSync(join(repository, "real"));
    writeFileSync(real, '{"maxResultLines": 30}');
    trust(real);
    symlinkSync(real, file);
    expect(reasonIn(inside)).toContain("symbolic link");
    rmSync(file);
    symlinkSync(join(root, "nowhere"), file);
    expect(reasonIn(inside)).toContain("symbolic link");
  });

  it.runIf(isRoot)("when it is another user's, also with a content that was trusted", () => {
    writeFileSync(file, '{"maxResultLines": 30}');
    trust(file);
    chownSync(file, 12345, 12345);
    expect(reasonIn(inside)).toContain("belongs to user 12345");
  });

  it("when it is a directory, or a pipe, for which nobody waits", () => {
    mkdirSync(file);
    expect(reasonIn(inside)).toContain("is not a file");
    rmSync(file, { recursive: true });
    execFileSync("bash", ["-c", 'mkfifo "$0"', file]);
    expect(reasonIn(inside)).toContain("is not a file");
  });

  it("when it is too large to be one", () => {
    writeFileSync(file, `{"maxResultLines": 30}${" ".repeat(300_000)}`);
    expect(reasonIn(inside)).toContain("larger than");
  });
});

describe("what is trusted", () => {
  it("is kept in files that only the user can read", () => {
    writeFileSync(file, "{}");
    trust(file);
    const dir = join(root, "state", "proctor", "trust");
    const [name = "", ...others] = readdirSync(dir);
    expect(others).toEqual([]);
    expect([statSync(dir).mode & 0o777, statSync(join(dir, name)).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(trustRecords(env)).toMatchObject([{ path: file, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }]);
  });

  it("is nothing where the record is damaged, or others could have written it", () => {
    writeFileSync(file, '{"maxResultLines": 30}');
    trust(file);
    const dir = join(root, "state", "proctor", "trust");
    const record = join(dir, readdirSync(dir)[0] ?? "");
    chmodSync(record, 0o666);
    expect(reasonIn(inside)).toContain("not trusted");
    chmodSync(record, 0o600);
    expect(settingsIn(inside).settings.maxResultLines).toBe(30);
    writeFileSync(record, '{"v":1,"path":');
    expect(reasonIn(inside)).toContain("not trusted");
    expect(trustRecords(env)).toEqual([]);
    trust(file);
    expect(settingsIn(inside).settings.maxResultLines).toBe(30);
  });
});
