// What a sandbox costs at each start: `node bench/agent/sandbox.mjs [RUNS]`. Runs with and without take turns.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { run } from "../../dist/agent/index.js";
import { connect } from "../../dist/index.js";

const count = Number(process.argv[2] ?? 40);
const dir = mkdtempSync(join(tmpdir(), "proctor-bench-"));
const session = join(dir, "session");
const holder = await connect({ dir: session, own: false });
const times = { none: [], "workspace-write": [], "workspace-write+network": [] };
try {
  for (let i = 0; i < count + 2; i++) {
    for (const [profile, list] of Object.entries(times)) {
      const began = performance.now();
      await run({
        provider: "lines",
        workspace: dir,
        session,
        args: ["true"],
        ...(profile === "none" ? {} : { profile }),
      });
      if (i >= 2) list.push(performance.now() - began);
    }
  }
} finally {
  await holder.end({ graceMs: 0 });
  rmSync(dir, { recursive: true, force: true });
}
for (const [profile, list] of Object.entries(times)) {
  list.sort((a, b) => a - b);
  console.log(
    `${profile}: median ${list[Math.floor(list.length / 2)].toFixed(1)} ms, least ${list[0].toFixed(1)} ms for a whole run of true`,
  );
}
