// From the call to the answer, against Node's own spawn of the same shell and against execa.
import { spawn } from "node:child_process";
import { execa } from "execa";
import { connect } from "proctor";
import { compare, table } from "./measure.mjs";

const host = await connect();
const embedded = await connect({ embedded: true });
const bare = (command) =>
  new Promise((resolve, reject) => {
    let out = "";
    const child = spawn("bash", ["-c", command], { stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.on("data", (data) => (out += data));
    child.on("error", reject);
    child.on("close", () => resolve());
  });
const each = (command, times) => ({
  "Node spawn of bash": () => Promise.all(Array.from({ length: times }, () => bare(command))).then(() => undefined),
  execa: () =>
    Promise.all(Array.from({ length: times }, () => execa("bash", ["-c", command], { stdin: "ignore" }))).then(
      () => undefined,
    ),
  "proctor, embedded": () =>
    Promise.all(Array.from({ length: times }, () => embedded.bash(command))).then(() => undefined),
  "proctor, session host": () =>
    Promise.all(Array.from({ length: times }, () => host.bash(command))).then(() => undefined),
});
const rounds = Number(process.env.BENCH_ROUNDS ?? 40);
table("One `true` after the other", await compare(each("true", 1), rounds));
table("One `echo hi` after the other", await compare(each("echo hi", 1), rounds));
// Between two bursts proctor makes directories for as many runs again, in this process or in the host.
const rest = { restMs: 250 };
const note = "With a rest of 250 ms between two bursts.";
table("16 `echo hi` at once", await compare(each("echo hi", 16), Math.ceil(rounds / 2), rest), note);
table("64 `echo hi` at once", await compare(each("echo hi", 64), Math.ceil(rounds / 4), rest), note);
await host.end();
await embedded.end();
