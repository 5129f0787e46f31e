// A tree of 150 processes with escapees and one that ignores SIGTERM: how long until all are gone, verified.
import { connect } from "proctor";
import { figures, median } from "./measure.mjs";

const GRACE_MS = 500;
const session = await connect();
const script = `
for i in $(seq 36); do sleep 600 & (setsid sleep 600 &); (env -i setsid sleep 600 &); bash -c 'sleep 600; :' & done
trap '' TERM; echo up; while :; do sleep 0.2; done`;
const over = [];
for (let i = 0; i < Number(process.env.BENCH_ROUNDS ?? 5); i++) {
  const run = await session.bash(script, { background: true });
  await session.wait(run.id, { match: "^up$", timeoutMs: 30_000 });
  const begun = performance.now();
  const report = await session.stop(run.id, { graceMs: GRACE_MS });
  over.push(performance.now() - begun - GRACE_MS);
  if (!report.confirmed || report.survivors.length > 0) throw new Error("not complete");
}
figures("Stop of a tree of about 180 processes, a third of them without session, group or environment in common", [
  ["time beyond the grace period, median", `${median(over).toFixed(0)} ms`, "150 ms"],
  ["worst", `${Math.max(...over).toFixed(0)} ms`, ""],
]);
await session.end();
