/**
 * Installs the real agent CLIs, pinned, into .cache/real-agents, one folder each, with a Node that is new
 * enough for Pi: `node scripts/real-agents/install.mjs`, or on the way of a test. Nothing of them becomes part of
 * the project.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

const CACHE = join(import.meta.dirname, "..", "..", ".cache", "real-agents");

/** The folder of the newer Node's program. */
export const NODE_BIN = join(CACHE, "node24", "node_modules", "node", "bin");

const PACKAGES = {
  node24: { spec: "node@24.21.0", bin: "node" },
  claude: { spec: "@anthropic-ai/claude-code@2.1.332", bin: "claude" },
  codex: { spec: "@openai/codex@0.171.0", bin: "codex" },
  gemini: { spec: "@google/gemini-cli@0.61.0", bin: "gemini" },
  opencode: { spec: "opencode-ai@1.18.33", bin: "opencode" },
  pi: { spec: "@earendil-works/pi-coding-agent@1.6.0", bin: "pi" },
  qwen: { spec: "@qwen-code/qwen-code@0.24.4", bin: "qwen" },
  copilot: { spec: "@github/copilot@1.0.102", bin: "copilot" },
};

/** The path of a CLI's program. */
export function binaryOf(name) {
  return join(CACHE, name, "node_modules", ".bin", PACKAGES[name].bin);
}

/** Installs what is missing of `names`; all of them unless some are named. */
export function installAgents(names = Object.keys(PACKAGES)) {
  for (const [name, { spec }] of Object.entries(PACKAGES)) {
    if (name !== "node24" && !names.includes(name)) continue;
    if (existsSync(binaryOf(name))) continue;
    const dir = join(CACHE, name);
    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, "package.json"), '{"private":true}\n');
    // The newer Node first: npm chooses a release by the engine that runs it.
    const PATH = `${NODE_BIN}${delimiter}${process.env.PATH}`;
    execFileSync("npm", ["i", "--no-audit", "--no-fund", spec], {
      cwd: dir,
      env: { ...process.env, PATH },
      stdio: "inherit",
    });
  }
}

if (process.argv[1] === import.meta.filename) installAgents();
