/** `proctor install`: proctor in the configuration of an agent client. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { clientNamed, planInstall, serverCommand } from "../../clients/index.ts";
import { findOnPath } from "../../os/path-search.ts";
import { configOf, placeOf, showAndCarryOut } from "../client-plan.ts";
import type { Arguments } from "../command-spec.ts";

const PACKAGE = new URL("../../package.json", import.meta.url);
const MAIN = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

function packageVersion(): string {
  const value: unknown = JSON.parse(readFileSync(PACKAGE, "utf8"));
  return typeof value === "object" && value !== null && "version" in value ? String(value.version) : "latest";
}

/** Carries out `proctor install`. */
export async function execute(args: Arguments): Promise<number> {
  const client = clientNamed(args.operands[0] ?? "");
  const place = placeOf(args);
  const tools = args.text("tools");
  if (tools !== null) await checkTools(tools);
  const server = serverCommand(
    { node: process.execPath, main: MAIN, version: packageVersion() },
    place.scope,
    tools === null ? [] : ["--tools", tools],
  );
  const plan = planInstall({ client, place, server, replaceShell: args.has("replace-shell"), config: configOf(args) });
  const notes: string[] = [];
  if (client.program !== null && findOnPath(client.program, process.env["PATH"] ?? "") === null)
    notes.push(`${client.program} is not on PATH; the configuration counts once it is installed`);
  if (server.command === "proctor" && findOnPath("proctor", process.env["PATH"] ?? "") === null)
    notes.push("proctor is not on PATH; everybody who uses this project's configuration needs it there");
  return showAndCarryOut(
    args,
    client,
    place,
    { ...plan, notes: [...notes, ...plan.notes] },
    {
      done: `${client.title} starts proctor from now on; sessions that are open see it after a restart. To try it: proctor doctor ${client.id}`,
      nothing: `${client.title} knows proctor already; nothing was changed.`,
    },
  );
}

/** Refuses names that the server would refuse: its client could not tell why it does not start. */
async function checkTools(tools: string): Promise<void> {
  const { parseFlags } = await import("../../mcp/index.ts");
  parseFlags(["--tools", tools]);
}
