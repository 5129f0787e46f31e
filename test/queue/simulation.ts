/**
 * Many sessions, one queue, and a hand that kills at random: session processes, their launchers, their
 * guardians' hosts. What the commands saw while they ran is the judge.
 */
import { spawn, spawnSync } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { eventually, killSeen, livingProcesses, processesOf } from "../session/processes.ts";
import type { SeenProcess } from "../session/processes.ts";

const ENTRY = new URL("../../dist/index.js", import.meta.url).href;
const CLI = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const WORKER = fileURLToPath(new URL("./worker.mjs", import.meta.url));
const STUB = fileURLToPath(new URL("./stub-make.pl", import.meta.url));

export interface Simulation {
  readonly jobs: number;
  readonly processes: number;
  readonly inFlight: number;
  readonly limit: number;
  /** How many commands start between two kills: a slow machine is killed no more often than a fast one. */
  readonly killEvery: number;
  readonly jobMs: number;
  readonly seed: number;
}

/** One command's look around. */
export interface Seen {
  readonly run: string;
  readonly ticket: number | null;
  readonly active: number;
  readonly inFront: number;
}

export interface SimulationReport {
  readonly seen: readonly Seen[];
  readonly kills: number;
  /** Tickets of living processes that are left in the queue when everything is over. */
  readonly left: readonly string[];
  /** The ends that surviving processes saw, by cause. */
  readonly causes: Readonly<Record<string, number>>;
}

/** mulberry32: the same seed, the same choices. */
function randomFrom(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = a;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Kills what was seen; one that ended between the look and the signal was not killed. */
function killed(victim: SeenProcess): boolean {
  try {
    return killSeen(victim);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}

/** The process that a link of the queue names, as PID:START; "" when it names none or is gone. */
function namedIn(link: string): string {
  try {
    const fields = readlinkSync(link).split(":");
    return `${fields[0] ?? ""}:${fields.at(-1) ?? ""}`;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw error;
  }
}

export async function simulate(plan: Simulation): Promise<SimulationReport> {
  const world = realpathSync(mkdtempSync(join(tmpdir(), "queue-sim-")));
  const random = randomFrom(plan.seed);
  for (const name of ["bin", "active", "s", "state"]) mkdirSync(join(world, name), { mode: 0o700 });
  symlinkSync(STUB, join(world, "bin", "make"));
  writeFileSync(join(world, "trace"), "");
  const env = {
    ...process.env,
    PATH: `${join(world, "bin")}:${process.env["PATH"] ?? ""}`,
    XDG_STATE_HOME: join(world, "state"),
    PROCTOR_MAX_HEAVY_JOBS: String(plan.limit),
    SIM_WORLD: world,
    SIM_LIMIT: String(plan.limit),
    SIM_MS: String(plan.jobMs),
  };
  const trace = (): string[] => readFileSync(join(world, "trace"), "utf8").split("\n").filter(Boolean);
  const workers = new Set<ChildProcess>();
  const causes: Record<string, number> = {};
  let serial = 0;
  let kills = 0;
  const startWorker = (): void => {
    serial += 1;
    const count = Math.ceil((plan.jobs - trace().length) / plan.processes);
    const child = spawn(
      process.execPath,
      [WORKER, ENTRY, join(world, "s", `w${serial}`), String(Math.max(1, count)), String(plan.inFlight)],
      {
        env,
        stdio: ["ignore", "pipe", "inherit"],
      },
    );
    workers.add(child);
    child.stdout.on("data", (chunk: Buffer) => {
      for (const line of chunk.toString().split("\n").filter(Boolean)) {
        const cause = line.split(" ")[1] ?? "";
        causes[cause] = (causes[cause] ?? 0) + 1;
      }
    });
    child.on("exit", () => {
      workers.delete(child);
      if (trace().length < plan.jobs) startWorker();
    });
  };
  let nextKill = plan.killEvery;
  const killer = setInterval(() => {
    if (trace().length < nextKill) return;
    const mine = livingProcesses().filter((p) => p.command.includes(world));
    const victims = mine.filter((p) =>
      random() < 0.6
        ? p.command.startsWith("proctor-launcher")
        : p.command.includes("worker.mjs") || p.command.includes("host-main.js"),
    );
    const victim = victims[Math.floor(random() * victims.length)];
    if (victim !== undefined && killed(victim)) {
      kills += 1;
      nextKill = trace().length + Math.ceil(2 * plan.killEvery * random());
    }
  }, 25);
  try {
    for (let i = 0; i < plan.processes; i++) startWorker();
    await eventually("every job to have run", () => trace().length >= plan.jobs, 3_600_000);
    clearInterval(killer);
    await eventually("the processes to end", () => workers.size === 0, 120_000);
    // Where host, guardian and owner were all killed, the next proctor that starts cleans up.
    await eventually(
      "the sessions of the killed to be gone",
      () => {
        if (readdirSync(join(world, "state", "proctor", "registry")).length === 0) return true;
        spawnSync(process.execPath, [CLI, "sessions"], { env, stdio: "ignore" });
        return false;
      },
      60_000,
    );
    const queue = join(world, "state", "proctor", "queue");
    // A ticket of the dead that nobody has come across yet takes no slot.
    const alive = new Set(livingProcesses().map(({ pid, start }) => `${pid}:${start}`));
    const left = readdirSync(queue)
      .flatMap((name) => readdirSync(join(queue, name)).map((link) => join(queue, name, link)))
      .filter((link) => alive.has(namedIn(link)));
    const seen = trace().map((line): Seen => {
      const [, run = "", ticket = "-", active = "0", inFront = "0"] = line.split(" ");
      return { run, ticket: ticket === "-" ? null : Number(ticket), active: Number(active), inFront: Number(inFront) };
    });
    return { seen, kills, left, causes };
  } finally {
    clearInterval(killer);
    for (const worker of workers) worker.kill("SIGKILL");
    for (const p of processesOf(world)) killSeen(p);
    rmSync(world, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  }
}
