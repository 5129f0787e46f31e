/**
 * A policy as arguments of bubblewrap (bwrap(1)), without a shell. Mounts are made in the order of the
 * arguments, so what comes later lies on top: readable, writable, protected, denied, and at last what the
 * run itself needs.
 *
 * No --new-session: the launcher gave the run a session without a terminal already, and within the
 * command's process group signals still reach it. A private network has a loopback that bwrap brings up, so
 * "none" and "loopback" are the same here: processes inside reach each other and nothing else.
 */
import type { SandboxPolicy } from "../model/index.ts";
import type { SandboxPlace } from "./place.ts";

/**
 * What root keeps: to work with files of others where it may write, and to be another user. Without a word about
 * it bwrap leaves root every capability, and whoever can mount takes the whole sandbox off.
 */
const ROOT_KEEPS = [
  "CAP_CHOWN",
  "CAP_DAC_OVERRIDE",
  "CAP_FOWNER",
  "CAP_FSETID",
  "CAP_KILL",
  "CAP_SETGID",
  "CAP_SETUID",
];

/** What a program needs to start at all, where not everything is readable. */
const SYSTEM = ["/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/etc", "/opt", "/nix", "/run/current-system"];

/**
 * The whole command line: bwrap, its arguments, and the command behind "--". A denied or hidden path that ends
 * in a slash is a directory, any other a file: whoever resolved the policy has looked.
 */
export function bubblewrapArgv(
  bwrap: string,
  policy: SandboxPolicy,
  place: SandboxPlace,
  command: readonly string[],
): readonly string[] {
  const argv: string[] = [bwrap, "--die-with-parent", "--unshare-pid", "--unshare-ipc", "--unshare-uts"];
  if (policy.network !== "full") argv.push("--unshare-net");
  argv.push("--cap-drop", "ALL");
  if (place.isRoot) argv.push(...ROOT_KEEPS.flatMap((one) => ["--cap-add", one]));
  if (policy.readable === null) argv.push("--ro-bind", "/", "/");
  else for (const path of [...SYSTEM, ...policy.readable]) argv.push("--ro-bind-try", path, path);
  argv.push("--dev", "/dev", "--proc", "/proc");
  for (const path of policy.writable) argv.push("--bind", path, path);
  for (const path of policy.protected) argv.push("--ro-bind-try", path, path);
  // An empty directory takes a denied one's place; a file is covered by /dev/null.
  const covered = [...policy.denied, ...place.hidden];
  const directories = covered
    .filter(
      (path) =>
        path.endsWith("/") && !covered.some((other) => other !== path && other.endsWith("/") && path.startsWith(other)),
    )
    .map((path) => path.slice(0, -1));
  for (const path of directories) argv.push("--tmpfs", path);
  for (const path of covered) if (!path.endsWith("/")) argv.push("--ro-bind-try", "/dev/null", path);
  argv.push("--bind", place.tmpDir, place.tmpDir);
  for (const path of place.needed) argv.push("--ro-bind-try", path, path);
  // Last: the mount points above had to be made inside.
  for (const path of directories) argv.push("--remount-ro", path);
  argv.push("--setenv", "TMPDIR", place.tmpDir, "--chdir", place.cwd, "--", ...command);
  return argv;
}
