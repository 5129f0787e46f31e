// The command line's own cost: a cold start, one request over the socket, a long list.
import { spawn } from "node:child_process";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect } from "proctor";
import { compare, figures, median, table } from "./measure.mjs";

const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));
const base = mkdtempSync(join(tmpdir(), "bench-"));
const { NODE_EXTRA_CA_CERTS: _, ...clean } = process.env;
const env = { ...clean, HOME: base };
const node = (args) =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env, stdio: "ignore" });
    child.on("exit", () => resolve()).on("error", reject);
  });

const dir = join(base, "s");
const session = await connect({ dir });
writeFileSync(join(base, "empty.js"), "");
const rows = await compare(
  {
    "bare Node": () => node([join(base, "empty.js")]),
    "proctor --version": () => node([MAIN, "--version"]),
    "proctor list, of an empty session": () => node([MAIN, "list", "--session", dir]),
  },
  Number(process.env.BENCH_ROUNDS ?? 30),
);
table(
  "Cold start",
  rows,
  `Beyond a bare Node: ${(rows[2].medianMs - rows[0].medianMs).toFixed(0)} ms for a list (goal: 30 ms).`,
);

const times = [];
const run = await session.bash("true");
for (let i = 0; i < 500; i++) {
  const begun = performance.now();
  await session.status(run.id);
  times.push(performance.now() - begun);
}
await session.end();

// 10,000 ended runs as they lie on disk, then one host that takes them up.
const COUNT = Number(process.env.BENCH_LIST ?? 10_000);
const long = join(base, "long");
const seed = await connect({ dir: long, own: false });
const model = await seed.bash("echo one of many");
const { readFileSync } = await import("node:fs");
const record = JSON.parse(readFileSync(join(long, "runs", model.id, "run.json"), "utf8"));
const state = JSON.parse(readFileSync(join(long, "runs", model.id, "state.json"), "utf8"));
for (let i = 0; i < COUNT; i++) {
  const id = `x${String(i).padStart(6, "0")}`;
  const at = join(long, "runs", id);
  mkdirSync(at, { mode: 0o700 });
  writeFileSync(join(at, "run.json"), JSON.stringify({ ...record, id, serial: 2 + i, env: {} }), { mode: 0o600 });
  writeFileSync(join(at, "state.json"), JSON.stringify({ ...state, id, emptied: true }), { mode: 0o600 });
  writeFileSync(join(at, "output.log"), "one of many\n", { mode: 0o600 });
}
for (const name of (await import("node:fs")).readdirSync("/proc")) {
  try {
    const argv = readFileSync(`/proc/${name}/cmdline`, "latin1").split("\0");
    if (argv[1]?.endsWith("host-main.js") && argv[2] === seed.dir) process.kill(Number(name), "SIGKILL");
  } catch {
    // Not a process of ours.
  }
}
const upBegun = performance.now();
const again = await connect({ dir: long, own: false });
const first = await again.list();
const up = performance.now() - upBegun;
const lists = [];
for (let i = 0; i < 9; i++) {
  const begun = performance.now();
  await again.list();
  lists.push(performance.now() - begun);
}
figures("Requests", [
  ["one request over the socket, median of 500", `${median(times).toFixed(2)} ms`, "1 ms"],
  [`list with ${first.length.toLocaleString("en-US")} ended runs`, `${median(lists).toFixed(0)} ms`, "50 ms"],
  ["a new host that takes them up, first list included", `${(up / 1000).toFixed(1)} s`, ""],
]);
await again.end();
rmSync(base, { recursive: true, force: true });
