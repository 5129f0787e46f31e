/** What a tool is: a name and a schema for the model, a call for the server. */
import type { SessionApi } from "../../model/index.ts";
import type { Answer } from "../answer.ts";
import type { ProgressReporter } from "../progress.ts";
import type { ToolArguments } from "../tool-arguments.ts";

/** The JSON schema of an object. */
export interface JsonSchema extends Record<string, unknown> {
  readonly type: "object";
  readonly properties: Readonly<Record<string, unknown>>;
  readonly required?: readonly string[];
}

/** What a call is given besides its arguments. */
export interface CallContext {
  /** The session; opened when it is first asked for. Rejects when the request was cancelled meanwhile. */
  session(): Promise<SessionApi>;
  /** The environment that commands inherit. */
  readonly env: NodeJS.ProcessEnv;
  /** Aborted when the request is cancelled, or the connection ends. */
  readonly signal: AbortSignal;
  /** When the request came, on the monotonic clock. */
  readonly beganAt: number;
  readonly progress: ProgressReporter;
}

/** One tool. */
export interface Tool {
  readonly name: string;
  /** For the model: short, and what it needs to use the tool well. */
  readonly description: string;
  readonly input: JsonSchema;
  /** What `structuredContent` holds. */
  readonly output: JsonSchema;
  /** It changes nothing, so a client need not ask its user first. */
  readonly isReadOnly: boolean;
  /** Rejects with a `ProctorError` for a refusal. */
  call(given: ToolArguments, context: CallContext): Promise<Answer>;
}

/** The schema of a run's id. */
export const ID: Readonly<Record<string, unknown>> = { type: "string", description: "run id or unique prefix" };
