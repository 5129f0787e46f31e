/**
 * The shell and the environment that a command gets: what Pi's settings and Pi's own `bash` say. `shellPath` is
 * the shell, `shellCommandPrefix` comes before every command, and PI_* variables describe the conversation as it is
 * when the command starts. Source: docs/environment-variables.md and docs/shell-aliases.md of Pi 1.6.
 */
import { accessSync, constants } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { ProctorError } from "../model/index.ts";
import type { StartExtras } from "../model/index.ts";
import type { PiApi, PiContext } from "./pi-api.ts";

/** The variables that describe a conversation; what Pi itself inherited of them is another one's. */
const CONVERSATION = ["PI_SESSION_ID", "PI_SESSION_FILE", "PI_PROVIDER", "PI_MODEL", "PI_REASONING_LEVEL"] as const;

/** A leading `~` is the home directory. */
function expanded(path: string): string {
  return path === "~" || path.startsWith("~/") ? join(homedir(), path.slice(1)) : path;
}

/** A text as one word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Pi's settings about the shell. */
export interface ShellSettings {
  /** Absolute; null: bash. */
  readonly path: string | null;
  readonly prefix: string;
}

/**
 * Reads them.
 *
 * @throws ProctorError `ERR_INPUT_FILE` for a shell that is not there.
 */
export function shellSettings(pi: Pick<PiApi, "getSettings">): ShellSettings {
  const { shellPath, shellCommandPrefix } = pi.getSettings();
  const prefix = typeof shellCommandPrefix === "string" ? shellCommandPrefix : "";
  if (typeof shellPath !== "string" || shellPath === "") return { path: null, prefix };
  const path = expanded(shellPath);
  try {
    accessSync(path, constants.X_OK);
  } catch (error) {
    throw new ProctorError(
      "ERR_INPUT_FILE",
      `shellPath: ${path} can't be run. Accepted in Pi's settings: the path of a shell, or nothing for bash.`,
      { cause: error },
    );
  }
  return { path, prefix };
}

/** What is run for a command's text: the text itself for bash, or another shell with the text. */
export interface ShellCommand extends Pick<StartExtras, "argv"> {
  readonly commands: readonly string[];
}

/** The commands with the prefix, for the shell of the settings. */
export function shellCommands(commands: readonly string[], { path, prefix }: ShellSettings): ShellCommand {
  const texts = commands.map((command) => {
    if (prefix === "") return command;
    // A command's own settings count in its first line only.
    const pragma = /^# @proctor:.*\n/.exec(command)?.[0] ?? "";
    return `${pragma}${prefix}\n${command.slice(pragma.length)}`;
  });
  const [only] = texts;
  if (path === null || only === undefined) return { commands: texts };
  // A single command is run by that shell alone; stages are begun by bash, which it replaces.
  if (texts.length === 1) return { commands: texts, argv: [path, "-c", only] };
  return { commands: texts.map((text) => `exec ${quoted(path)} -c ${quoted(text)}`) };
}

/** What a command's environment has beside Pi's own: where Pi keeps its programs, and the conversation. */
export function conversationEnvironment(
  env: NodeJS.ProcessEnv,
  ctx: Pick<PiContext, "sessionManager" | "model" | "thinkingLevel"> | null,
): { readonly inherited: NodeJS.ProcessEnv; readonly added: Readonly<Record<string, string>> } {
  const inherited = { ...env };
  for (const name of CONVERSATION) delete inherited[name];
  const agentDir = expanded(env["PI_CODING_AGENT_DIR"] ?? "");
  const bin = join(agentDir === "" ? join(homedir(), ".pi", "agent") : agentDir, "bin");
  const path = (env["PATH"] ?? "").split(delimiter).filter((dir) => dir !== "");
  inherited["PATH"] = (path.includes(bin) ? path : [bin, ...path]).join(delimiter);
  if (ctx === null) return { inherited, added: {} };
  const file = ctx.sessionManager.getSessionFile();
  return {
    inherited,
    added: {
      PI_SESSION_ID: ctx.sessionManager.getSessionId(),
      ...(file === undefined ? {} : { PI_SESSION_FILE: file }),
      ...(ctx.model === undefined ? {} : { PI_PROVIDER: ctx.model.provider, PI_MODEL: ctx.model.id }),
      ...(ctx.thinkingLevel === undefined ? {} : { PI_REASONING_LEVEL: ctx.thinkingLevel }),
    },
  };
}
