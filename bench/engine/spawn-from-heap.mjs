// Why the host is its own small process: what a spawn costs inside a process with a large heap.
import { spawn } from "node:child_process";
import { connect } from "proctor";
import { compare, table } from "./measure.mjs";

const session = await connect();
const ballast = [];
for (let i = 0; i < 24; i++) ballast.push(Buffer.alloc(64 << 20, 1));
const bare = () =>
  new Promise((resolve, reject) => {
    const child = spawn("bash", ["-c", "true"], { stdio: ["ignore", "pipe", "pipe"] });
    child.on("close", () => resolve()).on("error", reject);
  });
table(
  `From a process with ${((ballast.length * 64) / 1024).toFixed(1)} GiB in memory`,
  await compare(
    { "through the session host": () => session.bash("true").then(() => undefined), "spawned in the process": bare },
    Number(process.env.BENCH_ROUNDS ?? 20),
  ),
);
await session.end();
