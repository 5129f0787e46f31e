/** Which multiplexer shows the interactive runs of a session: the first that works of those that are wanted. */
import type { PaneBackend, Panes } from "../ports/index.ts";
import { findProgram } from "./launcher.ts";
import { Multiplexer } from "./multiplexer.ts";

/** In order of preference. */
const MULTIPLEXERS: readonly PaneBackend[] = ["rmux", "tmux"];

/** What panes are made of. */
export interface PaneParts {
  /** PROCTOR_TERMINAL: `rmux`, `tmux` or `built-in`; anything else is the order of preference. */
  readonly wanted: string | undefined;
  readonly socket: string;
  readonly env: NodeJS.ProcessEnv;
  /** The program of a pane, with its arguments. */
  readonly command: (runId: string) => readonly string[];
  /** Takes what went wrong; a run is never held up by its pane. */
  readonly report: (error: unknown) => void;
}

/** The multiplexers that may be used, in order. */
function wantedOf(wanted: string | undefined): readonly PaneBackend[] {
  if (wanted === "built-in") return [];
  return wanted === "rmux" || wanted === "tmux" ? [wanted] : MULTIPLEXERS;
}

/** The panes of one session. */
export function panes(parts: PaneParts): Panes {
  let chosen: Promise<{ readonly backend: PaneBackend; readonly multiplexer: Multiplexer | null }> | null = null;
  let ready: Multiplexer | null = null;
  let isClosed = false;
  const candidates = wantedOf(parts.wanted).flatMap((name) => {
    const program = findProgram(name);
    return program === null ? [] : [{ backend: name, multiplexer: new Multiplexer(program, parts.socket, parts.env) }];
  });
  const choose = async (): Promise<{ readonly backend: PaneBackend; readonly multiplexer: Multiplexer | null }> => {
    for (const candidate of candidates) {
      if (await candidate.multiplexer.works()) {
        ready = candidate.multiplexer;
        return candidate;
      }
    }
    return { backend: "built-in", multiplexer: null };
  };
  const choice = (): ReturnType<typeof choose> => (chosen ??= choose());
  return {
    backend: async () => (await choice()).backend,
    async show(runId) {
      try {
        const { multiplexer } = await choice();
        if (isClosed) return;
        await multiplexer?.open(runId, parts.command(runId));
        if (isClosed) multiplexer?.kill(); // it was opened while the session ended
      } catch (error) {
        parts.report(error);
      }
    },
    invitation: (runId) => ready?.invitation(runId) ?? null,
    close() {
      isClosed = true;
      for (const { multiplexer } of candidates) multiplexer.kill();
    },
  };
}
