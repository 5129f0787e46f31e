/**
 * The programs that the tests try proctor with, of which a bare system lacks some. On Debian they are installed, where that needs
 * no password: by root, or by who may `sudo` without one. Elsewhere it fails with what to install, so that nobody
 * finds out ten minutes later.
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

/** By program the Debian package that brings it. */
const NEEDED = {
  bwrap: "bubblewrap",
  curl: "curl",
  git: "git",
  less: "less",
  mount: "mount",
  perl: "perl",
  prlimit: "util-linux",
  ps: "procps",
  python3: "python3",
  rg: "ripgrep",
  script: "bsdutils",
  setpriv: "util-linux",
  setsid: "util-linux",
  socat: "socat",
  tmux: "tmux",
  vim: "vim",
};
/** Programs of Linux alone. */
const LINUX_ONLY = new Set(["bwrap", "prlimit", "setpriv", "setsid"]);

function isOnPath(program) {
  return (process.env.PATH ?? "").split(delimiter).some((dir) => {
    try {
      accessSync(join(dir, program), constants.X_OK);
      return dir !== "";
    } catch {
      return false;
    }
  });
}

const missing = () =>
  Object.keys(NEEDED).filter(
    (program) => !isOnPath(program) && (process.platform === "linux" || !LINUX_ONLY.has(program)),
  );
const packagesOf = (programs) => [...new Set(programs.map((program) => NEEDED[program]))];

/** What a command of ours is prefixed with to be root's; null where that needs a password, or can't be. */
function asRoot() {
  if (process.getuid?.() === 0) return [];
  const sudo = isOnPath("sudo") && spawnSync("sudo", ["-n", "true"], { stdio: "ignore" }).status === 0;
  return sudo ? ["sudo", "-n"] : null;
}

function install(packages) {
  const prefix = isOnPath("apt-get") ? asRoot() : null;
  if (prefix === null) return;
  console.log(`Installing what the tests need: ${packages.join(", ")}`);
  const apt = (stdio, ...args) => {
    const argv = [
      ...prefix,
      "env",
      "DEBIAN_FRONTEND=noninteractive",
      "apt-get",
      "-qq",
      "-o",
      "Dpkg::Use-Pty=0",
      ...args,
    ];
    return spawnSync(argv[0], argv.slice(1), { stdio: ["ignore", stdio, stdio] }).status === 0;
  };
  const wanted = ["install", "-y", "--no-install-recommends", ...packages];
  // The package lists of a fresh image are empty; where there are some, they are good enough.
  if (!apt("ignore", ...wanted) && apt("inherit", "update")) apt("inherit", ...wanted);
}

if (missing().length > 0) install(packagesOf(missing()));
const left = missing();
if (left.length > 0) {
  console.error(
    `The tests need what is not on PATH: ${left.join(", ")}. On Debian:\n\n  apt-get install ${packagesOf(left).join(" ")}\n`,
  );
  process.exitCode = 1;
}
