// 500 runs in the background at once: what they cost the host while nothing happens, and that all ends are known.
import { readFileSync, readdirSync } from "node:fs";
import { connect } from "proctor";
import { figures } from "./measure.mjs";

const COUNT = Number(process.env.BENCH_RUNS ?? 500);
const session = await connect();
const pid = readdirSync("/proc").find((name) => {
  try {
    const argv = readFileSync(`/proc/${name}/cmdline`, "latin1").split("\0");
    return argv[1]?.endsWith("host-main.js") && argv[2] === session.dir;
  } catch {
    return false;
  }
});
const cpuMs = () => {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
};
const begun = performance.now();
const runs = await Promise.all(
  Array.from({ length: COUNT }, (_, i) => session.bash(`sleep 3600 & wait $!; exit ${i % 7}`, { background: true })),
);
const started = performance.now() - begun;
await new Promise((resolve) => setTimeout(resolve, 2000));
const before = cpuMs();
const IDLE_MS = 10_000;
await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
const idle = (cpuMs() - before) / IDLE_MS;
const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "latin1"))[1]) / 1024;
const stopBegun = performance.now();
const reports = await session.stopAll({ graceMs: 5000 });
const known = (await session.list()).filter((r) => r.state === "ended").length;
figures(`${COUNT} runs in the background at once`, [
  ["start of all", `${(started / 1000).toFixed(1)} s`, ""],
  ["memory of the host", `${rss.toFixed(0)} MiB`, "120 MiB"],
  ["CPU of the host while nothing happens", `${(idle * 100).toFixed(2)} % of a core`, "1 %"],
  ["stop of all", `${((performance.now() - stopBegun) / 1000).toFixed(1)} s`, ""],
  ["ends known", `${known} of ${runs.length}, ${reports.filter((r) => r.confirmed).length} confirmed empty`, "all"],
]);
await session.end();
