/**
 * Finds the tool that enforces sandboxes on this machine, by trying it: being installed says little, since
 * user namespaces may be forbidden (AppArmor on Ubuntu, the default profile of Docker). What can't be tried
 * successfully is refused, so nothing ever runs without the sandbox that was asked for.
 */
import { spawnSync } from "node:child_process";
import { ProctorError } from "../model/index.ts";
import type { SandboxPolicy, SandboxSpec } from "../model/index.ts";
import { findProgram } from "./launcher.ts";
import { sandboxPolicy } from "./sandbox-profile.ts";

/** How long the trial may take, in milliseconds. */
const TRIAL_MS = 10_000;

/** The answer of a trial: null when it worked, otherwise why not. */
const trials = new Map<string, string | null>();

function attempt(path: string, args: readonly string[]): string | null {
  const key = [path, ...args].join("\0");
  const known = trials.get(key);
  if (known !== undefined) return known;
  const { status, error, stderr } = spawnSync(path, args, {
    timeout: TRIAL_MS,
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe"],
  });
  const problem =
    error !== undefined
      ? error.message
      : status === 0
        ? null
        : stderr.trim().split("\n")[0] || `it ended with ${status ?? "a signal"}`;
  trials.set(key, problem);
  return problem;
}

/**
 * The tool that enforces this policy here.
 *
 * @throws ProctorError `ERR_REFUSED_SANDBOX` with the reason, when there is none or it does not work.
 */
function sandboxTool(policy: SandboxPolicy): SandboxSpec["tool"] {
  const refuse = (why: string): ProctorError =>
    new ProctorError(
      "ERR_REFUSED_SANDBOX",
      `sandbox: "${policy.name}" can't be enforced here, so nothing was started: ${why}`,
      {
        details: { field: "sandbox", value: policy.name },
      },
    );
  if (process.platform === "darwin") {
    const path = "/usr/bin/sandbox-exec";
    const problem = attempt(path, ["-p", "(version 1)(allow default)", "/usr/bin/true"]);
    if (problem !== null) throw refuse(`sandbox-exec does not work (${problem}).`);
    return { kind: "sandbox-exec", path };
  }
  const path = findProgram("bwrap");
  if (path === null) throw refuse("bubblewrap (bwrap) was not found on PATH. Install the package bubblewrap.");
  const namespaces = ["--die-with-parent", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--cap-drop", "ALL"];
  if (policy.network !== "full") namespaces.push("--unshare-net");
  const mounts = ["--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"];
  const problem = attempt(path, [...namespaces, ...mounts, "--", findProgram("true") ?? "/bin/true"]);

  if (problem !== null) {
    throw refuse(
      `bubblewrap does not work (${problem}). User namespaces may be forbidden here: by AppArmor, or inside a container.`,
    );
  }
  return { kind: "bwrap", path };
}

/**
 * A profile and the tool that enforces it here.
 *
 * @throws ProctorError `ERR_INPUT_SANDBOX`, `ERR_REFUSED_SANDBOX`.
 */
export function resolveSandbox(profile: string, workspace: string): SandboxSpec {
  const policy = sandboxPolicy(profile, workspace);
  if (typeof policy.network === "object") {
    throw new ProctorError(
      "ERR_REFUSED_SANDBOX",
      `sandbox: "${policy.name}" allows some domains only, which needs a proxy that lives as long as the run: only an agent run has one. Nothing was started. Accepted here: network "none", "loopback" or "full".`,
      {
        details: { field: "sandbox", value: policy.name },
      },
    );
  }
  return { policy, tool: sandboxTool(policy) };
}
