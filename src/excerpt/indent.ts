/** How far a row is set in. */

/** The width of the white space that a row begins with. */
export function indentOf(text: string): number {
  let width = 0;
  while (text[width] === " " || text[width] === "\t") width++;
  return width;
}
