/** The stages of a sequence as they come: each has a log of its own, which is there only once it was started. */
import type { RunView, SessionApi } from "../model/index.ts";

/** How often a sequence is asked for its next stage, in milliseconds. */
const LOOK_MS = 100;

/** The stages from `first` on (0 is the first), each as soon as it was started; a run is its own only stage. */
export async function* stagesFrom(
  api: SessionApi,
  view: RunView,
  first: number,
  signal?: AbortSignal,
): AsyncGenerator<RunView> {
  if (view.kind === "run") {
    yield view;
    return;
  }
  for (let index = first; ; ) {
    if (signal?.aborted === true) return;
    const now = await api.status(view.id);
    const stage = now.stages?.[index];
    if (stage !== undefined) {
      yield stage;
      index += 1;
    } else if (now.state === "ended") return;
    else await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}
