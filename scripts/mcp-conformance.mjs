#!/usr/bin/env node
// Runs what others wrote to judge MCP servers against this one: the MCP Inspector's command line over standard
// input and output, and the MCP conformance suite over HTTP. Both need a newer Node than the package does, so
// that is installed beside them, in node_modules/.cache, at the versions pinned here. Needs a build in dist/.
//
//   node scripts/mcp-conformance.mjs [--keep]
//
// Prints a line a check and ends with "N passed, N failed"; the exit status is 1 when one failed.
import { execFile, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const NODE = `node-${process.platform}-${process.arch}`;
const TOOLS = {
  [NODE]: "24",
  "@modelcontextprotocol/inspector": "2.12.0",
  "@modelcontextprotocol/conformance": "0.1.16",
};
/** What a server that offers tools only must do. */
const MUST_PASS = [
  "server-initialize",
  "ping",
  "tools-list",
  "tools-call-simple-text",
  "tools-call-error",
  "tools-call-with-progress",
  "dns-rebinding-protection",
];
const root = fileURLToPath(new URL("..", import.meta.url));
const cache = join(root, "node_modules", ".cache", "mcp-conformance");
const program = join(root, "dist", "cli", "main.js");
const fixtures = join(root, "test", "mcp", "fixtures");
const home = mkdtempSync(join(tmpdir(), "proctor-mcp-conformance-"));

let passed = 0;
let failed = 0;
function check(name, isRight, detail = "") {
  if (isRight) passed += 1;
  else failed += 1;
  console.log(
    `${isRight ? "ok  " : "FAIL"} ${name}${isRight || detail === "" ? "" : `\n     ${detail.slice(0, 2000).replaceAll("\n", "\n     ")}`}`,
  );
}

/** Runs a program to its end. */
function run(command, args, timeoutMs = 120_000) {
  const env = {
    PATH: `${join(cache, "node_modules", NODE, "bin")}:${process.env.PATH}`,
    HOME: home,
    TMPDIR: home,
    NO_COLOR: "1",
  };
  return new Promise((resolve) => {
    execFile(command, args, { cwd: home, env, timeout: timeoutMs, maxBuffer: 64 << 20 }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : typeof error.code === "number" ? error.code : -1, stdout, stderr });
    });
  });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function install() {
  mkdirSync(cache, { recursive: true });
  const wanted = JSON.stringify({ private: true, dependencies: TOOLS });
  const file = join(cache, "package.json");
  const isThere =
    existsSync(file) &&
    readFileSync(file, "utf8") === wanted &&
    existsSync(join(cache, "node_modules", ".package-lock.json"));
  if (isThere) return;
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  writeFileSync(file, wanted);
  const { code, stderr } = await new Promise((resolve) => {
    execFile(
      "npm",
      ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"],
      { cwd: cache, timeout: 600_000 },
      (error, _out, err) => resolve({ code: error === null ? 0 : 1, stderr: err }),
    );
  });
  if (code !== 0) {
    rmSync(file, { force: true });
    throw new Error(`The tools could not be installed: ${stderr}`);
  }
}

/** The file that a package's command is. */
function commandOf(name) {
  const { bin } = JSON.parse(readFileSync(join(cache, "node_modules", name, "package.json"), "utf8"));
  return join(cache, "node_modules", name, typeof bin === "string" ? bin : Object.values(bin)[0]);
}

async function inspector(node) {
  const command = commandOf("@modelcontextprotocol/inspector");
  for (const era of ["legacy", "modern"]) {
    const inspect = (method, ...rest) =>
      run(node, [
        command,
        "--cli",
        "--format",
        "json",
        "-q",
        "--protocol-era",
        era,
        "--method",
        method,
        ...rest,
        process.execPath,
        program,
        "mcp",
      ]);
    const call = (name, args, ...rest) =>
      inspect("tools/call", "--tool-name", name, "--tool-args-json", JSON.stringify(args), ...rest);

    const listed = await inspect("tools/list");
    const names = (parsed(listed.stdout)?.result?.tools ?? []).map((tool) => tool.name);
    check(
      `inspector, ${era}: tools/list gives the eight tools`,
      listed.code === 0 && names.length === 8 && names[0] === "bash",
      `${listed.code} ${listed.stdout}${listed.stderr}`,
    );

    const called = await call("bash", { command: ["echo inspected; exit 3"] });
    const result = parsed(called.stdout)?.result;
    check(
      `inspector, ${era}: a command that fails is an answer`,
      called.code === 0 && result?.content?.[0]?.text.startsWith("inspected\nExit status 3 ") === true,
      `${called.code} ${called.stdout}${called.stderr}`,
    );

    const refused = await call("bash", { command: ["true"], timeout: 180000 });
    check(
      `inspector, ${era}: a refusal is a tool error`,
      refused.code === 5,
      `${refused.code} ${refused.stdout}${refused.stderr}`,
    );

    const strict = await inspect("tools/list", "--strict");
    check(
      `inspector, ${era}: no problem with the schemas (--strict)`,
      strict.code === 0,
      `${strict.code} ${strict.stdout}${strict.stderr}`,
    );

    const load = await call(
      "bash",
      { command: ["echo load"] },
      "--load",
      "--load-requests",
      "50",
      "--load-concurrency",
      "5",
    );
    check(
      `inspector, ${era}: fifty calls, five at a time`,
      load.code === 0 && parsed(load.stdout)?.result?.ok === 50,
      `${load.code} ${load.stdout}${load.stderr}`,
    );
  }
}

/** The server over HTTP; resolves when it serves. */
function httpServer() {
  const child = spawn(process.execPath, [join(fixtures, "http-server.mjs")], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: home, TMPDIR: home },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", () => reject(new Error("The server over HTTP ended before it served.")));
    child.stdout.once("data", (chunk) => resolve({ child, port: JSON.parse(chunk.toString("utf8")).port }));
  });
}

async function conformance(node) {
  const command = commandOf("@modelcontextprotocol/conformance");
  const { child, port } = await httpServer();
  try {
    const out = join(home, "results");
    const { code, stdout, stderr } = await run(
      node,
      [
        command,
        "server",
        "--url",
        `http://127.0.0.1:${port}/mcp`,
        "--expected-failures",
        join(fixtures, "conformance-expected-failures.yml"),
        "-o",
        out,
      ],
      300_000,
    );
    for (const name of MUST_PASS)
      check(
        `conformance: ${name}`,
        new RegExp(`✓ ${name}: [1-9]\\d* passed, 0 failed`).test(stdout),
        stdout.slice(stdout.indexOf("=== SUMMARY")),
      );
    check(
      "conformance: no scenario fails or passes that should not",
      code === 0,
      `${stdout.slice(stdout.indexOf("=== SUMMARY"))}\n${stderr}`,
    );
  } finally {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGTERM");
    await ended;
  }
}

try {
  await install();
  const node = join(cache, "node_modules", NODE, "bin", "node");
  const { stdout } = await run(node, ["--version"]);
  console.log(
    `Node ${stdout.trim()}, ${Object.entries(TOOLS)
      .slice(1)
      .map(([name, version]) => `${name} ${version}`)
      .join(", ")}`,
  );
  await inspector(node);
  await conformance(node);
} catch (error) {
  check("the suites run", false, String(error?.stack ?? error));
} finally {
  if (process.argv.includes("--keep")) console.log(`Kept: ${home}`);
  else rmSync(home, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
