/**
 * Tries the package as a user gets it: packs it, installs the tarball with its dependencies into a folder of its own, and
 * with each line of Node that is supported starts every program and imports every export. `npm run test:package`, or with
 * other Nodes: `npm run test:package -- /path/to/node ...`. The last line is "N passed, N failed".
 */
import { execFileSync, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const CACHE = join(ROOT, ".cache", "nodes");
/** The first of the supported line, and the newest of each. */
const LINES = ["20.19.0", "20", "22", "24"];

/** The program of a line of Node, from the npm package `node`; it is fetched when it is not there. */
function nodeOf(line) {
  const dir = join(CACHE, line);
  const platform = `node-${process.platform}-${process.arch}`;
  const candidates = ["node", platform].map((name) => join(dir, "node_modules", name, "bin", "node"));
  const there = () => candidates.find((path) => existsSync(path));
  for (const args of [[`node@${line}`], ["--ignore-scripts", `${platform}@${line}`]]) {
    if (there() !== undefined) break;
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, "package.json"), '{"private":true}\n');
    spawnSync("npm", ["i", "--no-audit", "--no-fund", ...args], { cwd: dir, stdio: "ignore" });
  }
  const found = there();
  if (found === undefined) throw new Error(`Node ${line} could not be installed`);
  return found;
}

const { exports } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "proctor-package-")));
let passed = 0;
const failed = [];
try {
  const packed = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", scratch], {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const [{ filename, unpackedSize, size }] = JSON.parse(packed);
  console.log(`${filename}: ${size} bytes, ${unpackedSize} unpacked`);
  const app = join(scratch, "app");
  mkdirSync(app);
  writeFileSync(join(app, "package.json"), '{"private":true,"type":"module"}\n');
  execFileSync(
    "npm",
    ["i", "--no-audit", "--no-fund", "--ignore-scripts", "--omit=optional", join(scratch, filename)],
    {
      cwd: app,
      stdio: "inherit",
    },
  );
  const files = readdirSync(join(app, "node_modules"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  // What was compiled is for one C library; without it the package is at home with glibc and musl alike.
  look("no compiled file among what was installed", files.filter(isCompiled));
  look("no script that runs when it is installed", files.filter(runsAtInstallation));
  const given = process.argv.slice(2);
  for (const node of given.length > 0 ? given : LINES.map(nodeOf)) tryWith(node, app);
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
}
console.log(`${passed} passed, ${failed.length} failed`);
process.exitCode = failed.length === 0 ? 0 : 1;

/** Notes a check that passes when nothing was found. */
function look(name, found) {
  if (found.length === 0) passed += 1;
  else failed.push(`${name}: ${found.join(", ")}`);
  console.log(`${found.length === 0 ? "ok  " : "FAIL"} ${name}${found.map((path) => `\n     ${path}`).join("")}`);
}

/** Whether a file is machine code, of Linux or macOS, whatever it is called. */
function isCompiled(path) {
  const file = openSync(path);
  try {
    const magic = Buffer.alloc(4);
    readSync(file, magic, 0, 4, 0);
    return /^(7f454c46|c[ef]faedfe|feedfac[ef]|cafebabe)$/.test(magic.toString("hex"));
  } finally {
    closeSync(file);
  }
}

/** Whether a file is a package's manifest with something for npm to run. */
function runsAtInstallation(path) {
  if (!/node_modules\/(@[^/]+\/)?[^/]+\/(package\.json|binding\.gyp)$/.test(path)) return false;
  if (path.endsWith(".gyp")) return true;
  const { scripts = {} } = JSON.parse(readFileSync(path, "utf8"));
  return ["preinstall", "install", "postinstall"].some((name) => name in scripts);
}

function tryWith(node, app) {
  const version = execFileSync(node, ["--version"], { encoding: "utf8" }).trim();
  const home = mkdtempSync(join(scratch, "home-"));
  const env = {
    PATH: [dirname(node), join(app, "node_modules", ".bin"), "/usr/local/bin", "/usr/bin", "/bin"].join(delimiter),
    HOME: home,
    TMPDIR: scratch,
    LANG: "C.UTF-8",
  };
  const call = (command, args, says) => {
    const result = spawnSync(command, args, { cwd: app, env, encoding: "utf8", timeout: 120_000 });
    const ok = result.status === 0 && says.test(result.stdout + result.stderr);
    if (ok) passed += 1;
    else failed.push(`${version}: ${command} ${args.join(" ")}`);
    const why = ok ? "" : `\n     ${result.status ?? result.signal ?? result.error} ${result.stdout}${result.stderr}`;
    console.log(`${ok ? "ok  " : "FAIL"} ${version} ${[command, ...args].join(" ").slice(0, 100)}${why}`);
  };
  call("proctor", ["--version"], /^proctor \d/);
  call("proctor", ["run", "echo it works"], /it works/);
  call("proctor", ["doctor"], /Commands can be run here/);
  call("proctor", ["install", "claude"], /Claude Code starts proctor/);
  call("proctor", ["doctor", "claude"], /claude can use proctor/);
  call("proctor", ["uninstall", "claude"], /does not start proctor any more/);
  for (const name of Object.keys(exports).filter((key) => !key.endsWith(".json"))) {
    const specifier = `proctor${name.slice(1)}`;
    call("node", ["-e", `import("${specifier}").then((m) => console.log(Object.keys(m).length))`], /^[1-9]/);
  }
  call("proctor", ["session", "end"], /has ended/);
}
