/** A session broker: many callers, one agent each at a time, asked again in the agent's own session. */
import { fileURLToPath } from "node:url";
import { ExitError, run } from "proctor/agent";

const agent = fileURLToPath(new URL("echo-agent.mjs", import.meta.url));

class Broker {
  #sessions = new Map();

  /** Asks the caller's agent; waits for its turn. */
  async ask(caller, prompt) {
    const session = this.#sessions.get(caller) ?? { id: null, queue: Promise.resolve(), spentUsd: 0 };
    this.#sessions.set(caller, session);
    const turn = session.queue.then(() => this.#turn(session, prompt));
    session.queue = turn.catch(() => undefined);
    return turn;
  }

  async #turn(session, prompt) {
    const said = [];
    try {
      const report = await run({
        provider: "lines",
        workspace: process.cwd(),
        args: [process.execPath, agent, session.id === null ? prompt : `${prompt} (resuming ${session.id})`],
        supervisor: { idleKillMs: 30_000 },
        limits: { memoryBytes: 1024 ** 3 },
        onEvent: ({ kind, payload }) => {
          if (kind === "provider.event" && payload.event.type === "text") said.push(payload.event.text);
        },
      });
      session.id = report.sessionId;
      session.spentUsd += report.costUsd ?? 0;
      return {
        status: report.turn === "completed" ? "answered" : "unanswered",
        text: said.join("\n"),
        spentUsd: session.spentUsd,
      };
    } catch (error) {
      if (!(error instanceof ExitError)) throw error;
      return {
        status: error.cause === "" ? "agent_failed" : error.cause,
        text: error.report.error,
        spentUsd: session.spentUsd,
      };
    }
  }
}

const broker = new Broker();
const answers = await Promise.all([broker.ask("ann", "one"), broker.ask("bob", "two"), broker.ask("ann", "three")]);
for (const { status, text, spentUsd } of answers) console.log(`${status}: ${text} ($${spentUsd.toFixed(3)})`);
