/**
 * One shell for the agent. Where Pi also starts proctor's MCP server, whose tools do the same in a session of their
 * own, the model is offered the extension's alone. Pi connects to servers while a conversation goes on, so this is
 * looked at whenever the model is about to be asked; a first prompt that comes before the server is up may see both.
 * Source: docs/mcp.md of @earendil-works/pi-coding-agent 1.6.0 (names of a server's tools).
 */
import type { PiApi } from "./pi-api.ts";

/** What Pi calls the tools of the server that `proctor install pi` puts in. */
const OF_SERVER = /^mcp__proctor__(bash|runner_\w+)$/;

/** The choice between the two, in one conversation. */
export class OneShell {
  readonly #pi: Pick<PiApi, "getActiveTools" | "setActiveTools">;
  readonly #notify: (text: string) => void;
  #isTold = false;

  /** `notify` tells the user, once. */
  constructor(pi: Pick<PiApi, "getActiveTools" | "setActiveTools">, notify: (text: string) => void) {
    this.#pi = pi;
    this.#notify = notify;
  }

  /** Takes the server's tools away from the model, unless the extension's own `bash` was turned off. */
  look(): void {
    const active = this.#pi.getActiveTools();
    const kept = active.filter((name) => !OF_SERVER.test(name));
    if (kept.length === active.length || !kept.includes("bash")) return;
    this.#pi.setActiveTools(kept);
    if (this.#isTold) return;
    this.#isTold = true;
    this.#notify(
      "proctor: Pi starts proctor's MCP server beside this extension; the agent is offered the extension's tools only. To take the server out: proctor uninstall pi",
    );
  }
}
