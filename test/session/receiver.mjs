/**
 * Receives completions into a journal, and dies where it is told to. Usage: receiver.mjs ENTRY DIR JOURNAL
 * before-admit|after-admit|after-acknowledge|never.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";

const [entry, dir, journal, dieAt] = process.argv.slice(2);
const { connect } = await import(entry);
const admitted = existsSync(journal) ? readFileSync(journal, "utf8").split("\n").filter(Boolean) : [];
const session = await connect({ dir, own: false });
const die = (step) => {
  if (dieAt === step) process.kill(process.pid, "SIGKILL");
};

session.onChange((event) => {
  if (event.kind === "acknowledged") die("after-acknowledge");
});
const stop = session.onCompletions(
  (runs) => {
    die("before-admit");
    appendFileSync(journal, runs.map(({ id }) => `${id}\n`).join(""));
    die("after-admit");
  },
  { admitted },
);
while ((await session.openWork()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
stop();
process.exit(0);
