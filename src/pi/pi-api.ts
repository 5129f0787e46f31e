/**
 * The part of Pi's extension API that is used, as types of our own: Pi hands every object over when it loads the
 * extension, so nothing of it is imported and nothing of it has to be installed. Source: docs/extensions.md of
 * @earendil-works/pi-coding-agent 1.6.0; scripts/real-agents checks these types against Pi's.
 */

/** What the model is told by a tool. */
export interface TextContent {
  readonly type: "text";
  readonly text: string;
}

/** What JSON can hold. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** What a tool answers, whole or so far. */
export interface ToolResult {
  content: TextContent[];
  /** For Pi's own display, and for its record of the conversation. */
  details: unknown;
  /** For scripts in code mode, instead of the text. */
  structuredContent?: JsonValue;
  isError?: boolean;
}

/** Takes a result so far. */
export type ToolUpdate = (partial: ToolResult) => void;

/** A JSON schema. */
export type Schema = Record<string, unknown>;

/** A tool as it is registered. */
export interface ToolDefinition {
  name: string;
  label: string;
  description: string;
  /** One line of the system prompt's list of tools. */
  promptSnippet?: string;
  /** Rules in the system prompt while the tool is active; each names the tool. */
  promptGuidelines?: string[];
  parameters: Schema;
  outputSchema?: Schema;
  namespace?: { name: string; description?: string; instructions?: string };
  annotations?: { readOnlyHint?: boolean; destructiveHint?: boolean; idempotentHint?: boolean };
  /** Runs before the arguments are validated. */
  prepareArguments?: (args: unknown) => Record<string, unknown>;
  execute(
    toolCallId: string,
    params: Record<string, unknown>,
    signal: AbortSignal | undefined,
    onUpdate: ToolUpdate | undefined,
    ctx: PiContext,
  ): Promise<ToolResult>;
}

/** How a tool's calls are drawn; what is not given here is left as it is. */
export interface ToolRenderers {
  renderCall?(args: unknown, theme: unknown, context: unknown): unknown;
}

/** Colours by their role. */
export interface PiTheme {
  fg(color: "accent" | "dim" | "error" | "muted" | "success" | "warning", text: string): string;
  bold(text: string): string;
}

/** A part of the screen that draws itself. */
export interface PiComponent {
  /** Lines of at most `width` columns. */
  render(width: number): string[];
  handleInput?(data: string): void;
  invalidate(): void;
  dispose?(): void;
}

/** The terminal that components are drawn on. */
export interface PiTerminal {
  requestRender(): void;
  readonly terminal: { readonly rows: number; readonly columns: number };
}

/** What the keys mean, as the user has set them. */
export interface PiKeys {
  matches(data: string, id: "tui.select.up" | "tui.select.down" | "tui.select.confirm" | "tui.select.cancel"): boolean;
}

/** What an extension can show. */
export interface PiUi {
  notify(message: string, type?: "info" | "warning" | "error"): void;
  /** A line of the footer; undefined takes it away. */
  setStatus(key: string, text: string | undefined): void;
  select(title: string, options: string[]): Promise<string | undefined>;
  custom<T>(
    factory: (tui: PiTerminal, theme: PiTheme, keys: PiKeys, done: (result: T) => void) => PiComponent,
  ): Promise<T>;
}

/** What a handler is told about the conversation. It must not be used after `session_shutdown`. */
export interface PiContext {
  readonly ui: PiUi;
  readonly mode: "tui" | "rpc" | "json" | "print";
  readonly hasUI: boolean;
  readonly cwd: string;
  readonly sessionManager: { getSessionId(): string; getSessionFile(): string | undefined };
  readonly model: { readonly provider: string; readonly id: string } | undefined;
  readonly thinkingLevel?: string;
  isIdle(): boolean;
  isProjectTrusted(): boolean;
}

/** A message of an extension in the conversation. */
export interface CustomMessage {
  customType: string;
  content: string;
  /** Whether people see it, too. */
  display: boolean;
  details?: unknown;
}

/** Why a conversation begins or ends. */
export type SessionReason = "startup" | "quit" | "reload" | "new" | "resume" | "fork";

/** Runs a command for the user's own `!cmd`. */
export interface ShellOperations {
  exec(
    command: string,
    cwd: string,
    options: { onData: (data: Buffer) => void; signal?: AbortSignal; timeout?: number; env?: NodeJS.ProcessEnv },
  ): Promise<{ exitCode: number | null }>;
}

/** What is added to a conversation at the end of the agent's work. */
export interface BoundaryEntry extends CustomMessage {
  type: "custom_message";
}

/** The end of the agent's work, which may be added to; `entries` is what others add. */
export interface BoundaryEvent {
  readonly entries: readonly unknown[];
}

type Handler<Event, Result = void> = (event: Event, ctx: PiContext) => Promise<Result | void> | Result | void;

/** What Pi hands to an extension. */
export interface PiApi {
  on(event: "session_start", handler: Handler<{ reason: SessionReason }>): unknown;
  on(event: "session_shutdown", handler: Handler<{ reason: SessionReason }>): unknown;
  on(event: "session_compact", handler: Handler<{ willRetry: boolean }>): unknown;
  on(event: "before_agent_start", handler: Handler<unknown, { message?: CustomMessage }>): unknown;
  on(
    event: "agent_before_settle",
    handler: Handler<BoundaryEvent, { entries: BoundaryEntry[]; continue: boolean }>,
  ): unknown;
  on(event: "turn_start", handler: Handler<unknown>): unknown;
  on(event: "turn_end", handler: Handler<{ toolResults: readonly unknown[] }>): unknown;
  on(event: "agent_settled", handler: Handler<{ aborted: boolean }>): unknown;
  on(event: "user_bash", handler: Handler<{ command: string; cwd: string }, { operations: ShellOperations }>): unknown;
  registerTool(tool: ToolDefinition): void;
  registerToolRenderer(
    resolver: (name: string, next: () => ToolRenderers | undefined) => ToolRenderers | undefined,
  ): void;
  registerCommand(
    name: string,
    command: { description: string; handler: (args: string, ctx: PiContext) => Promise<void> },
  ): void;
  sendMessage(
    message: CustomMessage,
    options: { triggerTurn?: boolean; deliverAs?: "steer" | "followUp" | "nextTurn" },
  ): void;
  /** The names of the tools that the model is offered. */
  getActiveTools(): string[];
  /** From the next request to the model on, it is offered these; names that are not known are passed over. */
  setActiveTools(names: string[]): void;
  /** The settings in force. */
  getSettings(): { readonly shellPath?: unknown; readonly shellCommandPrefix?: unknown };
}
