/**
 * The environment that a command gets: the caller's, less what looks like a secret, plus what was given.
 * A secret that the caller gave by name is passed on, but never written to disk.
 */
import { ProctorError } from "../model/index.ts";

/**
 * Words that name a secret when they are a variable's whole name (`TOKEN`), or its end after `_` (`NPM_TOKEN`);
 * case does not matter. Plurals and names that go on (`MAX_OUTPUT_TOKENS`, `PASSWORD_STORE_DIR`) are other things.
 */
const SECRET_WORDS: readonly string[] = [
  "TOKEN",
  "API_KEY",
  "APIKEY",
  "API_KEYS",
  "SECRET",
  "SECRET_KEY",
  "SECRET_KEY_BASE",
  "SECRET_ACCESS_KEY",
  "ACCESS_KEY",
  "ACCESS_KEY_ID",
  "PRIVATE_KEY",
  "PASSWORD",
  "PASSWD",
  "PASSPHRASE",
  "CREDENTIAL",
  "CREDENTIALS",
  "ACCESSTOKEN",
  "AUTHTOKEN",
  "AUTHKEY",
  "AUTH_KEY",
  "ENCRYPTION_KEY",
  "SIGNING_KEY",
  "MASTER_KEY",
  "SERVICE_ROLE_KEY",
  "ACCOUNT_KEY",
  "STORAGE_KEY",
  "APPLICATION_KEY",
  "ADMIN_KEY",
  "DEPLOY_KEY",
  "LICENSE_KEY",
  "RECORD_KEY",
  "PAT",
  "PASS",
  "JWT",
];

/** Names that programs give to a secret of theirs, and that no rule would find; `*` stands for anything. */
const SECRET_NAMES: readonly string[] = [
  "PGPASSWORD", // PostgreSQL, "Environment Variables" of libpq
  "MYSQL_PWD", // MySQL and MariaDB clients
  "REDISCLI_AUTH", // redis-cli(1)
  "SSHPASS", // sshpass(1), -e
  "COMPOSER_AUTH", // Composer: a document with tokens
  "DOCKER_AUTH_CONFIG", // GitLab runners: a document with passwords of registries
  "npm_config__auth*", // npm, where its configuration comes from the environment
  "npm_config_*:_auth*",
  "AZURE_STORAGE_CONNECTION_STRING", // holds the account's key
  "CI_JOB_JWT_*", // GitLab
  "SLACK_WEBHOOK_URL", // whoever has the address can post
  "APP_KEY", // Laravel
  "DD_APP_KEY", // Datadog
];

/** What a command gets, and what is said about it. */
export interface CommandEnvironment {
  readonly env: Readonly<Record<string, string>>;
  readonly withheld: readonly string[];
  readonly unrecorded: readonly string[];
}

const escaped = (text: string): string => text.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
const anyOf = (patterns: readonly string[]): string =>
  patterns.map((p) => p.split("*").map(escaped).join(".*")).join("|");

const DEFAULT_DENY: RegExp = new RegExp(`^(?:(?:.*_)?(?:${anyOf(SECRET_WORDS)})|${anyOf(SECRET_NAMES)})$`, "i");

/** The deny-list in force: PROCTOR_ENV_DENY (names with `*`, separated by commas; empty for none) or the default. */
function denyPattern(env: NodeJS.ProcessEnv): RegExp {
  const given = env["PROCTOR_ENV_DENY"];
  if (given === undefined) return DEFAULT_DENY;
  const patterns = given
    .split(",")
    .map((p) => p.trim())
    .filter((p) => p !== "");
  return patterns.length === 0 ? /(?!)/ : new RegExp(`^(?:${anyOf(patterns)})$`, "i");
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
  const denied = denyPattern(caller);
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
