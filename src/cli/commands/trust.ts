/** `proctor trust`: lets a project's settings count, with the content they have now. */
import { ProctorError, resolveSettings } from "../../model/index.ts";
import { parseProjectFile, readProjectFile, recordTrust, trustRecords } from "../../session/index.ts";
import type { Arguments } from "../command-spec.ts";
import { oneLine } from "../one-line.ts";
import { projectOperand } from "../project-operand.ts";
import { alignedTable } from "../run-table.ts";
import { outputWidth, wantsColor, writeError, writeJson, writeOut } from "../standard-output.ts";

/** Carries out `proctor trust`. */
export async function execute(args: Arguments): Promise<number> {
  if (args.has("list")) return list(args);
  const path = projectOperand(args);
  const file = readProjectFile(path);
  if (file.kind === "refused") throw unusable(path, file.why);
  const parsed = parseProjectFile(file.text);
  if (parsed.kind === "broken") throw unusable(path, `is not JSON (${parsed.why})`);
  const { value } = parsed;
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw unusable(path, "is not a JSON object");
  const { notes } = resolveSettings({ project: { path, value } });
  const record = recordTrust(path, file.hash, process.env);
  for (const note of notes) await writeError(`proctor: ${oneLine(note)}\n`);
  if (args.has("json")) await writeJson({ trusted: record, notes });
  else {
    const says = Object.entries(value).map(([key, given]) => `  ${oneLine(key)}: ${oneLine(JSON.stringify(given))}\n`);
    await writeOut(`Trusted: ${path}\n${says.join("")}`);
  }
  return 0;
}

function unusable(path: string, why: string): ProctorError {
  return new ProctorError(
    "ERR_INPUT_FILE",
    `FILE: ${path} ${why}. Accepted: a file of your own that holds a JSON object.`,
    {
      details: { file: path },
    },
  );
}

async function list(args: Arguments): Promise<number> {
  const [given] = args.operands;
  if (given !== undefined)
    throw new ProctorError("ERR_INPUT_USAGE", `--list takes no FILE, and "${given}" was given. Accepted: one of them.`);
  const files = trustRecords(process.env).map(({ path, sha256, trustedAt }) => {
    return { path, sha256, trustedAt, state: stateOf(path, sha256) };
  });
  if (args.has("json")) await writeJson({ files });
  else if (files.length === 0) await writeError("No project's settings are trusted.\n");
  else {
    const rows = files.map((file) => [file.state, file.trustedAt, oneLine(file.path)].map((text) => ({ text })));
    await writeOut(alignedTable(["STATE", "SINCE", "FILE"], rows, { color: wantsColor(), width: outputWidth() }));
  }
  return 0;
}

function stateOf(path: string, trusted: string): "trusted" | "changed" | "unusable" {
  const file = readProjectFile(path);
  if (file.kind === "refused") return "unusable";
  return file.hash === trusted ? "trusted" : "changed";
}
