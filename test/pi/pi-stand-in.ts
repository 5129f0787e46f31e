/**
 * Pi as the extension sees it, for what needs no Pi: it takes what is registered, fires events, and keeps what it is
 * told. The real Pi runs the same extension in scripts/real-agents.
 */
import type { CustomMessage, PiApi, PiContext, ToolDefinition, ToolResult } from "../../src/pi/pi-api.ts";

type Listener = (event: never, ctx: PiContext) => unknown;

/** One conversation with the extension. */
export class PiStandIn {
  readonly tools = new Map<string, ToolDefinition>();
  readonly messages: CustomMessage[] = [];
  readonly notices: string[] = [];
  readonly updates: ToolResult[] = [];
  statuses: (string | undefined)[] = [];
  isIdle = true;
  active: string[] = [];
  readonly #listeners = new Map<string, Listener>();
  readonly ctx: PiContext;
  readonly api: PiApi;

  constructor(cwd: string, conversation: string, isTrusted = true) {
    this.ctx = {
      ui: {
        notify: (message) => this.notices.push(message),
        setStatus: (_key, text) => this.statuses.push(text),
        select: async () => undefined,
        custom: () => Promise.reject(new Error("there is no terminal")),
      },
      mode: "rpc",
      hasUI: true,
      cwd,
      sessionManager: { getSessionId: () => conversation, getSessionFile: () => undefined },
      model: undefined,
      isIdle: () => this.isIdle,
      isProjectTrusted: () => isTrusted,
    };
    this.api = {
      on: (event: string, listener: Listener) => this.#listeners.set(event, listener),
      registerTool: (tool) => {
        this.tools.set(tool.name, tool);
        this.active.push(tool.name);
      },
      getActiveTools: () => [...this.active],
      setActiveTools: (names) => {
        this.active = names;
      },
      registerToolRenderer: () => undefined,
      registerCommand: () => undefined,
      sendMessage: (message) => this.messages.push(message),
      getSettings: () => ({}),
    };
  }

  /** Fires an event, and gives what its handler answers. */
  async fire(name: string, event: object = {}): Promise<unknown> {
    return this.#listeners.get(name)?.(event as never, this.ctx);
  }

  /** Calls a tool as the model would. */
  async call(name: string, args: Record<string, unknown>): Promise<ToolResult> {
    const tool = this.tools.get(name);
    if (tool === undefined) throw new Error(`no tool ${name}`);
    const params = tool.prepareArguments?.(args) ?? args;
    return tool.execute("call", params, undefined, (partial) => this.updates.push(partial), this.ctx);
  }
}
