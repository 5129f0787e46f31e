/**
 * One execution of the agent: a run of the session's, its stdout followed from the file and parsed, its stderr
 * followed besides. It resolves when the run has ended and every event of its output is delivered.
 */
import { statSync } from "node:fs";
import { dirname } from "node:path";
import { ProctorError, messageOf, newId } from "../model/index.ts";
import type { ProcessIdentity, RunView } from "../model/index.ts";
import { ProviderStream } from "../providers/index.ts";
import type { ProviderEvent } from "../providers/index.ts";
import type { StderrOption } from "./config.ts";
import { followFile } from "./file-follower.ts";
import { InputStream } from "./input-stream.ts";
import type { AgentSetup } from "./setup.ts";

/** How often is asked whether the program runs, in milliseconds: starting it takes a few. */
const ASK_MS = 3;
/** How much of the end of standard error is kept for the report. */
const TAIL_BYTES = 4096;

/** What an attempt tells. */
export interface AttemptListener {
  /** One event of the provider's; a promise makes the reading wait. */
  readonly onEvent: (event: ProviderEvent) => Promise<void> | null;
  readonly onOutput: () => void;
  /** Some of standard error, cut anywhere. */
  readonly onErrorText: (text: string) => void;
  readonly onInputClosed: (error: string) => void;
  /** What takes standard error threw; it gets no more. */
  readonly onStderrFailed: (error: string) => void;
}

/** An attempt that was started. */
export class Attempt {
  readonly id: string;
  readonly pid: number;
  readonly stdoutPath: string;
  readonly stderrPath: string;
  readonly input: InputStream;
  /** Resolves with the run as it ended, after the last event of its output. */
  readonly ended: Promise<RunView>;
  #sizes = "";
  #tail: Buffer = Buffer.alloc(0);

  private constructor(
    setup: AgentSetup,
    view: RunView & { readonly pid: number },
    input: InputStream,
    listener: AttemptListener,
  ) {
    this.id = view.id;
    this.pid = view.pid;
    this.input = input;
    this.stdoutPath = view.log.path;
    this.stderrPath = view.errorLog ?? `${dirname(view.log.path)}/stderr.log`;
    this.ended = this.#follow(setup, listener);
  }

  /**
   * Starts the program.
   *
   * @throws ProctorError `ERR_HOST_SPAWN` when it could not be started; nothing was told then.
   */
  static async start(setup: AgentSetup, owner: ProcessIdentity | null, listener: AttemptListener): Promise<Attempt> {
    const { config, adapter, sandbox } = setup;
    const input = new InputStream(config.stdin, listener.onInputClosed);
    try {
      const id = newId();
      let view = await setup.api.start({
        id,
        commands: [[setup.binary, ...setup.args].map(quoted).join(" ")],
        name: config.name ?? adapter.name,
        cwd: config.workspace,
        env: setup.env,
        unrecorded: setup.unrecorded,
        withheld: [],
        umask: process.umask(),
        stdin: input.path,
        interactive: false,
        limits: setup.limits,
        argv: setup.command,
        output: "split",
        ...(config.env === undefined ? {} : { unmarked: true }),
        ...(owner === null ? {} : { owner }),
        ...(adapter.polite === undefined ? {} : { polite: adapter.polite }),
        ...(sandbox === null ? {} : { sandbox }),
      });
      while (typeof view.pid !== "number" && view.state !== "ended") {
        await new Promise((resolve) => setTimeout(resolve, ASK_MS));
        view = await setup.api.status(id);
      }
      if (typeof view.pid !== "number") {
        // How much fits is known to the kernel alone: it depends on the stack's limit (execve(2)).
        if (view.message?.includes("E2BIG") === true) {
          throw new ProctorError(
            "ERR_INPUT_AGENT",
            `args: together with the environment they are longer than this system takes (E2BIG). Accepted: less; give long input as stdin: { text }.`,
            { details: { field: "args", value: `${setup.args.length} arguments` } },
          );
        }
        throw new ProctorError("ERR_HOST_SPAWN", view.message ?? `${setup.binary} could not be started.`, {
          details: { binary: setup.binary, run: id },
        });
      }
      input.opened();
      return new Attempt(setup, { ...view, pid: view.pid }, input, listener);
    } catch (error) {
      input.close();
      throw error;
    }
  }

  /** Whether something was printed since the last look, read or not. */
  hasGrown(): boolean {
    const sizes = [this.stdoutPath, this.stderrPath]
      .map((path) => statSync(path, { throwIfNoEntry: false })?.size ?? 0)
      .join(" ");
    const grown = sizes !== this.#sizes;
    this.#sizes = sizes;
    return grown;
  }

  /** The last line of standard error; null when there is none. */
  get lastError(): string | null {
    const lines = this.#tail
      .toString("utf8")
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== "");
    return lines.at(-1)?.slice(0, 500) ?? null;
  }

  async #follow(setup: AgentSetup, listener: AttemptListener): Promise<RunView> {
    const over = setup.api.wait({ id: this.id, timeoutMs: null });
    const stream = new ProviderStream(setup.adapter.parser());
    const deliver = async (events: Iterable<ProviderEvent>): Promise<void> => {
      for (const event of events) {
        const pending = listener.onEvent(event);
        if (pending !== null) await pending;
      }
    };
    const readOutput = async (): Promise<void> => {
      for await (const chunk of followFile(this.stdoutPath, over)) {
        listener.onOutput();
        await deliver(stream.push(chunk));
      }
    };
    let taker = setup.config.stderr;
    const readErrors = async (): Promise<void> => {
      for await (const chunk of followFile(this.stderrPath, over)) {
        listener.onOutput();
        this.#tail = Buffer.concat([this.#tail, chunk]).subarray(-TAIL_BYTES);
        listener.onErrorText(chunk.toString("latin1")); // only ASCII is looked for in it
        try {
          await passOn(taker, chunk);
        } catch (error) {
          taker = undefined;
          listener.onStderrFailed(messageOf(error));
        }
      }
    };
    try {
      await Promise.all([readOutput(), readErrors()]);
      const { run } = await over;
      const isSignaled = run.signal !== null;
      await deliver(stream.end(isSignaled ? null : run.exitCode, isSignaled));
      return run;
    } finally {
      this.input.close();
    }
  }
}

/** Hands standard error on; a stream that is full makes the reading wait, one that failed is left alone. */
async function passOn(to: StderrOption | undefined, chunk: Buffer): Promise<void> {
  if (to === undefined) return;
  const bytes = Buffer.from(chunk);
  if (typeof to === "function") {
    to(bytes);
    return;
  }
  if (!to.writable) return;
  await new Promise<void>((resolve) => {
    to.write(bytes, () => resolve());
  });
}

/** For people: words as a shell would need them. */
function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
