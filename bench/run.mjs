// Runs every benchmark, one after the other: `npm run bench`, or `node bench/run.mjs latency stop` for some.
import { spawnSync } from "node:child_process";
import { cpus, release, totalmem } from "node:os";
import { fileURLToPath } from "node:url";

const ALL = ["latency", "capture", "stop", "crowd", "command-line", "spawn-from-heap", "queue-wake"];
const ELSEWHERE = { "queue-wake": "queue/wake.bench.mjs" };
const wanted = process.argv.slice(2);
console.log(
  `Node ${process.version}, Linux ${release()}, ${cpus().length} × ${cpus()[0]?.model ?? "?"}, ${Math.round(totalmem() / 2 ** 30)} GiB`,
);
for (const name of wanted.length > 0 ? wanted : ALL) {
  const { status } = spawnSync(
    process.execPath,
    [fileURLToPath(new URL(ELSEWHERE[name] ?? `engine/${name}.mjs`, import.meta.url))],
    {
      stdio: "inherit",
    },
  );
  if (status !== 0) process.exitCode = 1;
}
