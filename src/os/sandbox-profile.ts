/**
 * A sandbox profile as a caller names it, resolved for one workspace: a built-in name or a file. Every path
 * is looked at now and made real, so that what can't be meant is refused before anything is started.
 */
import { readFileSync, realpathSync, statSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { ProctorError, errnoOf, messageOf } from "../model/index.ts";
import type { SandboxNetwork, SandboxPolicy } from "../model/index.ts";
import { controlSockets } from "./control-sockets.ts";

/** The built-in profiles. "+network" leaves the network open. */
const SANDBOX_PROFILES: readonly string[] = [
  "read-only",
  "read-only+network",
  "workspace-write",
  "workspace-write+network",
];

/** What git runs by itself: whoever can write it gets out of the sandbox at the next git command outside. */
const PROTECTED_IN_WORKSPACE = [".git/hooks", ".git/config"];

const KEYS = ["readable", "writable", "denied", "protected", "network"];

function wrong(field: string, message: string, value?: string): ProctorError {
  return new ProctorError("ERR_INPUT_SANDBOX", `sandbox: ${message}`, {
    details: { field, ...(value === undefined ? {} : { value }) },
  });
}

/**
 * The policy that a profile means in a workspace.
 *
 * @throws ProctorError `ERR_INPUT_SANDBOX`, naming the field: an unknown name, a file that can't be read or
 * is no profile, a path that does not exist.
 */
export function sandboxPolicy(profile: string, workspace: string): SandboxPolicy {
  const root = rootOf(workspace);
  if (SANDBOX_PROFILES.includes(profile)) {
    const isWritable = profile.startsWith("workspace-write");
    return {
      name: profile,
      readable: null,
      writable: isWritable ? [root] : [],
      protected: isWritable ? existing(root, PROTECTED_IN_WORKSPACE) : [],
      denied: controlSockets(process.env, [root]),
      network: profile.endsWith("+network") ? "full" : "none",
    };
  }
  if (!profile.includes("/") && !profile.endsWith(".json")) {
    throw wrong(
      "sandbox",
      `"${profile}" is no profile. Accepted: ${SANDBOX_PROFILES.join(", ")}, or a profile file (a path with a slash or a name that ends in .json).`,
      profile,
    );
  }
  return fromFile(resolve(profile), root);
}

function rootOf(workspace: string): string {
  try {
    return realpathSync(workspace);
  } catch (error) {
    throw new ProctorError(
      "ERR_INPUT_CWD",
      `cwd: ${workspace}: it can't be used (${errnoOf(error) ?? "unknown"}). Accepted: a directory that exists.`,
      {
        cause: error,
        details: { cwd: workspace },
      },
    );
  }
}

function existing(root: string, names: readonly string[]): string[] {
  return names
    .map((name) => join(root, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false }) !== undefined);
}

function fromFile(file: string, root: string): SandboxPolicy {
  let value: unknown;
  try {
    value = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    throw wrong(
      "sandbox",
      `the profile file ${file} can't be used (${errnoOf(error) ?? messageOf(error)}). Accepted: a JSON file.`,
      file,
    );
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw wrong("sandbox", `the profile file ${file} holds no object.`, file);
  const fields = new Map(Object.entries(value));
  for (const key of fields.keys()) {
    if (!KEYS.includes(key))
      throw wrong(key, `${file}: "${key}" is no field of a profile. Accepted: ${KEYS.join(", ")}.`, key);
  }
  const list = (key: string): readonly string[] | null => {
    const given = fields.get(key);
    if (given === undefined) return null;
    if (!Array.isArray(given) || !given.every((one): one is string => typeof one === "string")) {
      throw wrong(key, `${file}: ${key} must be a list of paths.`);
    }
    return given.map((path) => real(path, key, file, root));
  };
  const [readable, writable] = [list("readable"), list("writable") ?? []];
  const denied = (list("denied") ?? []).map((path) => (statSync(path).isDirectory() ? `${path}/` : path));
  return {
    name: file,
    readable,
    writable,
    protected: list("protected") ?? [],
    denied: [...new Set([...denied, ...controlSockets(process.env, [...(readable ?? []), ...writable])])],
    network: network(fields.get("network"), file),
  };
}

/** Paths in a profile are absolute, or stand in the workspace. */
function real(path: string, key: string, file: string, root: string): string {
  if (path.includes("\0")) throw wrong(key, `${file}: ${key}: a path holds a NUL character.`);
  try {
    return realpathSync(isAbsolute(path) ? path : join(root, path));
  } catch (error) {
    throw wrong(
      key,
      `${file}: ${key}: ${path} can't be used (${errnoOf(error) ?? messageOf(error)}). Accepted: a path that exists, absolute or in the workspace.`,
      path,
    );
  }
}

function network(given: unknown, file: string): SandboxNetwork {
  if (given === undefined) return "none";
  if (given === "none" || given === "loopback" || given === "full") return given;
  if (typeof given === "object" && given !== null && "allow" in given && Array.isArray(given.allow)) {
    const { allow } = given;
    if (
      allow.length > 0 &&
      allow.every((one): one is string => typeof one === "string" && /^(\*\.)?[\w.-]+(:\d+)?$/.test(one))
    )
      return { allow };
  }
  throw wrong(
    "network",
    `${file}: network: ${JSON.stringify(given)} can't be used. Accepted: "none", "loopback", "full", or {"allow": ["example.org", "*.example.org"]}.`,
  );
}
