/** Finds an agent's program and asks it for its version. */
import { execFile } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { ProctorError } from "../model/index.ts";
import type { ProviderAdapter } from "./adapter.ts";

/** How long a program may take to tell its version, in milliseconds. */
const VERSION_MS = 20_000;

/** A program that was found. */
export interface DetectedProvider {
  readonly path: string;
  /** The first number with dots in what it printed; null when it told none. */
  readonly version: string | null;
}

/**
 * The absolute path of a program: on the PATH of `env` and nowhere else.
 *
 * @throws ProctorError `ERR_HOST_PROVIDER` when it is missing or not executable.
 */
export function findBinary(binary: string, env: Readonly<Record<string, string | undefined>>): string {
  if (binary.includes("/")) {
    if (!binary.startsWith("/")) throw missing(binary, "is a relative path; give an absolute one, or a name on PATH");
    if (isExecutable(binary)) return binary;
    throw missing(binary, exists(binary) ? "may not be executed" : "does not exist");
  }
  const path = env["PATH"] ?? process.env["PATH"] ?? "";
  let shut: string | null = null;
  for (const dir of path.split(delimiter)) {
    if (!dir.startsWith("/")) continue;
    const file = join(dir, binary);
    if (isExecutable(file)) return file;
    if (exists(file)) shut ??= file;
  }
  throw missing(
    binary,
    shut === null
      ? `was not found on PATH (${path === "" ? "which is empty" : path.slice(0, 300)})`
      : `is at ${shut}, but may not be executed`,
  );
}

/**
 * Finds the program of an adapter and its version.
 *
 * @throws ProctorError `ERR_HOST_PROVIDER`.
 */
export async function detect(
  adapter: ProviderAdapter,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<DetectedProvider> {
  const path = findBinary(adapter.binary, env);
  const text = await new Promise<string>((resolve, reject) => {
    const child = execFile(
      path,
      [...(adapter.versionArgs ?? ["--version"])],
      { env, timeout: VERSION_MS, encoding: "utf8", maxBuffer: 1 << 20 },
      (error, stdout) => {
        if (error === null) resolve(stdout);
        else
          reject(
            missing(
              adapter.binary,
              `was found at ${path}, but could not tell its version: ${error.message.split("\n")[0] ?? ""}`,
            ),
          );
      },
    );
    child.stdin?.end();
  });
  return { path, version: /\d+(?:\.\d+)+(?:[-+][\w.]+)?/.exec(text)?.[0] ?? null };
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

function exists(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // in a directory that may not be entered, or behind a loop of links: not there for us
  }
}

function missing(binary: string, what: string): ProctorError {
  return new ProctorError("ERR_HOST_PROVIDER", `binary: "${binary}" ${what}.`, {
    details: { field: "binary", value: binary },
  });
}
