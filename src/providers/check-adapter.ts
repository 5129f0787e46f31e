/**
 * The contract that an adapter keeps, as a check for tests: whatever a stream holds and however it is cut,
 * the parser does not throw, tells the same, and loses nothing.
 */
import type { ProviderAdapter } from "./adapter.ts";
import { ProviderStream } from "./provider-stream.ts";
import type { ProviderEvent } from "./vocabulary.ts";

/** Every event of a stream that is fed in pieces of `chunkBytes`. */
export function eventsOf(
  adapter: ProviderAdapter,
  bytes: Uint8Array,
  chunkBytes: number,
  exitCode: number | null = 0,
): readonly ProviderEvent[] {
  const stream = new ProviderStream(adapter.parser());
  const events: ProviderEvent[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes)
    events.push(...stream.push(Buffer.from(bytes.subarray(at, at + chunkBytes))));
  events.push(...stream.end(exitCode, exitCode === null));
  return events;
}

/**
 * Checks an adapter against a recording of its own; gives what is wrong with it, and nothing when it is right:
 * the recording ends in exactly one `done` a turn, the chunks do not matter, cutting it anywhere (at up to
 * `cuts` places) breaks nothing, and each object is passed on in `raw`.
 */
export function checkAdapter(adapter: ProviderAdapter, recording: Uint8Array, cuts: number = 200): readonly string[] {
  const problems: string[] = [];
  const attempt = (what: string, work: () => void): void => {
    try {
      work();
    } catch (error) {
      problems.push(`${what}: it threw ${String(error)}`);
    }
  };
  if (adapter.name === "" || adapter.binary === "") problems.push("name and binary must not be empty");
  attempt("whole", () => {
    const whole = eventsOf(adapter, recording, recording.length);
    const told = JSON.stringify(whole);
    if (!whole.some((event) => event.type === "done")) problems.push("the recording has no done event");
    const objects = Buffer.from(recording)
      .toString("utf8")
      .split("\n")
      .filter((line) => line.startsWith("{")).length;
    const raws = new Set(whole.map((event) => event.raw).filter((raw) => raw !== null)).size;
    if (raws < objects) problems.push(`${objects - raws} of ${objects} objects are not passed on in raw`);
    for (const chunk of [1, 7, 4096]) {
      if (JSON.stringify(eventsOf(adapter, recording, chunk)) !== told)
        problems.push(`in chunks of ${chunk} the events differ`);
    }
  });
  for (let i = 0; i < cuts; i++) {
    const at = Math.floor((recording.length * i) / cuts);
    attempt(`cut at byte ${at}`, () => void eventsOf(adapter, recording.subarray(0, at), 65_536, null));
  }
  for (const odd of [
    "null\n",
    "[]\n",
    "{}\n",
    '{"type":7}\n',
    '{"type":"result","message":5,"usage":"x"}\n',
    "\u0000\n",
  ]) {
    attempt(JSON.stringify(odd), () => void eventsOf(adapter, Buffer.from(odd), 64, 1));
  }
  return problems;
}
