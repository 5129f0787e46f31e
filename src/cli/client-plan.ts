/** What `install` and `uninstall` share: which configuration is meant, and how a plan is shown and carried out. */
import { homedir } from "node:os";
import { resolve } from "node:path";
import { carryOut, unifiedDiff } from "../clients/index.ts";
import type { Client, Place, Plan, PlannedChange, Scope } from "../clients/index.ts";
import { ProctorError } from "../model/index.ts";
import type { Arguments } from "./command-spec.ts";
import { oneLine } from "./one-line.ts";
import { wantsColor, writeError, writeJson, writeOut } from "./standard-output.ts";

/**
 * Whose configuration the arguments mean.
 *
 * @throws ProctorError `ERR_INPUT_USAGE` when it is neither.
 */
export function placeOf(args: Arguments): Place {
  const given = args.text("scope") ?? "user";
  const scope = (["user", "project"] as const).find((known: Scope) => known === given);
  if (scope === undefined) {
    throw new ProctorError("ERR_INPUT_USAGE", `--scope: "${given}" is not known. Accepted: user, project.`, {
      details: { value: given },
    });
  }
  return { scope, home: homedir(), cwd: process.cwd(), env: process.env };
}

/** The file that `--config` names, absolute; null without it. */
export function configOf(args: Arguments): string | null {
  const given = args.text("config");
  return given === null ? null : resolve(given);
}

/** Shows a plan, and carries it out unless that is not wanted; gives the exit status. */
export async function showAndCarryOut(
  args: Arguments,
  client: Client,
  place: Place,
  plan: Plan,
  verdict: { readonly done: string; readonly nothing: string },
): Promise<number> {
  const dryRun = args.has("dry-run");
  const files = plan.changes.map((change) => ({
    path: change.file.path,
    action: actionOf(change),
    diff: unifiedDiff(
      change.file.path,
      change.file.bytes === null ? null : change.file.text,
      change.after?.toString("utf8") ?? null,
    ),
    backup: dryRun ? null : change.backup,
  }));
  const asJson = args.has("json");
  // Before anything is written: whoever interrupts here has changed nothing.
  if (!asJson) for (const { diff } of files) await writeOut(wantsColor() ? painted(diff) : diff);
  if (!dryRun) carryOut(plan);
  if (asJson) {
    await writeJson({ client: client.id, scope: place.scope, dryRun, files, notes: plan.notes });
    return 0;
  }
  for (const note of plan.notes) await writeError(`proctor: ${oneLine(note)}\n`);
  if (files.length === 0) await writeOut(`${verdict.nothing}\n`);
  else if (dryRun) await writeOut("\nNothing was changed (--dry-run).\n");
  else {
    const kept = files.flatMap(({ path, backup }) => (backup === null ? [] : [`${path} as it was: ${backup}\n`]));
    await writeOut(`\n${verdict.done}\n${kept.join("")}`);
  }
  return 0;
}

function actionOf({ file, after }: PlannedChange): "create" | "change" | "remove" {
  if (file.bytes === null) return "create";
  return after === null ? "remove" : "change";
}

/** Added lines green, removed ones red, as git has them. */
function painted(diff: string): string {
  return diff
    .split("\n")
    .map((line) => {
      const code = /^(\+\+\+|---) /.test(line) ? "1" : line.startsWith("+") ? "32" : line.startsWith("-") ? "31" : "";
      return code === "" ? line : `\x1b[${code}m${line}\x1b[0m`;
    })
    .join("\n");
}
