/** `proctor queue`: who runs and who waits. */
import type { QueueView } from "../../model/index.ts";
import { queueView, watchQueue } from "../../session/index.ts";
import type { Arguments } from "../command-spec.ts";
import { alignedTable } from "../run-table.ts";
import { OutputClosed, outputWidth, wantsColor, writeJson, writeOut } from "../standard-output.ts";

/** Carries out `proctor queue`. */
export async function execute(args: Arguments): Promise<number> {
  const print = (view: QueueView): Promise<void> => (args.has("json") ? writeJson(view) : writeOut(queueText(view)));
  if (!args.has("watch")) {
    await print(queueView());
    return 0;
  }
  const abort = new AbortController();
  process.once("SIGINT", () => abort.abort());
  process.once("SIGTERM", () => abort.abort());
  try {
    for await (const view of watchQueue(abort.signal)) await print(view);
  } catch (error) {
    if (!(error instanceof OutputClosed)) throw error;
  }
  return 0;
}

function queueText(view: QueueView): string {
  const rows = [
    ...view.running.map((one) => ["running", one.id, one.session, one.since, one.command]),
    ...view.waiting.map((one) => [String(one.position), one.id, one.session, one.since, one.command]),
  ].map((row) => row.map((text) => ({ text })));
  const head = `${view.running.length} of ${view.limit} slots taken, ${view.waiting.length} waiting\n`;
  const paused = view.paused === null ? "" : `Paused: ${view.paused}\n`;
  const table =
    rows.length === 0
      ? ""
      : alignedTable(["PLACE", "ID", "SESSION", "SINCE", "COMMAND"], rows, {
          color: wantsColor(),
          width: outputWidth(),
        });
  return `${head}${paused}${table}`;
}
