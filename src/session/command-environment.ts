/**
 * The environment that a command gets: the caller's, less what looks like a secret, plus what was given.
 * A secret that the caller gave by name is passed on, but never written to disk.
 */
import { ProctorError } from "../model/index.ts";

/** Names of variables that hold secrets by custom; `*` stands for anything. Replaced by PROCTOR_ENV_DENY. */
const DEFAULT_ENV_DENY: readonly string[] = [
  "*_TOKEN",
  "*_API_KEY",
  "*_APIKEY",
  "*_SECRET",
  "*_SECRET_KEY",
  "*_SECRET_ACCESS_KEY",
  "*_ACCESS_KEY_ID",
  "*_PRIVATE_KEY",
  "*_PASSWORD",
  "*_PASSWD",
  "*_PASSPHRASE",
  "*_CREDENTIALS",
];

/** What a command gets, and what is said about it. */
export interface CommandEnvironment {
  readonly env: Readonly<Record<string, string>>;
  readonly withheld: readonly string[];
  readonly unrecorded: readonly string[];
}

function denyPattern(patterns: readonly string[]): RegExp {
  if (patterns.length === 0) return /(?!)/;
  const parts = patterns.map((p) =>
    p
      .split("*")
      .map((s) => s.replace(/[.+?^${}()|[\]\\]/g, "\\$&"))
      .join(".*"),
  );
  return new RegExp(`^(?:${parts.join("|")})$`, "i");
}

/** The deny-list in force: PROCTOR_ENV_DENY (names with `*`, separated by commas; empty for none) or the default. */
function envDenyList(env: NodeJS.ProcessEnv): readonly string[] {
  const given = env["PROCTOR_ENV_DENY"];
  if (given === undefined) return DEFAULT_ENV_DENY;
  return given
    .split(",")
    .map((p) => p.trim())
    .filter((p) => p !== "");
}

/** What describes the caller's own terminal, and would be wrong about an interactive run's. */
const TERMINAL_NAMES: ReadonlySet<string> = new Set([
  "TERM",
  "TERMCAP",
  "COLUMNS",
  "LINES",
  "TERM_PROGRAM",
  "TERM_PROGRAM_VERSION",
  "COLORTERM",
]);

/**
 * Puts a command's environment together. `all` passes secrets on as well (`--env-all`); `interactive` leaves out what
 * describes the caller's own terminal, unless it was given by name.
 */
export function commandEnvironment(
  caller: NodeJS.ProcessEnv,
  given: Readonly<Record<string, string>>,
  all: boolean,
  interactive: boolean = false,
): CommandEnvironment {
  const denied = denyPattern(envDenyList(caller));
  const env: Record<string, string> = {};
  const withheld: string[] = [];
  const unrecorded: string[] = [];
  for (const [name, value] of Object.entries(caller)) {
    if (value === undefined || (interactive && TERMINAL_NAMES.has(name))) continue;
    if (denied.test(name) && !(name in given)) {
      if (!all) {
        withheld.push(name);
        continue;
      }
      unrecorded.push(name);
    }
    env[name] = value;
  }
  for (const [name, value] of Object.entries(given)) {
    env[name] = value;
    if (denied.test(name)) unrecorded.push(name);
  }
  return { env, withheld, unrecorded };
}

/**
 * Reads `K=V` as it is given on a command line.
 *
 * @throws ProctorError `ERR_INPUT_ENV`, naming the text.
 */
export function parseEnvAssignment(text: string): readonly [string, string] {
  const at = text.indexOf("=");
  const name = at < 0 ? text : text.slice(0, at);
  if (at <= 0 || name.includes("\0")) {
    throw new ProctorError("ERR_INPUT_ENV", `--env: "${text}" is not an assignment. Accepted: NAME=VALUE.`, {
      details: { value: text },
    });
  }
  return [name, text.slice(at + 1)];
}
