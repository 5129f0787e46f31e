/** Long lines: a part of them, and how much is missing. */
import { wellFormed } from "../text/index.ts";
import { thousands } from "./thousands.ts";

/** Cuts a line to about `max` characters around the place `at`, saying how many were left out. */
export function cutLine(line: string, max: number, at = 0): string {
  if (line.length <= max) return line;
  const from = at < max * 0.5 ? 0 : Math.min(at - Math.floor(max * 0.3), line.length - max);
  const to = from + max;
  const before = from > 0 ? `… [${thousands(from)} characters left out] …` : "";
  const after = to < line.length ? `… [${thousands(line.length - to)} characters left out] …` : "";
  return wellFormed(`${before}${line.slice(from, to)}${after}`);
}
