// The soak of interactive runs at its full length, on this Node and on the newest line of Node 24 from the npm
// package `node`, one after the other: npm run soak. Exits with 1 when a test failed on either.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const FILES = ["test/session/soak.test.ts", "test/session/panes.test.ts"];

/** The Node 24 that CI has installed, or a new one beside it. */
function node24() {
  const home = join(root, ".cache", "node24");
  const packages = ["node", `node-${process.platform}-${process.arch}`];
  const found = () =>
    packages.map((name) => join(home, "node_modules", name, "bin", "node")).find((path) => existsSync(path));
  for (const name of packages) {
    if (found() !== undefined) break;
    const options = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund"];
    spawnSync("npm", ["install", "--prefix", home, ...options, `${name}@24`], { stdio: "inherit" });
  }
  return found();
}

const nodes = [process.execPath, node24()];
let failed = 0;
for (const node of nodes) {
  if (node === undefined) {
    console.error("Node 24 could not be installed");
    failed++;
    continue;
  }
  const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
  console.log(`\n==> Node ${stdout.trim()}`);
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const { status } = spawnSync(node, [vitest, "run", "--reporter=verbose", ...FILES], {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, SOAK: "full", PATH: `${dirname(node)}${delimiter}${process.env["PATH"] ?? ""}` },
  });
  if (status !== 0) failed++;
}
process.exit(failed === 0 ? 0 : 1);
