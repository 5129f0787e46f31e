// Time and memory of the excerpt: a mixed log of 1 GiB against `grep -cE` of the same stems and `tail`, ordinary
// logs under 1 MB, and near-matches made to be slow. Needs `npm run build`.
//
//   node bench/excerpt.bench.mjs [--mib 1024]
import { execFileSync, spawnSync } from "node:child_process";
import {
  closeSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  rmSync,
  writeFileSync,
  writeSync,
  existsSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { excerpt, excerptOfBytes, FAILURE_LIMITS } from "../dist/excerpt/index.js";
import { STEMS } from "../dist/excerpt/stems.js";
import { compilePatterns } from "../dist/text/index.js";

const REQUEST = { exitCode: 1, command: null, limits: FAILURE_LIMITS, headRatio: 0.2 };

// What a user might look for; none of them holds a word of a failure.
const USERS = ["ORA-\\d{5}", "payment (refused|denied) by \\w+", "^quux \\d+$"];

if (process.argv[2] === "--measure") {
  await measure(process.argv[3], process.argv[4] === "--users");
  process.exit(0);
}
if (process.argv[2] === "--first") {
  const bytes = readFileSync(process.argv[3]);
  const ms = timed(() => excerptOfBytes(bytes, REQUEST)).ms;
  console.log(JSON.stringify({ ms }));
  process.exit(0);
}

async function measure(path, withUsers) {
  const { patterns } = withUsers ? await compilePatterns(USERS) : { patterns: null };
  const request = patterns === null ? REQUEST : { ...REQUEST, errorPatterns: [patterns] };
  const source = fileSource(openSync(path, "r"));
  await excerpt({ size: async () => 6, read: async () => Buffer.from("error\n") }, request);
  const before = process.memoryUsage.rss();
  let peak = before;
  const watched = {
    size: source.size,
    read: (at, length) => ((peak = Math.max(peak, process.memoryUsage.rss())), source.read(at, length)),
  };
  const from = process.cpuUsage();
  const { totalLines } = await excerpt(watched, request);
  const { user, system } = process.cpuUsage(from);
  const ms = (user + system) / 1000;
  console.log(JSON.stringify({ ms, before, peak: Math.max(peak, process.memoryUsage.rss()), seen: { totalLines } }));
}

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const mib = Number(process.argv[process.argv.indexOf("--mib") + 1]) || 1024;
const logs = ["shared", "own"].flatMap((set) =>
  readdirSync(join(root, "test/corpus", set)).map((id) => {
    const plain = join(root, "test/corpus", set, id, "log.txt");
    return { id, bytes: existsSync(plain) ? readFileSync(plain) : gunzipSync(readFileSync(`${plain}.gz`)) };
  }),
);

function fileSource(fd) {
  const buffer = Buffer.allocUnsafe(1 << 20);
  return {
    size: async () => fstatSync(fd).size,
    read: async (at, length) => buffer.subarray(0, readSync(fd, buffer, 0, Math.min(length, buffer.length), at)),
  };
}

// The processor's time, so that what else the machine does counts less.
function timed(work) {
  const from = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(from);
  return { ms: (user + system) / 1000, result };
}

// The processor's seconds of a command: what else the machine does does not count. Its output goes to a
// pipe, since grep stops at the first match where it goes to /dev/null.
function cpuSeconds(command) {
  const { stdout } = spawnSync("bash", ["-c", `: "$(${command})"; times`], {
    env: { ...process.env, LC_ALL: "C" },
    encoding: "utf8",
  });
  return [...(stdout.split("\n")[1] ?? "").matchAll(/(\d+)m([\d.]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds),
    0,
  );
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}

// As in a host that gave excerpts of all sorts of logs before: all of them in turn, the first rounds not counted.
const WARM = 3;
const ROUNDS = 15;
const small = logs.filter((log) => log.bytes.length < 1_048_576);
const times = small.map(() => []);
for (let round = 0; round < WARM + ROUNDS; round++) {
  for (const [i, { bytes }] of small.entries()) {
    const { ms } = timed(() => excerptOfBytes(bytes, REQUEST));
    if (round >= WARM) times[i].push(ms);
  }
}
const ordinary = small.map(({ id, bytes }, i) => ({ id, bytes, ms: median(times[i]) })).toSorted((a, b) => b.ms - a.ms);
console.log(`ordinary logs: processor time, median of ${ROUNDS} rounds over all of them, warm; the slowest`);
for (const { id, bytes, ms } of ordinary.slice(0, 6))
  console.log(`  ${id.padEnd(32)} ${(bytes.length / 1024).toFixed(0).padStart(6)} KiB ${ms.toFixed(1).padStart(7)} ms`);
console.log(
  `  ${ordinary.length} logs under 1 MiB: median ${median(ordinary.map(({ ms }) => ms)).toFixed(1)} ms, ${ordinary.filter(({ ms }) => ms > 10).length} above 10 ms`,
);

// Nothing is compiled yet in a process that was just started: what `proctor excerpt` and a first answer cost.
for (const id of ["mypy-click", "eslint-hono-warnings", "enospc-tar"]) {
  const one = logs.find((log) => log.id === id);
  const at = mkdtempSync(join(tmpdir(), "proctor-bench-"));
  writeFileSync(join(at, "log"), one.bytes);
  const first = median(
    Array.from(
      { length: 5 },
      () =>
        JSON.parse(
          execFileSync(process.execPath, [fileURLToPath(import.meta.url), "--first", join(at, "log")], {
            encoding: "utf8",
          }),
        ).ms,
    ),
  );
  rmSync(at, { recursive: true });
  console.log(
    `  ${id.padEnd(32)} ${(one.bytes.length / 1024).toFixed(0).padStart(6)} KiB ${first.toFixed(1).padStart(7)} ms in a fresh process`,
  );
}

console.log("near-matches, 4 and 8 MiB: the time may double, not more");
const shapes = {
  "error:error:error:": "error:",
  "a/a/a/a/": "a/",
  "at at at (": "at (",
  "((((((": "(",
  "1:1:1:1:": "1:",
  spaces: " ",
  "E E E E": "E ",
  quotes: "'\"`",
  words: "failed to ",
  "[a-a-a-": "[a-",
  "lines of err": "err a/b:1: \n",
  "lines of 1)": "1) x\n",
  frames: "    at f (/a/b.js:1:2)\n",
};
for (const [name, piece] of Object.entries(shapes)) {
  const make = (size) => Buffer.from(piece.repeat(Math.ceil(size / piece.length)));
  const [four, eight] = [4, 8].map((n) => timed(() => excerptOfBytes(make((n << 20) - 4096), REQUEST)).ms);
  console.log(`  ${name.padEnd(32)} ${four.toFixed(0).padStart(7)} ms ${eight.toFixed(0).padStart(7)} ms`);
}

const dir = mkdtempSync(join(tmpdir(), "proctor-bench-"));
try {
  const path = join(dir, "mixed.log");
  const fd = openSync(path, "w");
  const mixed = Buffer.concat(logs.map((log) => log.bytes));
  for (let written = 0, round = 0; written < mib << 20; round++) {
    // Every round says its number, so that no two rounds are the same bytes.
    written += writeSync(fd, Buffer.concat([Buffer.from(`round ${round}\n`), mixed]));
  }
  closeSync(fd);
  spawnSync("sh", ["-c", `cat '${path}' > /dev/null`]);
  const pattern = STEMS.filter((stem) => /^[\w ]+$/.test(stem))
    .map((stem) => stem.replaceAll("0", "[0-9]"))
    .join("|");
  const tail = cpuSeconds(`tail -n 100 '${path}'`) * 1000;
  for (const withUsers of [false, true]) {
    const searched = withUsers ? [pattern, ...USERS.map((one) => one.replaceAll("\\d", "[0-9]"))].join("|") : pattern;
    const grep = cpuSeconds(`grep -ciaE '${searched}' '${path}'`) * 1000;
    // A process of its own: this one has read the corpus.
    const args = [fileURLToPath(import.meta.url), "--measure", path, ...(withUsers ? ["--users"] : [])];
    const { ms, before, peak, seen } = JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
    console.log(
      `${mib} MiB of mixed logs, ${seen.totalLines} lines${withUsers ? `, and ${USERS.length} patterns of the user's` : ""}`,
    );
    console.log(
      `  processor time: excerpt ${(ms / 1000).toFixed(2)} s, grep -ciE ${(grep / 1000).toFixed(2)} s, ratio ${(ms / grep).toFixed(2)}, tail ${tail.toFixed(0)} ms`,
    );
    console.log(
      `  memory: ${((peak - before) / 1048576).toFixed(0)} MiB beyond the process's ${(before / 1048576).toFixed(0)} MiB`,
    );
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}
