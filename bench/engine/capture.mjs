// One gibibyte of output into a file, by five ways; what it costs the host.
import { spawn } from "node:child_process";
import { createWriteStream, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { execa } from "execa";
import { connect } from "proctor";
import { compare, figures, median, table } from "./measure.mjs";

const BYTES = Number(process.env.BENCH_BYTES ?? 2 ** 30);
const base = mkdtempSync(join(tmpdir(), "bench-"));
const target = join(base, "out");
const source = `head -c ${BYTES} /dev/zero`;
const done = (child) => new Promise((resolve, reject) => child.on("close", resolve).on("error", reject));
const session = await connect({ dir: join(base, "s") });

function hostUsage() {
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const argv = readFileSync(`/proc/${name}/cmdline`, "latin1").split("\0");
      if (!argv[1]?.endsWith("host-main.js") || argv[2] !== session.dir) continue;
      const fields = readFileSync(`/proc/${name}/stat`, "latin1").split(") ")[1].split(" ");
      const rss = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${name}/status`, "latin1"))[1]);
      return { cpuMs: (Number(fields[11]) + Number(fields[12])) * 10, rssKiB: rss };
    } catch {
      // Gone between the listing and the look.
    }
  }
  return null;
}

/** The time of one way; the file of the one before is gone first, since truncating a gibibyte takes time as well. */
async function timed(run) {
  rmSync(target, { force: true });
  const begun = performance.now();
  await run();
  return performance.now() - begun;
}

const alone = [];
const cost = { cpuMs: 0, growthKiB: 0, runs: 0 };
const rows = await compare(
  {
    "shell, > file": () => timed(() => done(spawn("bash", ["-c", `${source} > ${target}`], { stdio: "ignore" }))),
    "shell, | cat > file": () =>
      timed(() => done(spawn("bash", ["-c", `${source} | cat > ${target}`], { stdio: "ignore" }))),
    "proctor, session host": async () => {
      const before = hostUsage();
      const begun = performance.now();
      const started = await session.bash(source, { background: true });
      const { run } = await session.wait(started.id);
      const spent = performance.now() - begun;
      const after = hostUsage();
      if (run.log.bytes !== BYTES) throw new Error(`${run.log.bytes} bytes`);
      cost.cpuMs += after.cpuMs - before.cpuMs;
      cost.growthKiB = Math.max(cost.growthKiB, after.rssKiB - before.rssKiB);
      cost.runs++;
      alone.push(run.durationMs);
      rmSync(run.log.path);
      return spent;
    },
    "Node pipe to file": () =>
      timed(() => {
        const child = spawn("bash", ["-c", source], { stdio: ["ignore", "pipe", "ignore"] });
        return pipeline(child.stdout, createWriteStream(target));
      }),
    "execa to file": () =>
      timed(() => execa("bash", ["-c", source], { stdin: "ignore", stdout: { file: target }, buffer: false })),
  },
  Number(process.env.BENCH_ROUNDS ?? 5),
  { warmup: 1 },
);
table(
  `Capture of ${BYTES / 2 ** 20} MiB`,
  rows,
  "proctor's time includes counting the lines of the log (wc -l), which the answer holds.",
);
const ms = Object.fromEntries(rows.map((r) => [r.name, r.medianMs]));
figures("Capture, as ratios of speed", [
  [
    "the command alone, to its exit, against `| cat > file`",
    (ms["shell, | cat > file"] / median(alone)).toFixed(2),
    "1.0",
  ],
  [
    "the whole call against `| cat > file`",
    (ms["shell, | cat > file"] / ms["proctor, session host"]).toFixed(2),
    "1.0",
  ],
  ["against the shell's `> file`", (ms["shell, > file"] / ms["proctor, session host"]).toFixed(2), "0.35"],
  ["against execa", (ms["execa to file"] / ms["proctor, session host"]).toFixed(2), "2.0"],
  ["CPU of the host for each GiB", `${((cost.cpuMs / cost.runs) * (2 ** 30 / BYTES)).toFixed(0)} ms`, "200 ms"],
  ["growth of the host's memory", `${(cost.growthKiB / 1024).toFixed(1)} MiB`, "5 MiB"],
]);
await session.end();
rmSync(base, { recursive: true, force: true });
