/**
 * The look at what a program gives to a session, before anything is done: JavaScript has no types at run time,
 * and an option that is misspelt, or a time that is a text, would silently mean its default. A refusal names the
 * call, the field, the value and what is accepted.
 *
 * Theory: one schema for each object of options; what it says of a value is what it accepts. What only the
 * system can tell (whether a directory is there) is looked at where the run is started.
 */
import { inspect } from "node:util";
import * as z from "zod/mini";
import { MAX_DURATION_MS, MAX_TERMINAL_SIZE, ProctorError, nearest } from "../model/index.ts";
import type { ErrorCode, TerminalSize } from "../model/index.ts";
import type {
  BashOptions,
  CompletionsOptions,
  ConnectOptions,
  EndOptions,
  LogsOptions,
  StopOptions,
  TypedInput,
} from "./session-options.ts";
import type { WaitOptions } from "./wait.ts";

/** The longest value that a message shows, in characters. */
const MAX_SHOWN = 80;

const text = z.string({ error: "a string" });
const FILLED = { error: "a string that is not empty" };
const filled = z.string(FILLED).check(z.minLength(1, FILLED));
const flag = z.boolean({ error: "true or false" });
const strings = z.array(text, { error: "a list of strings" });
const pattern = z.string({ error: "a regular expression, as a string" });

function numberWithin(least: number, most: number, error: string): z.ZodMiniNumber {
  return z.number({ error }).check(z.gte(least, { error }), z.lte(most, { error }));
}

function wholeNumber(least: number, most: number = Number.MAX_SAFE_INTEGER, end: string = ""): z.ZodMiniNumber {
  const error = `a whole number from ${least}${most === Number.MAX_SAFE_INTEGER ? "" : ` to ${most}`}${end}`;
  return z.int({ error }).check(z.gte(least, { error }), z.lte(most, { error }));
}

/** What a limit may be: null is off. */
const noneOrWhole = z.nullable(wholeNumber(1, Number.MAX_SAFE_INTEGER, ", or null for none"));

/** `least` is exclusive when it is 0 and `zero` is not accepted; the fraction of a millisecond is rounded later. */
function duration(zero: boolean, end: string = ""): z.ZodMiniNumber {
  const error = `a number of milliseconds, ${zero ? "from 0" : "more than 0"} up to ${MAX_DURATION_MS} (24 h)${end}`;
  return numberWithin(zero ? 0 : Number.MIN_VALUE, MAX_DURATION_MS, error);
}

const signal = z.custom<AbortSignal>(
  (value) => typeof value === "object" && value !== null && "aborted" in value && "addEventListener" in value,
  { error: "an AbortSignal" },
);

/** `process.env` and what else is no plain object is copied first: the schema looks at plain ones only. */
const variables = z.pipe(
  z.transform((value: unknown) =>
    typeof value !== "object" || Array.isArray(value) || isPlain(value) ? value : { ...value },
  ),
  z.record(z.string(), text, { error: "an object with a string for each name" }),
);

function isPlain(value: object | null): boolean {
  if (value === null) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype;
}

type Shape<Options> = { readonly [Name in keyof Required<Options>]: z.ZodMiniType };

const LIMITS = {
  idleTimeoutMs: z.nullable(duration(false, ", or null for none")),
  memoryBytes: noneOrWhole,
  cpuTimeMs: z.nullable(duration(false, ", or null for none")),
  openFiles: noneOrWhole,
  processes: noneOrWhole,
  fileSizeBytes: noneOrWhole,
  logMaxBytes: wholeNumber(1),
} satisfies Shape<NonNullable<BashOptions["limits"]>>;

/** The options of each call, by its name. */
interface OptionsOfCalls {
  readonly connect: ConnectOptions;
  readonly bash: BashOptions;
  readonly logs: LogsOptions;
  readonly wait: WaitOptions;
  readonly input: TypedInput;
  readonly resize: TerminalSize;
  readonly stop: StopOptions;
  readonly end: EndOptions;
  readonly onCompletions: CompletionsOptions;
}

/** A call that takes options. */
export type CallName = keyof OptionsOfCalls;

const SHAPES: { readonly [Call in CallName]: Shape<OptionsOfCalls[Call]> } = {
  connect: { dir: filled, embedded: flag, own: flag },
  bash: {
    name: text,
    cwd: filled,
    env: variables,
    envAll: flag,
    stdin: filled,
    timeoutMs: duration(false),
    background: flag,
    watch: flag,
    lifetime: z.enum(["session", "detached"], { error: "session, detached" }),
    interactive: flag,
    promoteAfterMs: z.nullable(duration(true, ", or null for never")),
    limits: optionsOf(LIMITS),
    signal,
  },
  logs: { lines: wholeNumber(0), from: wholeNumber(0), fromLine: wholeNumber(1), grep: pattern },
  wait: {
    timeoutMs: numberWithin(0, Number.MAX_VALUE, "a number of milliseconds from 0; without it, as long as it takes"),
    match: pattern,
    port: wholeNumber(1, 65_535),
    quietMs: duration(false),
    signal,
  },
  input: { text, enter: flag, keys: strings, eof: flag },
  resize: {
    columns: wholeNumber(1, MAX_TERMINAL_SIZE),
    rows: wholeNumber(1, MAX_TERMINAL_SIZE),
  },
  stop: { reason: text, graceMs: duration(true) },
  end: { graceMs: duration(true) },
  onCompletions: {
    admitted: z.custom<Iterable<string>>(
      (value) => typeof value === "object" && value !== null && Symbol.iterator in value,
      { error: "a list of ids" },
    ),
  },
};

function optionsOf(shape: Readonly<Record<string, z.ZodMiniType>>, isWhole: boolean = false): z.ZodMiniType {
  const all = Object.entries(shape).map(([name, schema]) => [name, isWhole ? schema : z.optional(schema)]);
  return z.strictObject(Object.fromEntries(all), { error: `an object with ${Object.keys(shape).join(", ")}` });
}

function isCallName(call: string): call is CallName {
  return Object.hasOwn(SHAPES, call);
}

const shapeOf = (call: string): object => (isCallName(call) ? SHAPES[call] : {});

const SCHEMAS: ReadonlyMap<string, z.ZodMiniType> = new Map(
  // A size is not an option: both of it must be there.
  Object.entries(SHAPES).map(([name, shape]) => [name, optionsOf(shape, name === "resize")]),
);

/** Codes of fields whose names do not tell them. */
const CODES: Readonly<Record<string, ErrorCode>> = {
  command: "ERR_INPUT_COMMAND",
  cwd: "ERR_INPUT_CWD",
  env: "ERR_INPUT_ENV",
  stdin: "ERR_INPUT_STDIN",
  lifetime: "ERR_INPUT_USAGE",
  match: "ERR_INPUT_PATTERN",
  grep: "ERR_INPUT_PATTERN",
  id: "ERR_INPUT_ID",
  ids: "ERR_INPUT_ID",
};

function codeOf(field: string): ErrorCode {
  if (field.endsWith("Ms")) return "ERR_INPUT_DURATION";
  if (field.endsWith("Bytes")) return "ERR_INPUT_SIZE";
  return CODES[/^\w+/.exec(field)?.[0] ?? ""] ?? "ERR_INPUT_PARAMS";
}

/** A value in a message; of a variable only what it is, because it may be a secret. */
function shown(field: string, value: unknown): string {
  if (field.startsWith("env")) return value === null ? "null" : `a value of type ${typeof value}`;
  if (typeof value === "string")
    return JSON.stringify(value.length <= MAX_SHOWN ? value : `${value.slice(0, MAX_SHOWN).toWellFormed()}…`);
  const whole = inspect(value, { depth: 1, breakLength: Number.POSITIVE_INFINITY, maxStringLength: MAX_SHOWN });
  return whole.length <= MAX_SHOWN ? whole : `${whole.slice(0, MAX_SHOWN).toWellFormed()}…`;
}

function refusal(call: string, field: string, value: unknown, accepted: string): ProctorError {
  const given = shown(field, value);
  return new ProctorError(codeOf(field), `${call}: ${field}: ${given} can't be used. Accepted: ${accepted}.`, {
    details: { call, field, value: given },
  });
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part, i) => (typeof part === "number" ? `[${part}]` : `${i === 0 ? "" : "."}${String(part)}`))
    .join("");
}

/** What stands at a path of a value that was looked at. */
function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const part of path) at = typeof at === "object" && at !== null ? Reflect.get(at, part) : undefined;
  return at;
}

function check(schema: z.ZodMiniType, call: string, root: string, given: unknown): void {
  const result = z.safeParse(schema, given);
  if (result.success) return;
  const [issue] = result.error.issues;
  const path = issue?.path ?? [];
  if (issue?.code !== "unrecognized_keys") {
    const field = path.length === 0 ? root : pathText(root === "options" ? path : [root, ...path]);
    throw refusal(call, field, valueAt(given, path), issue?.message ?? "something else");
  }
  const [unknown = ""] = issue.keys;
  const known = Object.keys(path.length === 0 ? shapeOf(call) : LIMITS);
  const meant = nearest(unknown, known);
  const field = pathText([...path, unknown]);
  throw new ProctorError(
    "ERR_INPUT_PARAMS",
    `${call}: ${field}: there is no such option.${meant === null ? "" : ` Did you mean ${pathText([...path, meant])}?`} ` +
      `Accepted: ${known.join(", ")}.`,
    { details: { call, field, accepted: known } },
  );
}

/**
 * Looks at the options of a call.
 *
 * @throws ProctorError with the code of the field, `ERR_INPUT_PARAMS` for an option that there is not.
 */
export function checkOptions(call: CallName, options: unknown): void {
  const schema = SCHEMAS.get(call);
  if (schema !== undefined) check(schema, call, "options", options);
}

const COMMAND = { error: "a command for bash as a string, or a list of one or more of them" };
const command = z.union([text, z.array(text).check(z.minLength(1, COMMAND))], COMMAND);

/**
 * Looks at what is to be run.
 *
 * @throws ProctorError `ERR_INPUT_COMMAND`.
 */
export function checkCommand(given: unknown): void {
  check(command, "bash", "command", given);
}

/**
 * Looks at an id, or a list of them.
 *
 * @throws ProctorError `ERR_INPUT_ID`.
 */
export function checkId(call: string, id: unknown): void {
  check(text, call, "id", id);
}

/** The same for a list of ids. */
export function checkIds(call: string, ids: unknown): void {
  check(strings, call, "ids", ids);
}

const mode = z.enum(["any", "all"], { error: "any, all" });

/**
 * Looks at how several runs are waited for.
 *
 * @throws ProctorError `ERR_INPUT_PARAMS`.
 */
export function checkMode(given: unknown): void {
  check(mode, "waitForRuns", "mode", given);
}

const listener = z.custom((value) => typeof value === "function", { error: "a function" });

/**
 * Looks at what is to be called back.
 *
 * @throws ProctorError `ERR_INPUT_PARAMS`.
 */
export function checkListener(call: string, given: unknown): void {
  check(listener, call, "listener", given);
}
