/**
 * The shape of a line: what is left when numbers, hashes, quoted names, paths and times are taken
 * out. Lines of one shape say the same of different things.
 */

const VARIABLE =
  /0x[\da-f]+|\b[\da-f]{7,40}\b|\d+(?:[.:,]\d+)*|"[^"]{0,200}"|'[^' ]{0,80}'|`[^`]{0,200}`|‘[^’]{0,200}’|[\w@.~-]*(?:[/\\][\w@.~+-]*)+|\b\w+(?:::\w+)+/gi;

/** The shape of `line`, for comparing lines with each other. */
export function shapeKey(line: string): string {
  return line.slice(0, 400).replace(VARIABLE, "#").replace(/\s+/g, " ").trim();
}
