/**
 * Sockets of daemons that run commands for whoever can reach them: the user's service manager and bus, container
 * engines, terminal multiplexers. A read-only mount does not shut a Unix socket (connect(2) asks for the mode of
 * the file only), and neither does a network namespace: what is inside a sandbox must not see them.
 */
import { readdirSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";

/** Directories that hold nothing else of use to a command. */
const DIRECTORIES = [
  "/run/user",
  "/run/dbus",
  "/run/docker",
  "/run/podman",
  "/run/containerd",
  "/run/crio",
  "/run/libvirt",
  "/run/screen",
  "/run/tmux",
  "/tmp/.X11-unix",
  "/tmp/.ICE-unix",
];
const FILES = [
  "/run/docker.sock",
  "/run/systemd/private",
  "/run/systemd/io.systemd.Machine",
  "/run/snapd.socket",
  "/run/snapd-snap.socket",
];

/**
 * The ones that are there, with their links resolved; a directory ends in a slash. What holds one of `kept`, or is
 * in it, is left out: a profile opened it on purpose.
 */
export function controlSockets(env: NodeJS.ProcessEnv, kept: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const path of [...DIRECTORIES, ...FILES, ...multiplexerDirs(env), ...named(env)]) {
    try {
      const real = realpathSync(path);
      const isKept = kept.some((one) => one.startsWith(`${real}/`) || one === real);
      if (!isKept) found.add(statSync(real).isDirectory() ? `${real}/` : real);
    } catch {
      // Not on this machine.
    }
  }
  return [...found];
}

/** tmux keeps the sockets of each user in a directory of its own (tmux(1), TMUX_TMPDIR). */
function multiplexerDirs(env: NodeJS.ProcessEnv): readonly string[] {
  return [...new Set(["/tmp", env["TMUX_TMPDIR"] ?? "/tmp"])].flatMap((dir) => {
    try {
      return readdirSync(dir)
        .filter((name) => /^(?:tmux|screen|rmux)-/.test(name))
        .map((name) => join(dir, name));
    } catch {
      return [];
    }
  });
}

/** Sockets that the environment points at, wherever they are. */
function named(env: NodeJS.ProcessEnv): readonly string[] {
  const docker = /^unix:\/\/(.+)$/.exec(env["DOCKER_HOST"] ?? "")?.[1];
  const bus = /^unix:path=([^,;]+)/.exec(env["DBUS_SESSION_BUS_ADDRESS"] ?? "")?.[1];
  const tmux = env["TMUX"]?.split(",")[0];
  const runtime = env["XDG_RUNTIME_DIR"];
  const paths = [docker, bus, tmux === undefined || tmux === "" ? undefined : dirname(tmux), runtime];
  return paths.flatMap((path) =>
    path !== undefined && path.startsWith("/") && path !== "/" && path !== "/tmp" ? [path] : [],
  );
}
