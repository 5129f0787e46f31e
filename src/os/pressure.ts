/** What the kernel says about pressure (Documentation/accounting/psi.rst); nothing where it does not say. */
import { readFileSync } from "node:fs";
import { errnoOf } from "../model/index.ts";

/** The directory of the kernel's pressure files. */
const PRESSURE_DIR = "/proc/pressure";

/** Shares of the last ten seconds, in percent. */
export interface PressureReading {
  readonly memorySome: number;
  readonly ioFull: number;
}

function average(path: string, line: "some" | "full"): number {
  const text = readFileSync(path, "latin1");
  const value = Number(new RegExp(`^${line} avg10=([0-9.]+)`, "m").exec(text)?.[1] ?? "0");
  return Number.isFinite(value) ? value : 0;
}

/** Reads the pressure now; null where there are no such files (macOS, many containers, kernels without PSI). */
export function readPressure(dir: string = PRESSURE_DIR): PressureReading | null {
  try {
    return { memorySome: average(`${dir}/memory`, "some"), ioFull: average(`${dir}/io`, "full") };
  } catch (error) {
    // EOPNOTSUPP: built in but switched off (psi=0).
    if (errnoOf(error) === null) throw error;
    return null;
  }
}
