/** One contract, two forms: a session served by a host of its own, and one embedded in this process. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { connect } from "proctor";
import type { Session } from "proctor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually, livingProcesses, uniqueSleep } from "./processes.ts";

const wordsOf = (text: string): string[] => text.trim().split(/\s+/);
const sleeping = (mark: string) => livingProcesses().filter((p) => p.command.startsWith(`sleep ${mark}`));

describe.each([
  { form: "a host of its own", embedded: false },
  { form: "embedded", embedded: true },
])("a session: $form", ({ embedded }) => {
  let base: string;
  let session: Session;
  beforeAll(async () => {
    base = mkdtempSync(join(tmpdir(), "contract-"));
    session = await connect({ dir: join(base, "s"), embedded });
  });
  afterAll(async () => {
    await session.end();
    expect(existsSync(join(base, "s"))).toBe(false);
    rmSync(base, { recursive: true, force: true });
  });

  test.each([
    ["true", 0, null],
    ["exit 7", 7, null],
    ["exit 137", 137, null],
    ["kill -9 $$", 137, "SIGKILL"],
    ["kill -SEGV $$", 139, "SIGSEGV"],
    ["no-such-command-here 2>/dev/null", 127, null],
  ])("%s: exit code %i, signal %s", async (command, exitCode, signal) => {
    const result = await session.bash(command);
    expect(result).toMatchObject({ state: "ended", cause: "completed", exitCode, signal });
  });

  test("both streams stand in the log in the order they were written, also through reopened files", async () => {
    const result = await session.bash("echo a; echo b >&2; echo c > /dev/stdout; echo d > /dev/stderr; printf e");
    expect(readFileSync(result.log.path, "utf8")).toBe("a\nb\nc\nd\ne");
    expect(result.log).toMatchObject({ bytes: 9, lines: 5 });
  });

  test("a command whose input is a FIFO that nobody writes to can be stopped, and has its time limit", async () => {
    const stdin = join(base, `fifo-${embedded}`);
    execFileSync("mkfifo", [stdin]);
    expect(await session.bash("cat", { stdin, timeoutMs: 300 })).toMatchObject({ state: "ended", cause: "timeout" });
    const run = await session.bash("cat", { stdin, background: true });
    expect(await session.stop(run.id, { graceMs: 5000 })).toMatchObject({
      confirmed: true,
      run: { state: "ended", cause: "stopped" },
    });
  });

  test("a file and a device are inputs, too", async () => {
    const stdin = join(base, `in-${embedded}`);
    writeFileSync(stdin, "from a file");
    expect((await session.bash("cat", { stdin })).output).toBe("from a file");
    expect((await session.bash("head -c 5000 | wc -c", { stdin: "/dev/zero" })).output.trim()).toBe("5000");
  });

  test("a command whose input comes late gets it; one that can't be started by then says why", async () => {
    const stdin = join(base, `late-${embedded}`);
    const cwd = join(base, `cwd-${embedded}`);
    execFileSync("mkfifo", [stdin]);
    mkdirSync(cwd);
    const run = await session.bash("cat; exit 3", { stdin, background: true });
    await eventually("the pid", async () => (await session.status(run.id)).pid);
    writeFileSync(stdin, "late\n");
    expect((await session.wait(run.id)).run).toMatchObject({ exitCode: 3, cause: "completed" });
    expect(readFileSync(run.log.path, "utf8")).toBe("late\n");
    const other = await session.bash("cat", { stdin, cwd, background: true });
    await eventually("the pid", async () => (await session.status(other.id)).pid);
    rmSync(cwd, { recursive: true });
    writeFileSync(stdin, "");
    expect((await session.wait(other.id)).run).toMatchObject({
      state: "ended",
      cause: "spawn_failed",
      exitCode: null,
      message: expect.stringContaining(cwd) as string,
    });
  });

  test("the command sees what it would see without proctor", async () => {
    const script =
      'umask; ls /proc/$$/fd > fds; echo $(cat fds); jobs; echo "$SHLVL"; env | grep -c "^PROCTOR_RUN_ID=\\|^PROCTOR_SESSION="; set -o | grep monitor';
    const file = join(base, "direct.sh");
    writeFileSync(file, `${script}\n`);
    const direct = execFileSync("bash", [file], {
      cwd: base,
      encoding: "utf8",
      env: { ...process.env, PROCTOR_RUN_ID: "x", PROCTOR_SESSION: "y" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const result = await session.bash(script, { cwd: base });
    const descriptors = (text: string): string[] =>
      (text.split("\n")[1] ?? "")
        .trim()
        .split(" ")
        .filter((fd) => ["0", "1", "2"].includes(fd));
    expect(descriptors(result.output)).toEqual(descriptors(direct));
    expect(
      (result.output.split("\n")[1] ?? "")
        .trim()
        .split(" ")
        .filter((fd) => !["0", "1", "2", "255"].includes(fd)),
    ).toEqual([]);
    expect(result.output.split("\n").toSpliced(1, 1)).toEqual(direct.trimEnd().split("\n").toSpliced(1, 1));
  });

  test("the text of a command stands in no argument list and no environment", async () => {
    const mark = uniqueSleep();
    const secret = `needle${mark.replace(".", "")}`;
    const run = await session.bash(`: ${secret}\nsleep ${mark}; :`, { background: true });
    await eventually("the command", () => sleeping(mark).length === 1);
    const found = livingProcesses().filter((p) => {
      const environment = spawnSync("cat", [`/proc/${p.pid}/environ`], { encoding: "latin1" }).stdout ?? "";
      return p.command.includes(secret) || environment.includes(secret);
    });
    expect(found).toEqual([]);
    await session.stop(run.id, { graceMs: 0 });
  });

  test("a helper in the background does not hold up the answer, is named, and is stopped by its run's id", async () => {
    const mark = uniqueSleep();
    // Named by what it has become, so it must have: between fork and exec it still is bash.
    const result = await session.bash(`sleep ${mark} & until grep -q sleep /proc/$!/comm; do :; done; echo ready`);
    expect(result).toMatchObject({ state: "ended", exitCode: 0, cause: "completed", output: "ready" });
    expect(result.leftovers).toEqual([{ pid: sleeping(mark)[0]?.pid, command: `sleep ${mark}` }]);
    const report = await session.stop(result.id);
    expect(report).toMatchObject({ alreadyEnded: true, confirmed: true, signals: ["SIGTERM"], survivors: [] });
    expect(report.run).toMatchObject({ cause: "completed", exitCode: 0, leftovers: [] });
    expect(sleeping(mark)).toEqual([]);
  });

  test("everything that was written before the exit is in the answer although a helper holds the pipe", async () => {
    const mark = uniqueSleep();
    const result = await session.bash(`sleep ${mark} & seq 1 200000`);
    expect(result.log.lines).toBe(200_000);
    await session.stop(result.id, { graceMs: 0 });
  });

  test("a stop finds processes that left the group, the session and their environment", async () => {
    const mark = uniqueSleep();
    const run = await session.bash(
      `sleep ${mark} & setsid sleep ${mark} & (setsid sleep ${mark} &) ; (env -i setsid sleep ${mark} &) ; env -i setsid sh -c '(sleep ${mark} &) ; exec sleep ${mark}' & trap '' TERM; while :; do sleep 0.1; done`,
      { background: true },
    );
    await eventually("the escapees", () => sleeping(mark).length === 6);
    const report = await session.stop(run.id, { graceMs: 300, reason: "enough" });
    expect(sleeping(mark)).toEqual([]);
    expect(report).toMatchObject({
      requested: true,
      confirmed: true,
      alreadyEnded: false,
      signals: ["SIGTERM", "SIGKILL"],
      survivors: [],
    });
    expect(report.run).toMatchObject({
      state: "ended",
      cause: "stopped",
      signal: "SIGKILL",
      exitCode: 137,
      message: "Stopped on request: enough",
    });
  });

  test("a stop asks first: a trap runs, a loop does not take its next step", async () => {
    const file = join(base, `steps-${embedded}`);
    const run = await session.bash(
      `trap 'echo cleaned >> ${file}; exit 0' TERM; while :; do sleep 0.05; done; echo next >> ${file}`,
      { background: true },
    );
    await eventually(
      "the trap to be set",
      async () =>
        (await session.status(run.id)).state === "running" && livingProcesses().some((p) => p.command.includes(run.id)),
    );
    await eventually("the loop", () => livingProcesses().some((p) => p.command === "sleep 0.05"));
    const report = await session.stop(run.id);
    expect(report).toMatchObject({ signals: ["SIGTERM"], confirmed: true });
    expect(readFileSync(file, "utf8")).toBe("cleaned\n");
  });

  test("a suspended member is continued so that it can act on SIGTERM", async () => {
    const mark = uniqueSleep();
    const run = await session.bash(
      `sleep ${mark} & until grep -q sleep /proc/$!/comm; do :; done; kill -STOP $!; wait`,
      { background: true },
    );
    await eventually("a suspended sleep", () => sleeping(mark).some((p) => p.state === "T"));
    expect(await session.stop(run.id)).toMatchObject({ confirmed: true, signals: ["SIGTERM"] });
    expect(sleeping(mark)).toEqual([]);
  });

  test("a second stop shortens the grace period of the first", async () => {
    const run = await session.bash("trap '' TERM; while :; do sleep 0.1; done", { background: true });
    await eventually("the trap", () => livingProcesses().some((p) => p.command.includes(`${run.id}/command`)));
    const slow = session.stop(run.id, { graceMs: 60_000 });
    const fast = await session.stop(run.id, { graceMs: 0 });
    expect(fast.confirmed).toBe(true);
    expect((await slow).run.cause).toBe("stopped");
  });

  test("stopping what has ended changes nothing", async () => {
    const run = await session.bash("exit 3");
    const report = await session.stop(run.id);
    expect(report).toMatchObject({ alreadyEnded: true, confirmed: true, signals: [] });
    expect(report.run).toMatchObject({ exitCode: 3, cause: "completed", endedAt: run.endedAt });
  });

  test("a time limit ends the whole pipeline and is told apart from the command's own end", async () => {
    const result = await session.bash("(while :; do echo tick; sleep 0.02; done) | tee /dev/null | cat", {
      timeoutMs: 400,
    });
    expect(result).toMatchObject({ cause: "timeout", state: "ended", promoted: false });
    expect(result.message).toContain("400 ms");
    expect(result.output).toContain("tick");
  });

  test("an idle limit counts bytes of output", async () => {
    const result = await session.bash("for i in 1 2 3 4; do echo $i; sleep 0.2; done; sleep 30", {
      limits: { idleTimeoutMs: 600 },
    });
    expect(result).toMatchObject({ cause: "idle_timeout", output: "1\n2\n3\n4" });
  });

  test("a flood stops at the log's limit, and what was captured stays", async () => {
    const result = await session.bash("trap '' PIPE; yes overflow", { limits: { logMaxBytes: 1 << 20 } });
    expect(result.cause).toBe("log_limit");
    expect(result.message).toContain("1.0 MiB");
    expect(statSync(result.log.path).size).toBe(1 << 20);
    expect(readFileSync(result.log.path, "latin1").startsWith("overflow\noverflow\n")).toBe(true);
  });

  test("a run goes to the background at its threshold and ends there with its own code", async () => {
    const result = await session.bash("echo begun; sleep 0.5; echo late; exit 4", { promoteAfterMs: 150 });
    expect(result).toMatchObject({ promoted: true, state: "running", exitCode: null, cause: null });
    const { matched, run } = await session.wait(result.id, { timeoutMs: 10_000 });
    expect(matched).toBe(true);
    expect(run).toMatchObject({ exitCode: 4, cause: "completed" });
    expect((await session.logs(result.id)).text).toBe("begun\nlate\n");
  });

  test("a log is read from a line on, as an excerpt counts them", async () => {
    const { id } = await session.bash("seq 1 20");
    expect(await session.logs(id, { fromLine: 9, lines: 2 })).toMatchObject({ from: 16, to: 21, text: "9\n10\n" });
    expect((await session.logs(id, { fromLine: 9, grep: "1", lines: 2 })).text).toBe("10\n11\n");
    expect((await session.logs(id, { fromLine: 20 })).text).toBe("20\n");
    expect(await session.logs(id, { fromLine: 21 })).toMatchObject({ from: 51, to: 51, lines: 0, text: "" });
    await expect(session.logs(id, { fromLine: 1, from: 0 })).rejects.toMatchObject({
      code: "ERR_INPUT_USAGE",
      message: "from and fromLine exclude each other. Accepted: one of them.",
    });
  });

  test("aborting a foreground call stops its run", async () => {
    const abort = new AbortController();
    const mark = uniqueSleep();
    const call = session.bash(`sleep ${mark}`, { signal: abort.signal });
    await eventually("the command", () => sleeping(mark).length === 1);
    abort.abort();
    expect(await call).toMatchObject({ cause: "stopped", state: "ended" });
    expect(sleeping(mark)).toEqual([]);
  });

  test("stages run one after the other in fresh shells and stop at the first failure", async () => {
    const result = await session.bash(["export X=1; cd /; echo one", 'echo "${X-unset} $PWD"; exit 4', "echo three"], {
      cwd: base,
    });
    expect(result).toMatchObject({
      kind: "sequence",
      exitCode: 4,
      state: "ended",
      cause: "completed",
      output: `unset ${base}`,
    });
    expect(result.stages?.map((s) => [s.exitCode, s.state])).toEqual([
      [0, "ended"],
      [4, "ended"],
    ]);
    expect(result.stages?.map((s) => readFileSync(s.log.path, "utf8"))).toEqual(["one\n", `unset ${base}\n`]);
  });

  test("a sequence ends once, also when it was promoted, and is stopped as a whole", async () => {
    const ends: string[] = [];
    const unsubscribe = session.onChange((event) => {
      if (event.kind === "ended") ends.push(event.run.id);
    });
    const quick = await session.bash(["echo a", "echo b", "exit 2"], { promoteAfterMs: 1 });
    const { run } = await session.wait(quick.id, { timeoutMs: 10_000 });
    expect(run).toMatchObject({ exitCode: 2, state: "ended" });
    const slow = await session.bash(["true", "sleep 60", "echo never"], { background: true });
    await eventually("the second stage", async () => (await session.status(slow.id)).stages?.length === 2);
    expect(await session.stop(slow.id)).toMatchObject({ confirmed: true, run: { cause: "stopped", state: "ended" } });
    await eventually("both ends to be told", () => ends.includes(slow.id) && ends.includes(quick.id));
    expect(ends.filter((id) => id === slow.id || id === quick.id)).toHaveLength(2);
    unsubscribe();
  });

  test("the umask, the working directory and the environment are the caller's", async () => {
    const before = process.umask(0o027);
    try {
      const result = await session.bash('umask; pwd; echo "$GIVEN"; touch made', {
        cwd: base,
        env: { GIVEN: "a=b  c" },
      });
      expect(result.output).toBe(`0027\n${base}\na=b  c`);
      expect(statSync(join(base, "made")).mode & 0o777).toBe(0o640);
    } finally {
      process.umask(before);
    }
  });

  const secretNames = wordsOf(`
    TOKEN PASSWORD PASSWD SECRET API_KEY APIKEY PRIVATE_KEY ACCESS_KEY PASSPHRASE CREDENTIALS SECRET_KEY
    SECRET_KEY_BASE password db_password Api_Key TF_VAR_secret PGPASSWORD MYSQL_PWD REDISCLI_AUTH SSHPASS
    GITHUB_PAT SMTP_PASS CI_JOB_JWT APP_KEY NPM_TOKEN AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN
    AZURE_STORAGE_KEY RAILS_MASTER_KEY NGROK_AUTHTOKEN COMPOSER_AUTH DOCKER_AUTH_CONFIG npm_config__authToken
    npm_config_//registry.example/:_authToken B2_APPLICATION_KEY GOOGLE_APPLICATION_CREDENTIALS
  `);
  const harmlessNames = wordsOf(`
    OLDPWD TOKENIZERS_PARALLELISM SSH_AUTH_SOCK SSH_ASKPASS GIT_ASKPASS GPG_TTY KEYTIMEOUT MAX_OUTPUT_TOKENS
    PASSWORD_STORE_DIR AWS_WEB_IDENTITY_TOKEN_FILE GITHUB_PATH XAUTHORITY SECRETS_DIR PUBLIC_KEY GPG_KEY
    npm_config_always_auth npm_config_user_agent BYPASS MYSQL_HOST COMPASS CACHE_KEY KEY AUTH AUTHOR PGPASSFILE
    LESS_PATTERN monkey DATABASE_URL
  `);

  test("the usual names of secrets are withheld in any case, names that only look like them are not", async () => {
    const before = { ...process.env };
    try {
      for (const name of [...secretNames, ...harmlessNames]) process.env[name] = `value-of-${name}`;
      const result = await session.bash("env | grep -o '^[^=]*=value-of-' | sed 's/=value-of-$//'");
      expect(readFileSync(result.log.path, "utf8").trim().split("\n").toSorted()).toEqual(
        // The shell has its own idea of OLDPWD.
        harmlessNames.filter((name) => name !== "OLDPWD").toSorted(),
      );
      const named = result.notes.find((note) => note.startsWith("Withheld")) ?? "";
      for (const name of secretNames) expect(named).toContain(name);
      for (const name of harmlessNames) expect(named.split(/[ ,.]+/)).not.toContain(name);
    } finally {
      for (const name of [...secretNames, ...harmlessNames])
        if (before[name] === undefined) delete process.env[name];
        else process.env[name] = before[name];
    }
  });

  test("no list, no status and no event shows a variable's value", async () => {
    const heard: string[] = [];
    const stop = session.onChange((event) => heard.push(JSON.stringify(event)));
    process.env["PASSWORD"] = "sesame-9";
    try {
      const run = await session.bash(["true", "exit 3"], { env: { PLAIN: "plain-9", TOKEN: "open-9" }, envAll: true });
      await eventually("the last event", () => heard.some((text) => text.includes('"ended"') && text.includes(run.id)));
      const seen = [heard, run, await session.list(), await session.status(run.id)].map((one) => JSON.stringify(one));
      for (const text of seen) expect(text).not.toMatch(/sesame-9|open-9|plain-9/);
      for (const stage of run.stages ?? [])
        expect(readFileSync(join(session.dir, "runs", stage.id, "run.json"), "utf8")).not.toMatch(/sesame-9|open-9/);
    } finally {
      delete process.env["PASSWORD"];
      stop();
    }
  });

  test("variables that look like secrets are withheld, and said to be", async () => {
    process.env["CONTRACT_API_KEY"] = "sesame-7";
    try {
      const result = await session.bash('echo "${CONTRACT_API_KEY-none}"');
      expect(result.output).toBe("none");
      expect(result.notes.join()).toContain("CONTRACT_API_KEY");
      const all = await session.bash('echo "$CONTRACT_API_KEY"', { envAll: true });
      expect(all.output).toBe("sesame-7");
      const given = await session.bash('echo "$MY_TOKEN"', { env: { MY_TOKEN: "open-8" } });
      expect(given.output).toBe("open-8");
      for (const id of [result.id, all.id, given.id]) {
        const record = readFileSync(join(session.dir, "runs", id, "run.json"), "utf8");
        expect(record).not.toContain("sesame-7");
        expect(record).not.toContain("open-8");
      }
    } finally {
      delete process.env["CONTRACT_API_KEY"];
    }
  });

  const all =
    "name, cwd, env, envAll, stdin, timeoutMs, background, watch, lifetime, interactive, promoteAfterMs, limits, signal";
  const time = "Accepted: a number of milliseconds";
  const wrongCalls: readonly (readonly [keyof Session & string, readonly unknown[], string, string])[] = [
    ["bash", [[1]], "ERR_INPUT_COMMAND", "command: [ 1 ] can't be used. Accepted: a command for bash as a string"],
    [
      "bash",
      [[]],
      "ERR_INPUT_COMMAND",
      "command: [] can't be used. Accepted: a command for bash as a string, or a list of one",
    ],
    ["bash", [""], "ERR_INPUT_COMMAND", "command: it is empty"],
    ["bash", [["true", ""]], "ERR_INPUT_COMMAND", "command 2: it is empty"],
    ["bash", [], "ERR_INPUT_COMMAND", "command: undefined"],
    [
      "bash",
      ["true", { timeout: 5 }],
      "ERR_INPUT_PARAMS",
      `timeout: there is no such option. Did you mean timeoutMs? Accepted: ${all}.`,
    ],
    ["bash", ["true", { xyzzy: 5 }], "ERR_INPUT_PARAMS", `xyzzy: there is no such option. Accepted: ${all}.`],
    [
      "bash",
      ["true", { promoteAfterMs: "x" }],
      "ERR_INPUT_DURATION",
      `promoteAfterMs: "x" can't be used. ${time}, from 0`,
    ],
    [
      "bash",
      ["true", { timeoutMs: Number.NaN }],
      "ERR_INPUT_DURATION",
      `timeoutMs: NaN can't be used. ${time}, more than 0`,
    ],
    ["bash", ["true", { timeoutMs: -5 }], "ERR_INPUT_DURATION", "timeoutMs: -5"],
    [
      "bash",
      ["true", { background: "yes" }],
      "ERR_INPUT_PARAMS",
      'background: "yes" can\'t be used. Accepted: true or false',
    ],
    ["bash", ["true", { cwd: 7 }], "ERR_INPUT_CWD", "cwd: 7"],
    ["bash", ["true", { stdin: null }], "ERR_INPUT_STDIN", "stdin: null"],
    ["bash", ["true", { env: { MY_TOKEN: 5309 } }], "ERR_INPUT_ENV", "env.MY_TOKEN: a value of type number"],
    ["bash", ["true", { env: "A=b" }], "ERR_INPUT_ENV", "env: a value of type string"],
    [
      "bash",
      ["true", { limits: { memory: 5 } }],
      "ERR_INPUT_PARAMS",
      "limits.memory: there is no such option. Did you mean limits.memoryBytes?",
    ],
    [
      "bash",
      ["true", { limits: { memoryBytes: -1 } }],
      "ERR_INPUT_SIZE",
      "limits.memoryBytes: -1 can't be used. Accepted: a whole number from 1, or null",
    ],
    ["bash", ["true", { limits: { idleTimeoutMs: "1m" } }], "ERR_INPUT_DURATION", 'limits.idleTimeoutMs: "1m"'],
    ["bash", ["true", { signal: 9 }], "ERR_INPUT_PARAMS", "signal: 9 can't be used. Accepted: an AbortSignal"],
    ["bash", ["true", null], "ERR_INPUT_PARAMS", "options: null can't be used. Accepted: an object with name, cwd"],
    ["status", [5], "ERR_INPUT_ID", "id: 5 can't be used. Accepted: a string"],
    ["logs", ["x", { lines: -1 }], "ERR_INPUT_PARAMS", "lines: -1 can't be used. Accepted: a whole number from 0"],
    ["logs", ["x", { fromLine: 0 }], "ERR_INPUT_PARAMS", "fromLine: 0 can't be used. Accepted: a whole number from 1"],
    ["logs", ["x", { line: 1 }], "ERR_INPUT_PARAMS", "Did you mean lines?"],
    ["wait", ["x", { timeoutMs: -1 }], "ERR_INPUT_DURATION", `timeoutMs: -1 can't be used. ${time} from 0`],
    ["wait", ["x", { quietMs: Number.NaN }], "ERR_INPUT_DURATION", "quietMs: NaN"],
    [
      "wait",
      ["x", { port: 70_000 }],
      "ERR_INPUT_PARAMS",
      "port: 70000 can't be used. Accepted: a whole number from 1 to 65535",
    ],
    ["waitForRuns", ["x", "any"], "ERR_INPUT_ID", 'ids: "x" can\'t be used. Accepted: a list of strings'],
    ["waitForRuns", [["x"], "some"], "ERR_INPUT_PARAMS", 'mode: "some" can\'t be used. Accepted: any, all'],
    [
      "input",
      ["x", { keys: "Enter" }],
      "ERR_INPUT_PARAMS",
      'keys: "Enter" can\'t be used. Accepted: a list of strings',
    ],
    [
      "input",
      ["x"],
      "ERR_INPUT_PARAMS",
      "options: undefined can't be used. Accepted: an object with text, enter, keys, eof",
    ],
    [
      "resize",
      ["x", { columns: 80 }],
      "ERR_INPUT_PARAMS",
      "rows: undefined can't be used. Accepted: a whole number from 1 to 1000",
    ],
    ["stop", ["x", { graceMs: "5s" }], "ERR_INPUT_DURATION", `graceMs: "5s" can't be used. ${time}, from 0`],
    ["stopAll", [{ grace: 5 }], "ERR_INPUT_PARAMS", "grace: there is no such option. Did you mean graceMs?"],
    ["end", [{ graceMs: -1 }], "ERR_INPUT_DURATION", "graceMs: -1"],
    ["acknowledge", ["x"], "ERR_INPUT_ID", 'ids: "x"'],
    ["onChange", [1], "ERR_INPUT_PARAMS", "listener: 1 can't be used. Accepted: a function"],
    ["onCompletions", [() => undefined, { admited: [] }], "ERR_INPUT_PARAMS", "Did you mean admitted?"],
  ];

  test.each(wrongCalls)("%s%j is refused by the field, before anything is done", async (method, args, code, named) => {
    const before = (await session.list()).length;
    const call: unknown = session[method];
    if (typeof call !== "function") throw new Error(`${method} is no method`);
    const error = await (async () => Reflect.apply(call, session, args) as unknown)().then(
      () => null,
      (e: unknown) => e,
    );
    expect(error).toMatchObject({ name: "ProctorError", code, message: expect.stringContaining(named) });
    expect(String(error)).not.toContain("5309");
    expect(await session.list()).toHaveLength(before);
  });

  test("connect refuses what it does not know, and makes nothing", async () => {
    const wrong: readonly (readonly [object, string])[] = [
      [
        { dri: join(base, "other") },
        "connect: dri: there is no such option. Did you mean dir? Accepted: dir, embedded, own.",
      ],
      [
        { dir: join(base, "other"), embedded: "no" },
        'connect: embedded: "no" can\'t be used. Accepted: true or false.',
      ],
      [{ dir: "" }, 'connect: dir: "" can\'t be used. Accepted: a string that is not empty.'],
    ];
    for (const [options, message] of wrong)
      await expect(connect(options)).rejects.toMatchObject({ name: "ProctorError", code: "ERR_INPUT_PARAMS", message });
    expect(existsSync(join(base, "other"))).toBe(false);
  });

  test("everything that is accepted is, also the process's own environment and paths from where it stands", async () => {
    writeFileSync(join(base, "relative.txt"), "found");
    const result = await session.bash(["true", "cat; pwd"], {
      name: "full",
      cwd: relative(process.cwd(), base),
      env: process.env as Record<string, string>,
      envAll: false,
      stdin: relative(process.cwd(), join(base, "relative.txt")),
      timeoutMs: 60_000.5,
      background: false,
      watch: true,
      lifetime: "session",
      interactive: false,
      promoteAfterMs: null,
      limits: { idleTimeoutMs: null, memoryBytes: null, openFiles: 256, logMaxBytes: 1 << 20 },
      signal: new AbortController().signal,
    });
    expect(result).toMatchObject({ name: "full", exitCode: 0, output: `found${base}` });
  });

  test.each([
    ["an empty command", "   ", {}, "ERR_INPUT_COMMAND", "empty"],
    ["a NUL in a command", "echo a\0b", {}, "ERR_INPUT_COMMAND", "NUL"],
    ["a missing directory", "true", { cwd: "/no/such/dir" }, "ERR_INPUT_CWD", "/no/such/dir"],
    ["a file as directory", "true", { cwd: "/etc/passwd" }, "ERR_INPUT_CWD", "not a directory"],
    ["an unreadable input", "true", { stdin: "/no/such/input" }, "ERR_INPUT_STDIN", "/no/such/input"],
    ["a directory as input", "true", { stdin: "/etc" }, "ERR_INPUT_STDIN", "stdin: /etc is a directory (EISDIR)"],
    ["a bad variable", "true", { env: { "A=B": "c" } }, "ERR_INPUT_ENV", "A=B"],
    ["a time limit of two days", "true", { timeoutMs: 172_800_000 }, "ERR_INPUT_DURATION", "24 h"],
  ])("%s is refused before anything is recorded", async (_, command, options, code, named) => {
    const before = (await session.list()).length;
    const error = await (async () => session.bash(command, options))().then(
      () => null,
      (e: unknown) => e,
    );
    expect(error).toMatchObject({ code, message: expect.stringContaining(named) });
    expect(await session.list()).toHaveLength(before);
  });

  test("runs are found by a unique prefix; unknown ids and ambiguous prefixes are refused by name", async () => {
    const run = await session.bash("true");
    expect((await session.status(run.id.slice(0, 8))).id).toBe(run.id);
    await expect(session.status("nosuchid0000")).rejects.toMatchObject({
      code: "ERR_INPUT_ID",
      message: expect.stringContaining("nosuchid0000"),
    });
    await expect(session.status(run.id.slice(0, 3))).rejects.toMatchObject({ code: "ERR_INPUT_ID" });
  });

  test("a wait for a line returns at the line, and says at once when it can no longer come", async () => {
    const run = await session.bash("echo first; sleep 0.3; printf 'ready> '; sleep 0.5; echo over", {
      background: true,
    });
    expect(await session.wait(run.id, { match: "^ready>", timeoutMs: 10_000 })).toMatchObject({
      matched: true,
      run: { state: "running" },
    });
    expect(await session.wait(run.id, { match: "never", timeoutMs: 30_000 })).toMatchObject({
      matched: false,
      over: true,
      run: { state: "ended" },
    });
  });

  test("a directory that vanishes between the check and the start is a failed spawn that names it", async () => {
    const dir = join(base, "vanishing");
    mkdirSync(dir);
    const result = await session.bash([`rmdir ${dir}; echo gone`, "echo never"], { cwd: dir });
    expect(result).toMatchObject({ cause: "spawn_failed", exitCode: null, state: "ended" });
    expect(result.message).toContain(dir);
  });

  test("forty at once all end with their own output and code", async () => {
    const results = await Promise.all(Array.from({ length: 40 }, (_, i) => session.bash(`echo out-${i}; exit ${i}`)));
    results.forEach((r, i) => expect([r.output, r.exitCode, r.cause]).toEqual([`out-${i}`, i, "completed"]));
  });

  test("a command of a megabyte is run whole", async () => {
    const result = await session.bash(`: ${"x".repeat(1_000_000)}\necho end`);
    expect(result).toMatchObject({ output: "end", exitCode: 0 });
  });

  test("what a run writes is private", async () => {
    const before = process.umask(0);
    try {
      const result = await session.bash("echo secret");
      const open = execFileSync("find", [session.dir, "!", "-type", "l", "-perm", "/077"], { encoding: "utf8" });
      expect(open).toBe("");
      expect(statSync(result.log.path).mode & 0o777).toBe(0o600);
    } finally {
      process.umask(before);
    }
  });
});
