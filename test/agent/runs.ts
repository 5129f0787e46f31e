/** Agent runs for tests: a session of their own, programs of a few lines, and everything that was told. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../src/index.ts";
import { ExitError, run } from "../../src/agent/index.ts";
import type { AgentControl, AgentEvent, AgentReport, RunConfig } from "../../src/agent/index.ts";

/** A directory for one file of tests, with a session in it. */
export interface Place {
  readonly dir: string;
  readonly session: string;
  readonly work: string;
  /** Writes an executable script; gives its path. */
  script(name: string, text: string): string;
  close(): Promise<void>;
}

/** Makes one. */
export function place(): Place {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "proctor-agent-")));
  const [session, work] = [join(dir, "session"), join(dir, "work")];
  mkdirSync(work);
  return {
    dir,
    session,
    work,
    script(name, text) {
      const path = join(dir, name);
      writeFileSync(path, text, { mode: 0o755 });
      return path;
    },
    async close() {
      const open = await connect({ dir: session, own: false });
      await open.end({ graceMs: 0 });
      rmSync(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    },
  };
}

/** What came of a run. */
export interface Outcome {
  readonly events: readonly AgentEvent[];
  /** Null when it could not be started. */
  readonly report: AgentReport | null;
  readonly error: unknown;
}

/** Runs a program of bash under the provider `lines`. */
export function bash(at: Place, script: string, config: Partial<RunConfig> = {}): Promise<Outcome> {
  return observed({
    provider: "lines",
    workspace: at.work,
    session: at.session,
    args: ["bash", "-c", script],
    ...config,
  });
}

/** Runs a configuration; keeps everything that was told. */
export async function observed(
  config: RunConfig,
  also?: (event: AgentEvent, control: AgentControl) => void | Promise<void>,
): Promise<Outcome> {
  const events: AgentEvent[] = [];
  const onEvent = (event: AgentEvent, control: AgentControl): void | Promise<void> => {
    events.push(event);
    return (also ?? config.onEvent)?.(event, control);
  };
  try {
    const report = await run({ ...config, onEvent });
    return { events, report, error: null };
  } catch (error) {
    return { events, report: error instanceof ExitError ? error.report : null, error };
  }
}

/** The kinds of events, those of the provider as one. */
export function kinds(events: readonly AgentEvent[]): readonly string[] {
  return events.map((event) => event.kind).filter((kind, i, all) => kind !== "provider.event" || all[i - 1] !== kind);
}

/** What an ExitError says. */
export function exitOf(outcome: Outcome): readonly unknown[] {
  const { error } = outcome;
  if (!(error instanceof ExitError)) throw new Error(`not an ExitError: ${String(error)}`);
  return [error.code, error.signal, error.killed, error.cause];
}
