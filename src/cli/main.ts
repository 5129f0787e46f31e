#!/usr/bin/env node
/**
 * The program `proctor`: finds the command, reads its arguments, carries it out, and leaves with its exit
 * status. What a command needs is loaded only when it is called: a start costs little more than Node's.
 */
import { readFileSync } from "node:fs";

/** The version of this package. */
function packageVersion(): string {
  const value: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return typeof value === "object" && value !== null && "version" in value ? String(value.version) : "unknown";
}

async function main(argv: readonly string[]): Promise<number> {
  const [first] = argv;
  if (first === "--version" || first === "-V") {
    // The one answer that needs nothing else of proctor's.
    await new Promise<void>((resolve) => process.stdout.write(`proctor ${packageVersion()}\n`, () => resolve()));
    return 0;
  }
  const { dispatch } = await import("./dispatch.ts");
  return dispatch(argv, packageVersion);
}

process.stdout.on("error", () => undefined);
// Every write was awaited: nothing that was printed is lost by leaving now.
process.exit(await main(process.argv.slice(2)));
