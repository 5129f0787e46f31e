/**
 * proctor: supervised command execution for coding agents.
 *
 * @example
 * ```ts
 * import { connect } from "proctor";
 *
 * await using session = await connect();
 * const result = await session.bash(["npm ci", "npm test"]);
 * console.log(result.exitCode, result.output);
 * ```
 */
export { connect } from "./session/connect.ts";
export type { Session } from "./session/connect.ts";
export type {
  BashOptions,
  CompletionsOptions,
  ConnectOptions,
  EndOptions,
  LogsOptions,
  StopOptions,
  TypedInput,
} from "./session/session-options.ts";
export { ProctorError, isProctorError } from "./model/index.ts";
export type * from "./model/index.ts";
