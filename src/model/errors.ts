/**
 * The one error class of proctor. `code` is for programs and never changes its meaning; `message`
 * says what is wrong, which value, and what to do about it.
 *
 * A command's own failure is never an error here: it is data (see `RunView`).
 */

/** Every code that proctor throws, by class: the caller's mistake, a refusal, a fault of the environment, our bug. */
export type ErrorCode =
  | "ERR_INPUT_USAGE"
  | "ERR_INPUT_COMMAND"
  | "ERR_INPUT_CWD"
  | "ERR_INPUT_ENV"
  | "ERR_INPUT_STDIN"
  | "ERR_INPUT_DURATION"
  | "ERR_INPUT_SIZE"
  | "ERR_INPUT_NUMBER"
  | "ERR_INPUT_PATTERN"
  | "ERR_INPUT_FILE"
  | "ERR_INPUT_PARAMS"
  | "ERR_INPUT_ID"
  | "ERR_INPUT_ID_AMBIGUOUS"
  | "ERR_INPUT_NOT_INTERACTIVE"
  | "ERR_INPUT_AGENT"
  | "ERR_INPUT_SANDBOX"
  | "ERR_HOST_PROVIDER"
  | "ERR_HOST_SPAWN"
  | "ERR_INPUT_KEY"
  | "ERR_INPUT_TERMINAL_LINE"
  | "ERR_REFUSED_SESSION_ENDING"
  | "ERR_REFUSED_UNSUPPORTED"
  | "ERR_REFUSED_QUEUE_FULL"
  | "ERR_REFUSED_OWNER_UNAVAILABLE"
  | "ERR_REFUSED_SANDBOX"
  | "ERR_SESSION_DIR"
  | "ERR_SESSION_OWNER"
  | "ERR_SESSION_NOT_FOUND"
  | "ERR_HOST_UNREACHABLE"
  | "ERR_HOST_PROTOCOL"
  | "ERR_HOST_DISK"
  /** What stands on disk about a run can't be read. */
  | "ERR_HOST_RECORD"
  | "ERR_HOST_SHELL"
  | "ERR_BUG";

/** JSON-safe facts that belong to an error. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

const BRAND = Symbol.for("proctor.error");

/** An error of proctor's own; see `ErrorCode` for what `code` may be. */
export class ProctorError extends Error {
  /** Stable, for programs. */
  readonly code: ErrorCode;
  /** Whether the same call may succeed later without being changed. */
  readonly retryable: boolean;
  /** JSON-safe facts: the field, the value, what is accepted. */
  readonly details: ErrorDetails;

  constructor(
    code: ErrorCode,
    message: string,
    options: { cause?: unknown; retryable?: boolean; details?: ErrorDetails } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ProctorError";
    this.code = code;
    this.retryable = options.retryable ?? false;
    this.details = options.details ?? {};
    Object.defineProperty(this, BRAND, { value: true, enumerable: false });
  }

  /** The error document of the contract, without `{ error: … }` around it. */
  toJSON(): { code: ErrorCode; message: string; details: ErrorDetails } {
    return { code: this.code, message: this.message, details: this.details };
  }
}

/** Whether `value` is a `ProctorError`, also one of another copy of this package. */
export function isProctorError(value: unknown): value is ProctorError {
  return typeof value === "object" && value !== null && BRAND in value;
}

/** The system's error code (`ENOENT`, `ENOSPC` …) of `error`, or null when it has none. */
export function errnoOf(error: unknown): string | null {
  if (typeof error !== "object" || error === null || !("code" in error)) return null;
  return typeof error.code === "string" ? error.code : null;
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
