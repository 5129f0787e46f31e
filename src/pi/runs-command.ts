/** `/runs`: the panel in a terminal, and dialogs where there is only a client that can ask. */
import { DEFAULT_GRACE_MS } from "../model/index.ts";
import type { StopReport } from "../model/index.ts";
import { readLog } from "../session/index.ts";
import type { PiContext } from "./pi-api.ts";
import type { PiSession } from "./pi-session.ts";
import { listLine, shownRun } from "./run-text.ts";
import { RunsPanel } from "./runs-panel.ts";

/** How much of a log a dialog shows. */
const SHOWN_LINES = 40;
const SHOWN_BYTES: number = 8 * 1024;

/** Shows the session's runs. */
export async function showRuns(ctx: PiContext, session: PiSession): Promise<void> {
  const api = await session.existing();
  const runs = (await api?.list()) ?? [];
  if (api === null || runs.length === 0) {
    ctx.ui.notify("No runs.", "info");
    return;
  }
  const stop = (id: string): Promise<StopReport> =>
    session.forUser((client) => client.stop(id, { reason: "the user stopped it", graceMs: DEFAULT_GRACE_MS }));
  if (ctx.mode === "tui") {
    await ctx.ui.custom<undefined>(
      (tui, theme, keys, done) =>
        new RunsPanel({ session: api, stop }, runs, { tui, theme, keys, close: () => done(undefined) }),
    );
    return;
  }
  const lines = runs.map(listLine).toReversed();
  const chosen = await ctx.ui.select("Runs", lines);
  const run = runs.find((one) => listLine(one) === chosen);
  if (run === undefined) return;
  const isOver = run.state === "ended" && run.leftovers.length === 0;
  const action = await ctx.ui.select(listLine(run), ["Show output", ...(isOver ? [] : ["Stop"])]);
  if (action === "Show output") {
    const query = { lines: SHOWN_LINES, from: null, fromLine: null, grep: null, maxBytes: SHOWN_BYTES };
    const { text } = await readLog(shownRun(await api.status(run.id)), query);
    ctx.ui.notify(text === "" ? "It has printed nothing." : text, "info");
  } else if (action === "Stop") {
    const report = await stop(run.id);
    ctx.ui.notify(report.confirmed ? `${run.id} is stopped.` : `${run.id} could not be stopped.`, "info");
  }
}
