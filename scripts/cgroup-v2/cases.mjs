/**
 * Limits under version 2 of control groups, on whatever machine this is started: `node cases.mjs MECHANISM`, where
 * MECHANISM is what must have enforced them, such as "cgroup v2 (systemd-run --user --scope)". Each case checks
 * cause, resource and mechanism, and that no process is left. The last line is "N passed, N failed".
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../dist/index.js";
import { ExitError, run } from "../../dist/agent/index.js";

const mechanism = process.argv[2] ?? "cgroup v2";
const MIB = 1024 ** 2;
const root = realpathSync(mkdtempSync(join(tmpdir(), "proctor-cgroup-v2-")));
const session = join(root, "session");
const NODE = process.execPath;

/** Takes memory up to so much, and ends with 0. */
const hog = (mib) =>
  `${NODE} -e 'const a=[];let n=0;const t=setInterval(()=>{if(n>=${mib}){clearInterval(t);return}a.push(Buffer.alloc(${10 * MIB},1));n+=10},1)'`;
/** A shell whose child takes the memory, and which copes with its death. */
const coping = `${hog(600)}; echo child ended with $?; exit 0`;
const burn = (ms) =>
  `${NODE} -e 'for(const e=process.cpuUsage();;){const c=process.cpuUsage(e);if(c.user+c.system>${ms}*1000)break}'`;
const memory = { memoryBytes: 150 * MIB };

const CASES = [
  ["memory hit", `exec ${hog(600)}`, memory, { cause: "oom_kill", resource: "memory", signal: "SIGKILL" }],
  ["memory just not hit", hog(40), memory, { cause: "", resource: null, exitCode: 0 }],
  [
    "memory hit by a grandchild: the kernel ends the whole group",
    coping,
    memory,
    { cause: "oom_kill", resource: "memory" },
  ],
  [
    "memory hit with an escapee: nothing is left",
    `setsid sleep 4321 & exec ${hog(600)}`,
    memory,
    { cause: "oom_kill", resource: "memory" },
  ],
  [
    "memory hit by one that handles signals",
    `trap 'echo handled' TERM XCPU; ${hog(600)}; exit 5`,
    memory,
    { cause: "oom_kill", resource: "memory" },
  ],
  [
    "processes hit",
    "for i in 1 2 3 4 5 6 7 8 9 10 11 12; do sleep 5 & done; wait; exit 4",
    { processes: 8 },
    { cause: "resource_limit", resource: "processes" },
  ],
  ["processes just not hit", "sleep 0.1 & sleep 0.1 & wait", { processes: 8 }, { cause: "", resource: null }],
  [
    "CPU time hit by all together",
    `for i in 1 2 3 4 5 6 7 8; do ${burn(900)}; done; sleep 60`,
    { cpuTimeMs: 5000 },
    { cause: "resource_limit", resource: "cpu_time" },
  ],
];

let passed = 0;
let failed = 0;
function verdict(name, problems) {
  if (problems.length === 0) passed += 1;
  else failed += 1;
  console.log(`${problems.length === 0 ? "ok  " : "FAIL"} ${name}${problems.map((p) => `\n       ${p}`).join("")}`);
}

async function outcome(script, limits, onStart = () => undefined) {
  const events = [];
  try {
    const report = await run({
      provider: "lines",
      workspace: root,
      session,
      args: ["bash", "-c", script],
      limits,
      onEvent: (event) => {
        events.push(event);
        if (event.kind === "process.started") return onStart(event.payload);
      },
    });
    return { report, events };
  } catch (error) {
    if (!(error instanceof ExitError)) throw error;
    return { report: error.report, events };
  }
}

function problemsOf({ report, events }, expected) {
  const limited = events.find((event) => event.kind === "supervisor.resource_limit");
  const seen = { ...report, resource: limited?.payload.resource ?? null };
  const problems = Object.entries(expected)
    .filter(([key, value]) => seen[key] !== value)
    .map(([key, value]) => `${key}: expected ${value}, saw ${seen[key]} (${report.error})`);
  // CPU time needs no controller: the group that a program is in by itself will do, where it may be written.
  const isCpu = report.mechanisms.some((one) => one.startsWith("cpu_time: cgroup v2"));
  if (!isCpu && !report.mechanisms.some((one) => one.includes(mechanism)))
    problems.push(`mechanisms: ${report.mechanisms}`);
  return problems;
}

function leftOf(runId) {
  return readdirSync("/proc").filter((name) => {
    try {
      return readFileSync(`/proc/${name}/environ`, "utf8").includes(`PROCTOR_RUN_ID=${runId}`);
    } catch {
      return false;
    }
  });
}

try {
  for (const [name, script, limits, expected] of CASES) {
    const one = await outcome(script, limits);
    const problems = problemsOf(one, expected);
    const left = leftOf(one.report.runIds[0]);
    if (left.length > 0) problems.push(`left: ${left}`);
    verdict(name, problems);
  }

  const killed = await outcome(`sleep 3; exec ${hog(600)}`, memory, () => {
    const pid = readdirSync("/proc").find((name) => {
      try {
        const line = readFileSync(`/proc/${name}/cmdline`, "utf8");
        return line.includes("host-main") && line.includes(session);
      } catch {
        return false;
      }
    });
    process.kill(Number(pid), "SIGKILL");
  });
  verdict(
    "memory hit after the session's host was killed",
    problemsOf(killed, { cause: "oom_kill", resource: "memory" }),
  );
} finally {
  const open = await connect({ dir: session, own: false });
  await open.end({ graceMs: 0 });
  rmSync(root, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}

const doctor = spawnSync(NODE, [join(import.meta.dirname, "../../dist/cli/main.js"), "doctor", "--json"], {
  encoding: "utf8",
});
const told = JSON.parse(doctor.stdout).checks.find(({ name }) => name === "cgroup");
verdict("the doctor says so", told?.ok === true ? [] : [JSON.stringify(told)]);

if (mechanism.includes("--user")) {
  const units = execFileSync("systemctl", ["--user", "list-units", "--all", "--no-legend", "proctor-*"], {
    encoding: "utf8",
  });
  verdict("no scope is left when the session has ended", units.trim() === "" ? [] : [units]);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
