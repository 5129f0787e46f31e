/**
 * What Pi loads. The factory only registers; the session is opened by the first command. Pi makes a new instance for
 * every conversation and every reload, and after `session_shutdown` the objects of the old one must not be touched:
 * everything that comes late looks at `#ctx` first.
 */
import { messageOf } from "../model/index.ts";
import type { RunView, SessionApi } from "../model/index.ts";
import { prepareBashArguments } from "./bash-arguments.ts";
import { bashTool } from "./bash-tool.ts";
import type { BashHost } from "./bash-tool.ts";
import { Completions } from "./completions.ts";
import { OneShell } from "./one-shell.ts";
import type { BoundaryEntry, PiApi, PiContext, SessionReason, ToolRenderers } from "./pi-api.ts";
import { PiSession } from "./pi-session.ts";
import { piProject, settingsOfCall } from "./project-settings.ts";
import type { PiProject } from "./project-settings.ts";
import { RunCount } from "./run-count.ts";
import { listLine } from "./run-text.ts";
import { runnerTools } from "./runner-tools.ts";
import { showRuns } from "./runs-command.ts";
import { shellSettings } from "./shell.ts";
import { sharedState } from "./shared-state.ts";
import type { SharedState } from "./shared-state.ts";
import { userShell } from "./user-shell.ts";

/** The key of our line in the footer. */
const STATUS_KEY = "proctor";

/** Pi's own drawing of a call, for a list of commands too: it is drawn from the arguments as the model wrote them. */
function drawingLists(own: ToolRenderers | undefined): ToolRenderers | undefined {
  if (own?.renderCall === undefined) return own;
  return {
    ...own,
    renderCall: (args, theme, context) => own.renderCall?.(prepareBashArguments(args), theme, context),
  };
}

/** What other extensions add is passed on as it is, of whatever kind. */
function isEntry(value: unknown): value is BoundaryEntry {
  return typeof value === "object" && value !== null && "type" in value;
}

/** The extension, for one conversation of Pi. */
class Extension {
  readonly #pi: PiApi;
  readonly #env: NodeJS.ProcessEnv;
  readonly #state: SharedState;
  readonly #session: PiSession;
  readonly #completions: Completions;
  readonly #count: RunCount;
  readonly #oneShell: OneShell;
  /** null before `session_start` and after `session_shutdown`. */
  #ctx: PiContext | null = null;
  /** The model is to be asked again, with the results of the tools it called. */
  #isBetweenTurns = false;
  #project: PiProject = { project: null, notes: [] };

  constructor(pi: PiApi, env: NodeJS.ProcessEnv, state: SharedState) {
    this.#pi = pi;
    this.#env = env;
    this.#state = state;
    this.#count = new RunCount((text) => this.#ctx?.ui.setStatus(STATUS_KEY, text));
    this.#oneShell = new OneShell(pi, (text) => this.#notify(text, "warning"));
    this.#completions = new Completions({
      state,
      conversation: () => this.#ctx?.sessionManager.getSessionId() ?? null,
      isIdle: () => this.#ctx?.isIdle() ?? false,
      settings: (run) => this.#settings(run.commands ?? [run.command], run.cwd),
      wake: (message) => pi.sendMessage(message, { triggerTurn: true, deliverAs: "followUp" }),
      notify: (text) => this.#notify(text, "info"),
      report: (error) => this.#notify(`proctor: ${messageOf(error)}`, "warning"),
    });
    this.#session = new PiSession(state, env, (client) => {
      if (this.#ctx === null) return;
      this.#completions.attach(client);
      if (this.#ctx.hasUI) this.#count.attach(client);
    });
  }

  register(): void {
    const pi = this.#pi;
    const host: BashHost = {
      env: this.#env,
      session: () => this.#session.client(),
      shell: () => shellSettings(pi),
      settings: (commands, ctx) => this.#settings(commands, ctx.cwd),
      started: (run, ctx) => this.#conversationsOf(run.id).add(ctx.sessionManager.getSessionId()),
    };
    pi.registerTool(bashTool(host));
    const runner = {
      existing: (): Promise<SessionApi | null> => this.#session.existing(),
      settings: (run: RunView) => this.#settings(run.commands ?? [run.command], run.cwd),
      seen: (runs: readonly RunView[]) => this.#completions.seen(runs),
    };
    for (const tool of runnerTools(runner)) pi.registerTool(tool);
    pi.registerToolRenderer((name, next) => (name === "bash" ? drawingLists(next()) : next()));
    pi.registerCommand("runs", {
      description: "Background runs: list, live output, stop, attach",
      handler: (_args, ctx) => showRuns(ctx, this.#session),
    });
    pi.on("user_bash", (_event, ctx) => ({ operations: userShell(host, ctx) }));
    pi.on("session_start", async ({ reason }, ctx) => this.#started(reason, ctx));
    pi.on("session_shutdown", async ({ reason }) => this.#shutDown(reason));
    pi.on("session_compact", async ({ willRetry }) => this.#remind(willRetry || this.#isBetweenTurns));
    pi.on("turn_start", () => {
      this.#isBetweenTurns = false;
      this.#oneShell.look();
    });
    pi.on("turn_end", ({ toolResults }) => {
      this.#isBetweenTurns = toolResults.length > 0;
    });
    pi.on("before_agent_start", async () => {
      this.#oneShell.look();
      const message = await this.#completions.take();
      return message === null ? undefined : { message };
    });
    pi.on("agent_before_settle", async (event) => {
      const message = await this.#completions.take();
      if (message === null) return undefined;
      return {
        entries: [...event.entries.filter(isEntry), { type: "custom_message" as const, ...message }],
        continue: true,
      };
    });
    pi.on("agent_settled", async ({ aborted }) => {
      if (aborted) await this.#completions.hold();
      else this.#completions.look();
    });
  }

  async #started(reason: SessionReason, ctx: PiContext): Promise<void> {
    this.#ctx = ctx;
    const { sessionManager } = ctx;
    const conversation = sessionManager.getSessionId();
    const before = this.#state.lastConversation;
    this.#state.lastConversation = conversation;
    // A fork begins with what was said before it, so the runs that were told of there are known in it.
    if (reason === "fork" && before !== null)
      for (const known of this.#state.conversations.values()) if (known.has(before)) known.add(conversation);
    this.#project = piProject(ctx.cwd, ctx.isProjectTrusted());
    for (const note of this.#project.notes) this.#notify(note, "warning");
    try {
      await this.#session.existing();
    } catch (error) {
      this.#notify(`proctor: the session could not be taken up again: ${messageOf(error)}`, "error");
    }
  }

  async #shutDown(reason: SessionReason): Promise<void> {
    this.#ctx = null;
    this.#completions.close();
    this.#count.close();
    if (reason === "quit") await this.#session.end();
    else await this.#session.handOver();
  }

  /**
   * After a compaction the ids of what goes on may stand in no message any more. In the middle of the agent's work
   * (`goesOn`) the next request has to have them: what is only added there comes one request later.
   */
  async #remind(goesOn: boolean): Promise<void> {
    const open = await this.#completions.open();
    if (open.length === 0 || this.#ctx === null) return;
    const content = `Still running in the background (you are told when one ends):\n${open.map(listLine).join("\n")}`;
    this.#pi.sendMessage(
      { customType: "proctor-runs", content, display: false },
      goesOn ? { deliverAs: "steer" } : { triggerTurn: false },
    );
  }

  #settings(commands: readonly string[], cwd: string): ReturnType<typeof settingsOfCall> {
    return settingsOfCall(commands, cwd, this.#env, this.#project);
  }

  #conversationsOf(id: string): Set<string> {
    const known = this.#state.conversations.get(id) ?? new Set();
    this.#state.conversations.set(id, known);
    return known;
  }

  #notify(text: string, type: "info" | "warning" | "error"): void {
    if (this.#ctx?.hasUI === true) this.#ctx.ui.notify(text, type);
  }
}

/** Registers everything; starts nothing. */
export function extension(pi: PiApi): void {
  new Extension(pi, process.env, sharedState()).register();
}
