/**
 * From a free slot to the next start: one slot, one session that runs a command and one whose commands wait.
 * The end is the wall-clock instant in the launcher's status line of the first, the start that of the second.
 *
 *   npm run build && node bench/queue/wake.bench.mjs [ROUNDS]
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const rounds = Number(process.argv[2] ?? 40);
const base = mkdtempSync(join(tmpdir(), "queue-bench-"));
process.env.XDG_STATE_HOME = join(base, "state");
process.env.PROCTOR_MAX_HEAVY_JOBS = "1";
mkdirSync(join(base, "bin"));
writeFileSync(join(base, "bin", "make"), "#!/bin/sh\nexec sleep 0.3\n", { mode: 0o755 });
const env = { PATH: `${join(base, "bin")}:${process.env.PATH}` };

const { connect } = await import("../../dist/index.js");
const sessions = [await connect({ dir: join(base, "a") }), await connect({ dir: join(base, "b") })];
const at = (run, word) => {
  const line = readFileSync(join(dirname(run.log.path), "status"), "latin1")
    .split("\n")
    .find((one) => one.startsWith(`${word} `));
  return Number(line.split(" ").at(-1));
};

const gaps = [];
let before = null;
const pending = [];
for (let i = 0; i < rounds; i++) {
  pending.push([sessions[i % 2], await sessions[i % 2].bash("make", { background: true, env, watch: false })]);
  if (pending.length < 3) continue;
  const [session, run] = pending.shift();
  const { run: ended } = await session.wait(run.id);
  if (before !== null) gaps.push(at(ended, "command") - at(before, "exit"));
  before = ended;
}
await Promise.all(sessions.map((session) => session.end()));
rmSync(base, { recursive: true, force: true });
gaps.sort((a, b) => a - b);
const percentile = (p) => gaps[Math.min(gaps.length - 1, Math.floor(gaps.length * p))];
process.stdout.write(
  `${gaps.length} hand-overs between two sessions: median ${percentile(0.5)} ms, 90 % ${percentile(0.9)} ms, most ${gaps.at(-1)} ms\n`,
);
