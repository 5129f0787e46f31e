/** The process table of the system we are on. */
import type { ProcessTable } from "../ports/index.ts";
import { darwinProcessTable } from "./process-table-darwin.ts";
import { linuxProcessTable } from "./process-table-linux.ts";

let table: ProcessTable | null = null;

/** The table of this machine; one for the whole process. */
export function processTable(): ProcessTable {
  table ??= process.platform === "darwin" ? darwinProcessTable() : linuxProcessTable();
  return table;
}
