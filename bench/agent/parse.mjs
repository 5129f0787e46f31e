// How fast a transcript becomes events: `node bench/agent/parse.mjs [MiB]`. The file is followed, parsed and
// handed to a handler as in a run; memory is looked at all the time.
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EventQueue } from "../../dist/agent/event-queue.js";
import { followFile } from "../../dist/agent/file-follower.js";
import { ProviderStream, providerNamed } from "../../dist/providers/index.js";

const MIB = 1024 ** 2;
const wantedMib = Number(process.argv[2] ?? 1024);

/** One turn of a plausible transcript: a tool call, its result of some kilobytes, a text. */
function turn(i) {
  const text =
    "The quick brown fox jumps over the lazy dog; line after line of a build's output, with \\ and \" in it.\n".repeat(
      60,
    );
  return [
    {
      type: "assistant",
      session_id: "s",
      message: {
        id: `m${i}`,
        role: "assistant",
        content: [{ type: "tool_use", id: `t${i}`, name: "Bash", input: { command: "npm test" } }],
      },
    },
    {
      type: "user",
      session_id: "s",
      message: {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: `t${i}`, content: text, is_error: false }],
      },
    },
    {
      type: "assistant",
      session_id: "s",
      message: { id: `n${i}`, role: "assistant", content: [{ type: "text", text: text.slice(0, 800) }] },
    },
  ];
}

const dir = mkdtempSync(join(tmpdir(), "proctor-bench-"));
const path = join(dir, "transcript.jsonl");
const block = Buffer.from(
  Array.from({ length: 100 }, (_, i) =>
    turn(i)
      .map((o) => `${JSON.stringify(o)}\n`)
      .join(""),
  ).join(""),
);
const fd = openSync(path, "w");
let bytes = 0;
while (bytes < wantedMib * MIB) bytes += writeSync(fd, block);
closeSync(fd);

try {
  for (const provider of ["lines", "claude"]) {
    const stream = new ProviderStream(providerNamed(provider).parser());
    let events = 0;
    let rss = 0;
    const queue = new EventQueue(
      () => void (events += 1),
      {},
      () => undefined,
    );
    global.gc?.();
    const before = process.memoryUsage().rss;
    const look = setInterval(() => (rss = Math.max(rss, process.memoryUsage().rss)), 50);
    const began = performance.now();
    const cpu = process.cpuUsage();
    for await (const chunk of followFile(path, Promise.resolve())) {
      for (const event of stream.push(chunk)) {
        const pending = queue.send({ kind: "provider.event", attempt: 1, payload: { event, is_turn_complete: false } });
        if (pending !== null) await pending;
      }
    }
    const seconds = (performance.now() - began) / 1000;
    clearInterval(look);
    const used = process.cpuUsage(cpu);
    const cpuSeconds = (used.user + used.system) / 1e6;
    console.log(
      `${provider}: ${(bytes / MIB / seconds).toFixed(0)} MiB/s (${(bytes / MIB / cpuSeconds).toFixed(0)} per second of CPU), ${Math.round(events / seconds).toLocaleString("en-US")} events/s over ${(bytes / MIB).toFixed(0)} MiB; resident ${(before / MIB).toFixed(0)} MiB before, ${(rss / MIB).toFixed(0)} MiB at most`,
    );
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}
