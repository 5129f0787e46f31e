/**
 * The programs that the tests try proctor with, of which a bare system lacks some. Fails with what to install, so that
 * nobody finds out ten minutes later; `--packages` prints the Debian packages that are missing, one a line.
 */
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

const missing = Object.entries(NEEDED).filter(
  ([program]) => !isOnPath(program) && (process.platform === "linux" || !LINUX_ONLY.has(program)),
);
const packages = [...new Set(missing.map(([, name]) => name))];
if (process.argv.includes("--packages")) {
  for (const name of packages) console.log(name);
} else if (missing.length > 0) {
  console.error(
    `The tests need what is not on PATH: ${missing.map(([program]) => program).join(", ")}. On Debian:\n\n  apt-get install ${packages.join(" ")}\n`,
  );
  process.exitCode = 1;
}
