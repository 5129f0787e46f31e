/**
 * A session inside a run: opens the launch service and does as it is told, one JSON line in, one out.
 * Usage: launch-child.mjs DIST DIR IN OUT (IN and OUT are named pipes).
 */
import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";

// One that is asked to end takes its time.
if (process.env["LAUNCH_CHILD_STAYS"] !== undefined) process.on("SIGTERM", () => undefined);
const [dist, dir, input, output] = process.argv.slice(2);
const { connect } = await import(`${dist}/index.js`);
const { openLauncher } = await import(`${dist}/session/launch.js`);
const out = createWriteStream(output);
const session = await connect({ dir });
const launcher = await openLauncher({ session });
const events = [];
let onItsWay = Promise.resolve();
out.write(`${JSON.stringify({ hasOwner: launcher.forOwner !== undefined, id: session.id })}\n`);

const act = {
  start: (where, request) => where.start(request),
  // Two steps, so that something may happen while a start is on its way.
  begin(where, request) {
    onItsWay = where.start(request);
    onItsWay.catch(() => undefined);
  },
  outcome: () => onItsWay,
  list: (where) => where.list(),
  stop: (where, id) => where.stop(id, { graceMs: 0 }),
  get: (where, id) => where.get(id),
  logs: (where, id) => where.logs(id),
  follow: (where) => void where.onChange((event) => events.push([event.kind, event.run.id])),
  events: () => events,
  release: () => launcher.release(),
  bash: (_, command) => session.bash(command, { background: true }),
  openWork: () => session.openWork(),
};
for await (const line of createInterface({ input: createReadStream(input) })) {
  const { where, what, argument } = JSON.parse(line);
  try {
    const target = where === "owner" ? launcher.forOwner() : launcher;
    out.write(`${JSON.stringify({ answer: (await act[what](target, argument)) ?? null })}\n`);
  } catch (error) {
    out.write(`${JSON.stringify({ error: { code: error.code, message: error.message } })}\n`);
  }
}
await session.end();
