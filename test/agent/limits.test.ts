/** The matrix of limits: each hit, each just not hit, each hit by a grandchild, each handled by the program. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { NO_LIMITS } from "../../src/model/index.ts";
import { limitMechanisms } from "../../src/engine/limit-evidence.ts";
import { isRoot } from "../privilege.ts";
import { livingProcesses } from "../session/processes.ts";
import { bash, exitOf, place } from "./runs.ts";
import type { Outcome } from "./runs.ts";

const at = place();
afterAll(() => at.close());

const NODE = process.execPath;
const MIB = 1024 ** 2;
/** Takes memory, a piece at a time, and keeps it. */
const HOG = (mib: number): string =>
  `${NODE} -e 'const a=[];let n=0;const t=setInterval(()=>{if(n>=${mib}){clearInterval(t);process.exit(0)}a.push(Buffer.alloc(${20 * MIB},1));n+=20},10)'`;
const BURN = (ms: number): string =>
  `${NODE} -e 'const e=process.cpuUsage();while(true){const c=process.cpuUsage(e);if(c.user+c.system>${ms}*1000)break}'`;

function threadsOfThisUser(): number {
  let count = 0;
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const status = readFileSync(`/proc/${name}/status`, "utf8");
      if (Number(/^Uid:\s+(\d+)/m.exec(status)?.[1]) !== process.getuid?.()) continue;
      count += Number(/^Threads:\s+(\d+)/m.exec(status)?.[1]);
    } catch {
      // Gone between the listing and the look.
    }
  }
  return count;
}

function resourceOf(outcome: Outcome): readonly unknown[] {
  return outcome.events.flatMap((event) =>
    event.kind === "supervisor.resource_limit" ? [event.payload.resource] : [],
  );
}

describe("memory", () => {
  const limits = { memoryBytes: 200 * MIB };

  test("hit", async () => {
    const outcome = await bash(at, `exec ${HOG(2000)}`, { limits });
    expect(["oom_kill", "resource_limit"]).toContain(exitOf(outcome)[3]);
    expect(resourceOf(outcome)).toEqual(["memory"]);
    expect(outcome.events.at(-1)?.kind).toBe("process.exited");
    expect(outcome.report?.mechanisms.join()).toMatch(/^memory: (cgroup v|watched)/);
  });

  test("just not hit", async () => {
    const outcome = await bash(at, HOG(60), { limits });
    expect(outcome.report).toMatchObject({ exitCode: 0, cause: "" });
    expect(resourceOf(outcome)).toEqual([]);
  });

  test("hit by a grandchild, and the agent fails of it", async () => {
    const outcome = await bash(at, `bash -c "$0; exit 9"; exit $?`, {
      limits,
      args: ["bash", "-c", `bash -c '${HOG(2000).replaceAll("'", `'\\''`)}; exit 9'; exit $?`],
    });
    expect(["oom_kill", "resource_limit"]).toContain(exitOf(outcome)[3]);
    expect(resourceOf(outcome)).toEqual(["memory"]);
  });

  test("hit below a shell that handles signals and copes", async () => {
    const outcome = await bash(at, `trap 'echo handled' TERM XCPU; ${HOG(2000)}; exit 0`, { limits });
    const [mechanism = ""] = outcome.report?.mechanisms ?? [];
    // Version 2 ends the whole group, the watcher the whole run; version 1 the one process, and the shell lives on.
    const expected = mechanism.includes("cgroup v2") ? "oom_kill" : mechanism.includes("soft") ? "resource_limit" : "";
    expect(outcome.report?.cause).toBe(expected);
    expect(resourceOf(outcome)).toEqual(expected === "" ? [] : ["memory"]);
  });

  test("a restart is not tried after it", async () => {
    const outcome = await bash(at, `exec ${HOG(2000)}`, { limits, supervisor: { restartOnCrash: 3 } });
    expect(outcome.report?.attempts).toBe(1);
  });
});

describe("CPU time", () => {
  test("hit", async () => {
    const outcome = await bash(at, `exec ${BURN(20_000)}`, { limits: { cpuTimeMs: 1000 } });
    expect(exitOf(outcome)[3]).toBe("resource_limit");
    expect(resourceOf(outcome)).toEqual(["cpu_time"]);
  });

  test("just not hit", async () => {
    const outcome = await bash(at, BURN(200), { limits: { cpuTimeMs: 5000 } });
    expect(outcome.report).toMatchObject({ exitCode: 0, cause: "" });
  });

  test("hit by all processes together, each of which stays under it", async () => {
    const outcome = await bash(at, `for i in 1 2 3 4 5 6; do ${BURN(700)}; done; sleep 30`, {
      limits: { cpuTimeMs: 2000 },
    });
    expect(exitOf(outcome)[3]).toBe("resource_limit");
    expect(resourceOf(outcome)).toEqual(["cpu_time"]);
  });

  test("hit by a grandchild that left its session, while its parent sleeps", async () => {
    const outcome = await bash(at, `bash -c "setsid ${BURN(20_000).replaceAll('"', '\\"')} & wait"; sleep 60`, {
      limits: { cpuTimeMs: 1000 },
    });
    expect(exitOf(outcome)[3]).toBe("resource_limit");
    expect(resourceOf(outcome)).toEqual(["cpu_time"]);
  });

  test("hit by one that handles the signal: it is stopped all the same", async () => {
    const outcome = await bash(at, "trap 'echo handled' XCPU; while :; do :; done", { limits: { cpuTimeMs: 1000 } });
    expect(exitOf(outcome)[3]).toBe("resource_limit");
    expect(resourceOf(outcome)).toEqual(["cpu_time"]);
  });
});

describe("file size", () => {
  const limits = { fileSizeBytes: MIB };
  const write = (bytes: number, file: string): string => `head -c ${bytes} /dev/zero > ${join(at.dir, file)}`;

  test("hit", async () => {
    const outcome = await bash(at, `exec ${write(4 * MIB, "big")}`, { limits });
    expect(exitOf(outcome)[3]).toBe("resource_limit");
    expect(resourceOf(outcome)).toEqual(["file_size"]);
  });

  test("just not hit", async () => {
    const outcome = await bash(at, write(MIB, "fits"), { limits });
    expect(outcome.report).toMatchObject({ exitCode: 0, cause: "" });
  });

  test("hit by a grandchild", async () => {
    const outcome = await bash(at, `bash -c '${write(4 * MIB, "grand")}'; exit $?`, { limits });
    expect(exitOf(outcome)[3]).toBe("resource_limit");
  });

  test("handled by a program that copes with it: no cause", async () => {
    const script = `try{require("fs").writeFileSync(${JSON.stringify(join(at.dir, "coped"))},Buffer.alloc(${4 * MIB}))}catch(e){console.log(e.code)}`;
    const outcome = await bash(at, `${NODE} -e '${script}'`, { limits });
    expect(outcome.report).toMatchObject({ exitCode: 0, cause: "" });
    expect(readFileSync(outcome.report?.log.stdout ?? "", "utf8")).toContain("EFBIG");
  });

  test("the log is not concerned, on either stream", async () => {
    const outcome = await bash(
      at,
      `head -c ${3 * MIB} /dev/zero | tr '\\0' x; head -c ${2 * MIB} /dev/zero | tr '\\0' y >&2; echo; echo end`,
      { limits },
    );
    expect(outcome.report).toMatchObject({ exitCode: 0, cause: "" });
    expect(readFileSync(outcome.report?.log.stdout ?? "").length).toBe(3 * MIB + 5);
    expect(readFileSync(outcome.report?.log.stderr ?? "").length).toBe(2 * MIB);
  });
});

describe("open files", () => {
  const limits = { openFiles: 64 };
  const open = (count: number, onRefusal: string = "throw e"): string =>
    `${NODE} -e 'const fs=require("fs");try{for(let i=0;i<${count};i++)fs.openSync("/dev/null","r")}catch(e){${onRefusal}}'`;

  test("hit: the program is refused, and no cause is made up", async () => {
    const outcome = await bash(at, `exec ${open(200)}`, { limits });
    expect(exitOf(outcome)[3]).toBe("");
    expect(outcome.report?.error).toMatch(/\w/);
    expect(readFileSync(outcome.report?.log.stderr ?? "", "utf8")).toContain("EMFILE");
  });

  test("just not hit, and the soft limit is below the hard one", async () => {
    const outcome = await bash(at, `${open(20)} && ulimit -Sn && ulimit -Hn`, { limits });
    expect(readFileSync(outcome.report?.log.stdout ?? "", "utf8")).toBe("64\n65\n");
    expect(outcome.report?.mechanisms).toEqual(["open_files: RLIMIT_NOFILE for each process"]);
  });

  test("hit by a grandchild: its failure is the agent's own affair", async () => {
    const outcome = await bash(at, `bash -c '${open(200).replaceAll("'", `'\\''`)}'; exit 9`, { limits });
    expect(exitOf(outcome)).toEqual([9, 0, false, ""]);
    expect(readFileSync(outcome.report?.log.stderr ?? "", "utf8")).toContain("EMFILE");
    expect(resourceOf(outcome)).toEqual([]);
  });

  test("handled by a program that copes with it: no cause", async () => {
    const outcome = await bash(at, open(200, "console.log(e.code)"), { limits });
    expect(outcome.report).toMatchObject({ exitCode: 0, cause: "" });
    expect(readFileSync(outcome.report?.log.stdout ?? "", "utf8")).toContain("EMFILE");
  });
});

describe("processes", () => {
  // Without a control group, which root has, the kernel counts whatever else this user runs, by threads.
  const others = isRoot ? 0 : threadsOfThisUser();
  const limits = { processes: 40 + others };
  const many = 60 + others;
  const start = (count: number, refused: number = 5): string =>
    `${NODE} -e 'const c=require("child_process");let bad=0;for(let i=0;i<${count};i++){const p=c.spawn("sleep",["0.2"]);p.on("error",()=>bad++)}setTimeout(()=>{console.log(bad>0);process.exit(bad?${refused}:0)},600)'`;
  /** Root is refused by a control group only, and only that tells who was refused. */
  const isEnforced = (outcome: Outcome): boolean => outcome.report?.mechanisms.join().includes("cgroup") === true;

  // A Node alone has some ten threads, and the kernel counts those.
  test("hit", async () => {
    const outcome = await bash(at, start(many), { limits });
    expect([exitOf(outcome)[3], resourceOf(outcome)]).toEqual(
      isEnforced(outcome) ? ["resource_limit", ["processes"]] : ["", []],
    );
  });

  test("just not hit", async () => {
    const outcome = await bash(at, start(5), { limits });
    expect(outcome.report).toMatchObject({ exitCode: 0, cause: "" });
    expect(resourceOf(outcome)).toEqual([]);
  });

  test("hit by a grandchild, and the agent fails of it", async () => {
    const outcome = await bash(at, `bash -c '${start(many).replaceAll("'", `'\\''`)}; exit 9'; exit $?`, { limits });
    expect(exitOf(outcome)[3]).toBe(isEnforced(outcome) ? "resource_limit" : "");
    expect(resourceOf(outcome)).toEqual(isEnforced(outcome) ? ["processes"] : []);
  });

  test("handled by a program that copes with it: no cause", async () => {
    const outcome = await bash(at, start(many, 0), { limits });
    expect(outcome.report).toMatchObject({ exitCode: 0, cause: "" });
    expect(resourceOf(outcome)).toEqual([]);
    if (isEnforced(outcome)) expect(readFileSync(outcome.report?.log.stdout ?? "", "utf8")).toBe("true\n");
  });
});

/** Time: the deadline, silence, and the watchdog. What was hit is told by `cause`; the whole tree is gone. */
describe.each([
  ["the deadline", "timeout", { deadlineMs: 700, waitDelayMs: 300 }],
  ["silence", "idle_timeout", { supervisor: { idleKillMs: 700, idleKillGraceMs: 300 } }],
  ["the watchdog", "watchdog_kill", { supervisor: { watchdogMs: 700 } }],
] as const)("%s", (_, cause, config) => {
  const isLeft = (duration: string): boolean => livingProcesses().some((p) => p.command === `sleep ${duration}`);

  test("hit", async () => {
    const outcome = await bash(at, "exec sleep 60", config);
    expect(exitOf(outcome)[3]).toBe(cause);
    expect(resourceOf(outcome)).toEqual([]);
  });

  test("just not hit", async () => {
    const outcome = await bash(at, "echo a; sleep 0.1; echo b", config);
    expect(outcome.report).toMatchObject({ exitCode: 0, cause: "" });
  });

  test("hit by a grandchild that left its session: it is gone as well", async () => {
    const duration = `60.${process.pid}${cause.length}`;
    const outcome = await bash(at, `bash -c "setsid sleep ${duration} & wait"`, config);
    expect(exitOf(outcome)[3]).toBe(cause);
    expect(isLeft(duration)).toBe(false);
  });

  test("hit by one that handles SIGTERM: it is killed, and the cause stays", async () => {
    const outcome = await bash(at, "trap 'handled=1' TERM; while :; do sleep 1; done", config);
    expect(exitOf(outcome)).toEqual([-1, 9, true, cause]);
  });
});

test("every limit says what enforces it, and a soft one says that it is soft", () => {
  const all = { ...NO_LIMITS, memoryBytes: 1, cpuTimeMs: 1, openFiles: 1, processes: 1, fileSizeBytes: 1 };
  const said = limitMechanisms(all, null);
  expect(said.map((line) => line.split(":")[0])).toEqual([
    "memory",
    "cpu_time",
    "open_files",
    "processes",
    "file_size",
  ]);
  expect(said[0]).toContain("soft");
  expect(limitMechanisms(NO_LIMITS, null)).toEqual([]);
});

test("the log's own cap stops the run", async () => {
  const outcome = await bash(at, "while :; do echo 0123456789012345678901234567890123456789; done", {
    logMaxBytes: 256 * 1024,
  });
  expect(exitOf(outcome)[3]).toBe("aborted");
  expect(outcome.report?.error).toMatch(/log's limit/);
});
