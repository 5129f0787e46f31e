/**
 * Puts a picture of real runs into the README, as text: runs the commands below through the built program in a
 * session of its own, and writes what was typed and what came back between the README's picture markers.
 * The only thing that is changed is the name of the temporary state directory.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const README = join(ROOT, "README.md");
const MARKERS = /(<!-- picture:start [^\n]*-->\n)[^]*?(<!-- picture:end -->)/;

/** What a newcomer should see: a sequence; something in the background that tries to get away; its end. */
const LINES = [
  "proctor run 'npm run build' 'npm run lint'",
  "proctor run --background --name server 'setsid sleep 600 & sleep 600'",
  "proctor list",
  "proctor stop-all",
];

const state = realpathSync(mkdtempSync(join(tmpdir(), "proctor-picture-")));
const env = { ...process.env, XDG_STATE_HOME: state, COLUMNS: "100", NO_COLOR: "1" };
for (const name of Object.keys(env)) if (name.startsWith("PROCTOR_")) delete env[name];

function type(line) {
  const program = `proctor() { "${process.execPath}" "${join(ROOT, "dist", "cli", "main.js")}" "$@"; }`;
  const { stdout, stderr } = spawnSync("bash", ["-c", `${program}\n${line}`], { cwd: ROOT, env, encoding: "utf8" });
  return `$ ${line}\n${stderr}${stdout}`.replaceAll(state, "~/.local/state").trimEnd();
}

try {
  const picture = LINES.map(type).join("\n\n");
  const readme = readFileSync(README, "utf8");
  if (!MARKERS.test(readme)) throw new Error(`${README} has no picture markers`);
  writeFileSync(
    README,
    readme.replace(MARKERS, (_, start, end) => `${start}\n\`\`\`console\n${picture}\n\`\`\`\n\n${end}`),
  );
} finally {
  type("proctor session end");
  rmSync(state, { recursive: true, force: true });
}
