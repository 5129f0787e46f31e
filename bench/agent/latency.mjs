// From a line that an agent prints to its event in the caller: `node bench/agent/latency.mjs [LINES]`. Both
// ends read the same monotonic clock (CLOCK_MONOTONIC).
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../dist/agent/index.js";
import { connect } from "../../dist/index.js";

const count = Number(process.argv[2] ?? 300);
const dir = mkdtempSync(join(tmpdir(), "proctor-bench-"));
const agent = `let i=0;const t=setInterval(()=>{if(++i>${count}){clearInterval(t);return}process.stdout.write(JSON.stringify({type:"text",text:String(process.hrtime.bigint())})+"\\n")},20)`;
const latencies = [];
try {
  await run({
    provider: "lines",
    workspace: dir,
    session: join(dir, "session"),
    args: [process.execPath, "-e", agent],
    onEvent: ({ kind, payload }) => {
      if (kind !== "provider.event" || payload.event.type !== "text") return;
      latencies.push(Number(process.hrtime.bigint() - BigInt(payload.event.text)) / 1e6);
    },
  });
} finally {
  const open = await connect({ dir: join(dir, "session"), own: false });
  await open.end({ graceMs: 0 });
  rmSync(dir, { recursive: true, force: true });
}
latencies.sort((a, b) => a - b);
const at = (part) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))].toFixed(2);
console.log(`line to event, ${latencies.length} lines: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, 99 % ${at(0.99)} ms`);
