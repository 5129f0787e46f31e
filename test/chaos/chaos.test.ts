/**
 * Random runs, random deaths: whoever is killed, no process is left, no run is without an end on record,
 * and each log holds what was printed, or says that it does not. Seeded: PROCTOR_CHAOS_SEED repeats a
 * failing order, PROCTOR_CHAOS_SECONDS sets how long it goes on.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect } from "proctor";
import type { RunView } from "proctor";
import { expect, test } from "vitest";
import { isRoot } from "../privilege.ts";
import { eventually, killSeen, livingProcesses, processesOf } from "../session/processes.ts";
import type { SeenProcess } from "../session/processes.ts";

const SECONDS = Number(process.env["PROCTOR_CHAOS_SECONDS"] ?? (process.env["CI"] === undefined ? "20" : "60"));
const SEED = Number(process.env["PROCTOR_CHAOS_SEED"] ?? Date.now() % 1_000_000);
const ENTRY = new URL("../../dist/index.js", import.meta.url).href;
const OWNER = fileURLToPath(new URL("owner.mjs", import.meta.url));

// Without a control group, which root has, nothing but its environment tells whose it is once the launcher is gone.
const ESCAPE = isRoot ? "env -i setsid" : "setsid";

/** A small seeded generator (mulberry32). */
function randomFrom(seed: number): () => number {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) >>> 0;
    let t = Math.imul(a ^ (a >>> 15), a | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

interface Planned {
  readonly commands: string[];
  /** What the last stage prints, when it is left alone. */
  readonly output: string;
  readonly exitCode: number;
  /** The last stage has a terminal, which makes a carriage return and a newline of each newline. */
  readonly interactive?: boolean;
}

const lines = (from: number, to: number): string =>
  Array.from({ length: to - from + 1 }, (_, i) => `${from + i}\n`).join("");

function plan(random: () => number, mark: string): Planned {
  const n = 1 + Math.floor(random() * 3000);
  const code = Math.floor(random() * 5);
  const pause = (random() * 1.2).toFixed(2);
  const long = (Number(pause) + 0.8).toFixed(2); // for a pane to be there
  const typed = { output: lines(1, n).replaceAll("\n", "\r\n"), exitCode: code, interactive: true };
  switch (Math.floor(random() * 7)) {
    case 0:
      return { commands: [`seq 1 ${n}; exit ${code}`], output: lines(1, n), exitCode: code };
    case 1:
      return {
        commands: [`seq 1 ${n}; sleep ${pause}; seq 1 ${n}; exit ${code}`],
        output: lines(1, n) + lines(1, n),
        exitCode: code,
      };
    case 2:
      return {
        commands: [`(setsid sleep ${mark} &) ; seq 1 ${n}; sleep ${pause}; exit ${code}`],
        output: lines(1, n),
        exitCode: code,
      };
    case 3:
      return {
        commands: [`(${ESCAPE} sleep ${mark} &) ; trap '' TERM; seq 1 ${n}; sleep ${pause}; exit ${code}`],
        output: lines(1, n),
        exitCode: code,
      };
    case 4:
      return { commands: [`seq 1 ${n}; sleep ${long}; exit ${code}`], ...typed };
    case 5:
      return {
        commands: [
          "true",
          `(setsid sleep ${mark} < /dev/null &) ; trap '' TERM HUP; seq 1 ${n}; sleep ${long}; exit ${code}`,
        ],
        ...typed,
      };
    default:
      return {
        commands: [`seq 1 10; sleep ${pause}`, `seq 1 ${n}; exit ${code}`],
        output: lines(1, n),
        exitCode: code,
      };
  }
}

/** The processes of a session, by what they are. */
function cast(
  dir: string,
): Record<"host" | "guardian" | "nursery" | "launchers" | "scribes" | "multiplexer", SeenProcess[]> {
  const all = livingProcesses().filter((p) => p.command.includes(dir));
  const ours = all.filter((p) => p.command.startsWith("proctor-launcher"));
  const nursery = all.filter((p) => p.command.startsWith("proctor-nursery"));
  return {
    host: all.filter((p) => p.command.includes("host-main.js") && !p.command.includes("guardian.sh")),
    guardian: all.filter((p) => p.command.includes("guardian.sh")),
    // Not a launcher that was just forked and still has its name: who kills that one loses a run.
    nursery: nursery.filter((p) => !nursery.some((q) => q.pid === p.ppid)),
    // The session's own, if an interactive run lives long enough for a pane.
    multiplexer: all.filter((p) => /^(\S*\/)?tmux .*\.panes -f /.test(p.command)),
    launchers: ours.filter((p) => !ours.some((q) => q.pid === p.ppid)),
    // Only where something is in the log already: before that the other child may be the command, on its way to exec.
    scribes: ours.filter(
      (p) => ours.some((q) => q.pid === p.ppid) && sizeOf(join(p.command.split(" ")[1] ?? "", "output.log")) > 0,
    ),
  };
}

async function nothingLeft(story: string, dir: string, mark: string): Promise<void> {
  try {
    await eventually("no process left", () => processesOf(dir, mark).length === 0, 5000);
  } catch (error) {
    throw new Error(
      `${story}: left: ${processesOf(dir, mark)
        .map((p) => `${p.pid} [${p.state}] ${p.command}`)
        .join("; ")}`,
      { cause: error },
    );
  }
}

function sizeOf(path: string): number {
  return existsSync(path) ? statSync(path).size : 0;
}

const VICTIMS = [
  "nobody",
  "owner",
  "host",
  "guardian",
  "nursery",
  "launcher",
  "scribe",
  "multiplexer",
  "host and guardian",
  "host and owner",
] as const;

async function round(seed: number): Promise<string> {
  const random = randomFrom(seed);
  const base = mkdtempSync(join(tmpdir(), "chaos-"));
  const dir = join(base, "s");
  const mark = `${300 + Math.floor(random() * 60)}.${String(Math.floor(random() * 1e9)).padStart(9, "0")}`;
  const plans = Array.from({ length: 1 + Math.floor(random() * 6) }, () => plan(random, mark));
  const config = join(base, "owner.json");
  writeFileSync(
    config,
    JSON.stringify({
      entry: ENTRY,
      dir,
      plans: plans.map((p) => ({ commands: p.commands, interactive: p.interactive ?? false })),
    }),
  );
  const owner = spawn(process.execPath, [OWNER, config], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, HOME: base },
  });
  const gone = new Promise<void>((resolve) => owner.on("exit", () => resolve()));
  let text = "";
  owner.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const victim = VICTIMS[Math.floor(random() * VICTIMS.length)] ?? "nobody";
  const story = `seed ${seed}, ${victim} killed, ${plans.length} runs, mark ${mark}`;
  const early = random() < 0.3;
  try {
    const needsRuns = victim === "launcher" || victim === "scribe" || victim === "nursery" || victim === "multiplexer";
    if (early && !needsRuns) await eventually(`${story}: a host`, () => cast(dir).host.length > 0);
    else await eventually(`${story}: the runs`, () => text.includes("\n"));
    // Where no interactive run lives long enough for a pane, there is nobody to kill.
    if (victim === "multiplexer")
      await eventually("a pane", () => cast(dir).multiplexer.length > 0, 2000).catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, random() * 400));
    const { host, guardian, nursery, launchers, scribes, multiplexer } = cast(dir);
    const targets: SeenProcess[] = [];
    if (victim.includes("guardian")) targets.push(...guardian);
    if (victim.includes("host")) targets.push(...host);
    if (victim === "nursery") targets.push(...nursery);
    if (victim === "multiplexer") targets.push(...multiplexer);
    if (victim === "scribe") targets.push(...scribes.slice(0, 1));
    if (victim === "launcher") targets.push(...launchers.slice(0, 1));
    if (victim.includes("owner")) targets.push(...livingProcesses().filter((p) => p.pid === owner.pid));
    let hit = 0;
    for (const target of targets) if (killSeen(target)) hit++;

    if (victim.includes("owner")) {
      try {
        await eventually(`${story}: the directory to be removed`, () => !existsSync(dir), 15_000);
      } catch (error) {
        throw new Error(
          `${String(error)}: ${processesOf(dir, mark)
            .map((p) => `${p.pid} [${p.state}] ${p.command}`)
            .join("; ")}`,
          { cause: error },
        );
      }
      await nothingLeft(story, dir, mark);
      return story;
    }
    await eventually(`${story}: all runs to be started`, () => text.includes("\n"));
    const { ids } = JSON.parse(text.split("\n")[0] ?? "{}") as { ids: string[] };
    const viewer = await connect({ dir, own: false });
    let lost = 0;
    for (const [i, id] of ids.entries()) {
      const planned = plans[i];
      if (planned === undefined) throw new Error("no plan");
      const { run } = await viewer.wait(id, { timeoutMs: 30_000 });
      expect(run.state, `${story}: state of ${run.command}`).toBe("ended");
      const shown: RunView = run.stages?.at(-1) ?? run;
      const log = existsSync(shown.log.path) ? readFileSync(shown.log.path, "latin1") : "";
      const hadScribe =
        victim === "scribe" && shown.log.path.startsWith(`${targets[0]?.command.split(" ")[1] ?? "none"}/`);
      if (hadScribe && hit > 0) {
        // What could not be written is not claimed: a true prefix, and the run says so. The command may have died of
        // the closed pipe (SIGPIPE), or of its terminal's end (SIGHUP), so its exit is its own affair.
        expect(planned.output.startsWith(log), `${story}: a prefix of ${run.command}`).toBe(true);
        if (log !== planned.output) expect(shown.notes.join(" "), story).toContain("incomplete");
      } else if (victim === "multiplexer" && hit > 0 && shown.cause === "stopped") {
        // The person's window is gone, and what it showed with it.
        expect([shown.interactive, shown.message], story).toEqual([
          true,
          expect.stringContaining("server that carried this run's pane was killed"),
        ]);
        expect(planned.output.startsWith(log), `${story}: a prefix of ${run.command}`).toBe(true);
      } else if (run.cause === "completed") {
        expect(run.exitCode, `${story}: exit code of ${run.command}`).toBe(planned.exitCode);
        expect(
          log === planned.output,
          `${story}: log of ${run.command}, ${log.length} bytes of ${planned.output.length}`,
        ).toBe(true);
      } else {
        // A launcher was killed: how its command ended is not known, and nobody pretends otherwise.
        expect(run.cause, `${story}: cause of ${run.command}: ${run.message}`).toBe("lost");
        expect(run.exitCode, story).toBeNull();
        lost++;
      }
    }
    expect(lost, `${story}: lost runs`).toBeLessThanOrEqual(victim === "launcher" ? hit : 0);
    owner.kill("SIGTERM");
    await gone;
    await eventually(`${story}: the directory to be removed after the owner's end`, () => !existsSync(dir), 15_000);
    await nothingLeft(story, dir, mark);
    return story;
  } catch (error) {
    const hostLog = join(dir, "host.log");
    throw new Error(
      `${story}: ${String(error)}; the host's log: ${existsSync(hostLog) ? readFileSync(hostLog, "utf8") : "none"}; in the directory: ${existsSync(dir) ? readdirSync(dir).join(", ") : "nothing"}`,
      { cause: error },
    );
  } finally {
    owner.kill("SIGKILL");
    for (const left of processesOf(dir, mark)) killSeen(left);
    rmSync(base, { recursive: true, force: true });
  }
}

test("whoever is killed, nothing is lost and nothing is left", { timeout: SECONDS * 1000 + 120_000 }, async () => {
  const until = Date.now() + SECONDS * 1000;
  let rounds = 0;
  for (let seed = SEED; Date.now() < until; seed++) {
    await round(seed);
    rounds++;
  }
  console.log(`${rounds} rounds from seed ${SEED}`);
  expect(rounds).toBeGreaterThan(0);
});
