/** `proctor doctor`: what this machine can do, by trying it. */
import type { Arguments } from "../command-spec.ts";
import { runChecks } from "../doctor-checks.ts";
import { sessionDirOf } from "../session-access.ts";
import { wantsColor, writeJson, writeOut } from "../standard-output.ts";

/** Carries out `proctor doctor`. */
export async function execute(args: Arguments): Promise<number> {
  const [client] = args.operands;
  const results = client === undefined ? await runChecks(sessionDirOf(args)) : await checksOf(client);
  const canRun = results.every(({ check, isNeeded }) => check.ok || !isNeeded);
  if (args.has("json")) await writeJson({ checks: results.map(({ check }) => check) });
  else {
    const color = wantsColor();
    const width = Math.max(...results.map(({ check }) => check.name.length));
    const lines = results.map(({ check, isNeeded }) => {
      const word = check.ok ? "ok" : isNeeded ? "missing" : "without";
      const code = check.ok ? "32" : isNeeded ? "31" : "33";
      return `${color ? `\x1b[${code}m${word}\x1b[0m` : word}${" ".repeat(9 - word.length)}${check.name.padEnd(width)}  ${check.detail}`;
    });
    await writeOut(
      `${lines.join("\n")}\n\n${client === undefined ? (canRun ? "Commands can be run here." : "No command can be run here before what is missing is there.") : canRun ? `${client} can use proctor.` : `${client} can't use proctor before that is right.`}\n`,
    );
  }
  return canRun ? 0 : 1;
}

async function checksOf(client: string): Promise<Awaited<ReturnType<typeof runChecks>>> {
  const { runClientChecks } = await import("../client-checks.ts");
  return runClientChecks(client);
}
