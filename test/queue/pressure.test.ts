/** Admission under pressure, and the events of the queue, with the pressure in the test's hands. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { QueueEvent } from "../../src/model/index.ts";
import { processTable, readPressure } from "../../src/os/index.ts";
import type { HeavyQueue, QueueTicket } from "../../src/ports/index.ts";
import { heavyQueue } from "../../src/session/heavy-queue.ts";
import { eventually } from "../session/processes.ts";

let base: string;
let samples = 0;
let pressure = { memorySome: 0, ioFull: 0 };
const queues: HeavyQueue[] = [];
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "pressure-")));
  pressure = { memorySome: 0, ioFull: 0 };
});
afterEach(() => {
  for (const queue of queues.splice(0)) queue.close();
  rmSync(base, { recursive: true, force: true });
});

const table = processTable();
function queueOf(sessionId: string, sample: () => typeof pressure | null = () => (samples++, pressure)): HeavyQueue {
  const self = table.identify(process.pid);
  if (self === null) throw new Error("this process is not in the table");
  const queue = heavyQueue({
    home: base,
    sessionId,
    self,
    table,
    limit: 3,
    keeper: () => null,
    pressure: sample,
    report: () => undefined,
  });
  queues.push(queue);
  return queue;
}
function ticketOf(queue: HeavyQueue, run: string, told: string[]): QueueTicket {
  const joined = queue.join(run, null, (event) =>
    told.push(event.kind === "moved" ? `${run} moved: ${event.paused ?? "open"}` : `${run} admitted`),
  );
  if (joined.kind !== "ticket") throw new Error(`no ticket: ${joined.kind}`);
  return joined.ticket;
}

test("pressure holds back all but one, says so, and lets go when it is over", async () => {
  const told: string[] = [];
  const queue = queueOf("sess1");
  pressure = { memorySome: 55, ioFull: 0 };
  const first = ticketOf(queue, "run1", told);
  const second = ticketOf(queue, "run2", told);
  expect([first.position, second.position === null]).toEqual([null, false]);
  pressure = { memorySome: 15, ioFull: 0 }; // below the mark that pauses, above the one that resumes
  const before = samples;
  await eventually("some more looks", () => samples > before + 3);
  expect(told).toEqual([expect.stringMatching(/^run2 moved: memory pressure is high \(\d+ % of the last 10 s\)/)]);
  pressure = { memorySome: 3, ioFull: 0 };
  await eventually("the second to be admitted", () => told.includes("run2 admitted"));
});

test("under pressure the queue does not stand still: with nothing running the first goes on", async () => {
  const told: string[] = [];
  const queue = queueOf("sess1");
  pressure = { memorySome: 0, ioFull: 90 };
  const first = ticketOf(queue, "run1", told);
  ticketOf(queue, "run2", told);
  first.leave();
  await eventually("the next to be admitted", () => told.includes("run2 admitted"));
});

test("where the system tells no pressure nothing is ever paused", () => {
  const queue = queueOf("sess1", () => readPressure(join(base, "no-such-directory")));
  expect([1, 2, 3].map((i) => ticketOf(queue, `run${i}`, []).position)).toEqual([null, null, null]);
});

test("the kernel's own format is read", () => {
  mkdirSync(join(base, "psi"));
  writeFileSync(
    join(base, "psi", "memory"),
    "some avg10=12.50 avg60=1.00 avg300=0.00 total=5\nfull avg10=3.00 avg60=0.00 avg300=0.00 total=1\n",
  );
  writeFileSync(
    join(base, "psi", "io"),
    "some avg10=60.00 avg60=1.00 avg300=0.00 total=5\nfull avg10=41.25 avg60=0.00 avg300=0.00 total=1\n",
  );
  expect(readPressure(join(base, "psi"))).toEqual({ memorySome: 12.5, ioFull: 41.25 });
});

test("whoever listens hears how many run and wait, of all sessions, and the limit", async () => {
  const events: QueueEvent[] = [];
  queueOf("watcher").onChange((event) => events.push(event));
  const queue = queueOf("sess1");
  const tickets = [1, 2, 3, 4, 5].map((i) => ticketOf(queue, `run${i}`, []));
  await eventually("three that run and two that wait", () =>
    events.some(({ running, queued }) => running === 3 && queued === 2),
  );
  expect(events.at(-1)).toEqual({ pid: process.pid, running: 3, queued: 2, limit: 3 });
  for (const ticket of tickets) ticket.leave();
  await eventually("an empty queue", () => events.at(-1)?.running === 0 && events.at(-1)?.queued === 0);
});

test("a thousand that come at once: as many as may wait do, the others are refused, and order holds", async () => {
  const told: string[] = [];
  const three = ["sess1", "sess2", "sess3"].map((id) => queueOf(id));
  const tickets: QueueTicket[] = [];
  let refused = 0;
  for (let i = 0; i < 1000; i++) {
    const queue = three[i % three.length];
    if (queue === undefined) throw new Error("no queue");
    try {
      tickets.push(ticketOf(queue, `run${i}`, told));
    } catch (error) {
      expect(error).toMatchObject({ code: "ERR_REFUSED_QUEUE_FULL" });
      refused += 1;
    }
  }
  expect([tickets.length, refused]).toEqual([131, 869]);
  for (const ticket of tickets) {
    await eventually("its turn", () => ticket.position === null);
    ticket.leave();
  }
  const order = told.filter((text) => text.endsWith("admitted")).map((text) => Number(/\d+/.exec(text)?.[0]));
  expect(order).toEqual(order.toSorted((a, b) => a - b));
});
