/**
 * What faces and hosts say to each other, version 1. A request that does not fit its schema is refused
 * with the field's name; the connection goes on.
 */
import * as z from "zod/mini";
import { ID_PATTERN, MAX_TERMINAL_SIZE, ProctorError } from "../model/index.ts";
import type { InputRequest, ResizeRequest, StartRequest, StopRequest, WaitRequest } from "../model/index.ts";
import type { Hello } from "./hello.ts";

const limit = z.nullable(z.number().check(z.nonnegative()));

const limits = z.object({
  timeoutMs: limit,
  idleTimeoutMs: limit,
  memoryBytes: limit,
  cpuTimeMs: limit,
  openFiles: limit,
  processes: limit,
  fileSizeBytes: limit,
  logMaxBytes: z.number().check(z.positive()),
});

const identity = z.object({ pid: z.int(), start: z.string(), boot: z.string() });

/** The first message of a connection. */
const hello = z.object({
  protocol: z.int(),
  /** From the session's own file, which only its user can read. */
  token: z.string(),
  /** The process for which the session lives: its lease is this connection. */
  lease: z.optional(z.nullable(identity)),
});

const paths = z.array(z.string());
const sandbox = z.object({
  policy: z.object({
    name: z.string(),
    readable: z.nullable(paths),
    writable: paths,
    protected: paths,
    denied: paths,
    network: z.union([z.enum(["none", "loopback", "full"]), z.object({ allow: z.array(z.string()) })]),
  }),
  tool: z.object({ kind: z.enum(["bwrap", "sandbox-exec", "srt"]), path: z.string() }),
});

const start = z.object({
  id: z.string().check(z.regex(ID_PATTERN)),
  commands: z.array(z.string()),
  name: z.nullable(z.string()),
  cwd: z.string(),
  env: z.record(z.string(), z.string()),
  unrecorded: z.array(z.string()),
  withheld: z.array(z.string()),
  umask: z.int(),
  stdin: z.nullable(z.string()),
  interactive: z.boolean(),
  limits,
  argv: z.optional(z.array(z.string()).check(z.minLength(1))),
  output: z.optional(z.enum(["merged", "split"])),
  owner: z.optional(identity),
  polite: z.optional(
    z.object({
      signal: z.enum(["SIGINT", "SIGTERM"]),
      to: z.enum(["process", "group"]),
      waitMs: z.number().check(z.nonnegative()),
    }),
  ),
  unmarked: z.optional(z.boolean()),
  sandbox: z.optional(sandbox),
  caller: z.optional(z.nullable(identity)),
  rules: z.optional(z.object({ heavy: z.array(z.string()), light: z.array(z.string()) })),
});

const stop = z.object({ reason: z.nullable(z.string()), graceMs: z.number().check(z.nonnegative()) });
const id = z.object({ id: z.string() });
const wait = z.object({ id: z.string(), timeoutMs: z.nullable(z.number().check(z.nonnegative())) });
const stopOne = z.object({
  id: z.string(),
  reason: z.nullable(z.string()),
  graceMs: z.number().check(z.nonnegative()),
  cause: z.optional(z.enum(["timeout", "idle_timeout", "watchdog_kill"])),
  blunt: z.optional(z.boolean()),
});

const collect = z.object({ dryRun: z.boolean() });
const ids = z.object({ ids: z.array(z.string()) });

const input = z.object({
  id: z.string(),
  data: z.nullable(z.string()),
  text: z.nullable(z.string()),
  enter: z.boolean(),
  keys: z.array(z.string()),
  eof: z.boolean(),
});
const cells = z.int().check(z.positive(), z.lte(MAX_TERMINAL_SIZE));
const resize = z.object({ id: z.string(), columns: cells, rows: cells });

function parse<T>(schema: z.ZodMiniType<T>, method: string, params: unknown): T {
  const result = z.safeParse(schema, params);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue === undefined || issue.path.length === 0 ? "params" : issue.path.join(".");
  throw new ProctorError("ERR_INPUT_PARAMS", `${method}: ${field}: ${issue?.message ?? "is not valid"}.`, {
    details: { method, field },
  });
}

/** Checks a greeting. */
export const parseHello = (params: unknown): Hello => parse(hello, "hello", params);
/** Checks a start. */
export const parseStart = (params: unknown): StartRequest => parse(start, "start", params);
/** Checks a request that names a run. */
export const parseId = (method: string, params: unknown): string => parse(id, method, params).id;
/** Checks a request to give logs up. */
export const parseCollect = (params: unknown): boolean => parse(collect, "collect", params).dryRun;
/** Checks an acknowledgement. */
export const parseIds = (method: string, params: unknown): readonly string[] => parse(ids, method, params).ids;
/** Checks a wait. */
export const parseWait = (params: unknown): WaitRequest => parse(wait, "wait", params);
/** Checks a stop of everything. */
export const parseStop = (method: string, params: unknown): StopRequest => parse(stop, method, params);
/** Checks a stop of one run. */
export const parseStopOne = (params: unknown): StopRequest & { readonly id: string } => parse(stopOne, "stop", params);
/** Checks what is to be typed. */
export const parseInput = (params: unknown): InputRequest => parse(input, "input", params);
/** Checks a new size. */
export const parseResize = (params: unknown): ResizeRequest => parse(resize, "resize", params);
