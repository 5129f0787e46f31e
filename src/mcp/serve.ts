/**
 * `proctor mcp`: serves one client over standard input and output until the connection or this process is
 * asked to end, then ends the session. Notes and faults go to standard error.
 */
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { isProctorError, messageOf } from "../model/index.ts";
import { CompletionNews } from "./completion-news.ts";
import { parseFlags } from "./flags.ts";
import { OwnedSession } from "./owned-session.ts";
import { claimOutput } from "./protocol-output.ts";
import { createServer } from "./server.ts";
import { StdioTransport } from "./stdio-transport.ts";

/** How the server is started. */
export interface ServeOptions {
  /** What follows `mcp` on the command line. */
  readonly argv: readonly string[];
  /** The environment that commands inherit, and that names the session. */
  readonly env: NodeJS.ProcessEnv;
}

const END_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
/** How long answers that are on their way may take to go out at the end, in milliseconds. */
const FLUSH_MS = 1000;

function note(text: string): void {
  process.stderr.write(`proctor mcp: ${text}\n`);
}

function fault(error: unknown): void {
  note(error instanceof Error && !isProctorError(error) ? (error.stack ?? error.message) : messageOf(error));
}

/** Resolves when the system has the text, or nobody reads it: the process may leave right after. */
function written(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => {
    stream.write(text, () => resolve());
  });
}

/** Counts the requests to end, so that a second one can overtake the first. */
function endSignals(): { readonly first: Promise<void>; readonly second: Promise<void>; readonly release: () => void } {
  let count = 0;
  let resolveFirst: () => void = () => undefined;
  let resolveSecond: () => void = () => undefined;
  const first = new Promise<void>((resolve) => (resolveFirst = resolve));
  const second = new Promise<void>((resolve) => (resolveSecond = resolve));
  const onSignal = (): void => {
    count += 1;
    if (count === 1) resolveFirst();
    else resolveSecond();
  };
  for (const signal of END_SIGNALS) process.on(signal, onSignal);
  return {
    first,
    second,
    release: () => {
      for (const signal of END_SIGNALS) process.off(signal, onSignal);
    },
  };
}

/** Serves until the end; gives the exit status: 0, or 125 when the command line was refused. */
export async function serveMcp(options: ServeOptions): Promise<number> {
  let flags;
  try {
    flags = parseFlags(options.argv);
  } catch (error) {
    await written(process.stderr, `${messageOf(error)}\n`);
    return 125;
  }
  const output = claimOutput(process.stdout, process.stderr);
  const signals = endSignals();
  // A fault outside every call is told and survived: the runs of the session depend on this process's lease.
  process.on("uncaughtException", fault);
  process.on("unhandledRejection", fault);
  const session = new OwnedSession(flags.session, options.env);
  const transport = new StdioTransport(process.stdin, output);
  const parts = {
    session,
    news: new CompletionNews(),
    env: options.env,
    tools: flags.tools,
    structured: flags.structured,
    report: fault,
  };
  const server = serveStdio(({ era }) => createServer(parts, era), {
    transport,
    onerror: (error) => note(error.message),
  });
  if (process.stdin.isTTY)
    note("waiting for an MCP client on standard input; end it with Ctrl-D. Agents start this command themselves.");

  await Promise.race([transport.whenEnded, signals.first]);
  const ended = (async () => {
    await output.flush(FLUSH_MS);
    await server.close();
    const report = await session.end();
    for (const stop of report?.stopped ?? []) {
      if (!stop.confirmed)
        note(
          `run ${stop.id} could not be stopped; still there: ${stop.survivors.map((p) => `${p.pid} ${p.command}`).join("; ")}`,
        );
    }
  })();
  // Asked twice, it leaves at once: the session's host goes on with the end, or sees the lease close.
  await Promise.race([ended.catch(fault), signals.second]);
  session.abandon();
  await transport.close();
  signals.release();
  process.off("uncaughtException", fault);
  process.off("unhandledRejection", fault);
  output.release();
  return 0;
}
