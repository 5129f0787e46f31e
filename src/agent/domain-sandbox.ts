/**
 * Sandboxes that reach some domains only: enforced by @anthropic-ai/sandbox-runtime, an optional peer, whose
 * filtering proxies live in this process. It serves one policy at a time; a second one is refused until the
 * last run of the first is over.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SandboxManager } from "@anthropic-ai/sandbox-runtime";
import { ProctorError, messageOf, newId } from "../model/index.ts";
import type { SandboxPolicy, SandboxSpec } from "../model/index.ts";
import { findProgram } from "../os/index.ts";

/** A program inside such a sandbox, ready to be started. */
export interface DomainSandbox {
  readonly spec: SandboxSpec;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** The run is over. */
  release(): Promise<void>;
}

const PEER = "@anthropic-ai/sandbox-runtime";
let inUse: { readonly key: string; runs: number } | null = null;

function refuse(policy: SandboxPolicy, why: string): ProctorError {
  return new ProctorError(
    "ERR_REFUSED_SANDBOX",
    `sandbox: "${policy.name}" allows some domains only, which can't be enforced, so nothing was started: ${why}`,
    {
      details: { field: "sandbox", value: policy.name },
    },
  );
}

/**
 * Puts a program into a sandbox that reaches the policy's domains only.
 *
 * @throws ProctorError `ERR_REFUSED_SANDBOX`, with the reason, when that can't be enforced here.
 */
export async function domainSandbox(
  policy: SandboxPolicy,
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  place: { readonly cwd: string; readonly hidden: readonly string[] },
): Promise<DomainSandbox> {
  if (typeof policy.network === "string") throw refuse(policy, "it names no domains.");
  if (policy.readable !== null)
    throw refuse(
      policy,
      '"readable" and a list of domains do not go together; leave "readable" out, and use "denied".',
    );
  const manager = await load(policy);
  const key = JSON.stringify(policy);
  if (inUse !== null && inUse.key !== key)
    throw refuse(policy, "another list of domains is in force in this process; one at a time.");
  inUse ??= { key, runs: 0 };
  inUse.runs += 1;
  const tmpDir = mkdtempSync(join(tmpdir(), "proctor-sandbox-"));
  const release = async (): Promise<void> => {
    rmSync(tmpDir, { recursive: true, force: true });
    if (inUse === null) return;
    inUse.runs -= 1;
    if (inUse.runs > 0) return;
    inUse = null;
    await manager.reset();
  };
  try {
    const filesystem = {
      denyRead: [...policy.denied, ...place.hidden].map((path) => path.replace(/(.)\/$/, "$1")),
      allowWrite: [...policy.writable, tmpDir],
      denyWrite: [...policy.protected],
    };
    if (inUse.runs === 1)
      await manager.initialize({
        network: { allowedDomains: [...policy.network.allow], deniedDomains: [] },
        filesystem,
      });
    // A name of our own for the run: the default is the command itself, in the user name of every proxy.
    const wrapped = await manager.wrapWithSandboxArgv(
      `export TMPDIR=${quoted(tmpDir)}; exec ${command.map(quoted).join(" ")}`,
      undefined,
      { filesystem },
      undefined,
      place.cwd,
      { commandId: newId() },
    );
    const added = Object.entries(wrapped.env).filter(
      ([name, value]) => value !== undefined && process.env[name] !== value,
    );
    return {
      spec: { policy, tool: { kind: "srt", path: PEER } },
      argv: absolute(wrapped.argv),
      env: { ...env, ...(Object.fromEntries(added) as Record<string, string>) },
      release,
    };
  } catch (error) {
    await release();
    throw refuse(policy, messageOf(error));
  }
}

async function load(policy: SandboxPolicy): Promise<typeof SandboxManager> {
  let manager: typeof SandboxManager;
  try {
    ({ SandboxManager: manager } = await import("@anthropic-ai/sandbox-runtime"));
  } catch (error) {
    throw refuse(
      policy,
      `${PEER} is not installed (${messageOf(error).split("\n")[0] ?? ""}). Install it beside proctor.`,
    );
  }
  if (!manager.isSupportedPlatform()) throw refuse(policy, `${PEER} does not support this system.`);
  const { errors } = manager.checkDependencies();
  // It looks for nested files that must stay protected with ripgrep, and goes on without a word when there is none.
  if (findProgram("rg") === null) errors.push("ripgrep (rg) is not installed");
  if (errors.length > 0) throw refuse(policy, `${errors.join("; ")}.`);
  return manager;
}

/** The launcher executes a path, not a name. */
function absolute(argv: readonly string[]): readonly string[] {
  const [program = "", ...rest] = argv;
  return [program.startsWith("/") ? program : (findProgram(program) ?? program), ...rest];
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
