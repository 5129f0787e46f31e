/** Text of somebody else's on one line of ours: no terminal sequence of a command's name may reach the terminal. */
import { plainText } from "../text/index.ts";

/** `text` without control characters; its lines are joined by a visible mark. */
export function oneLine(text: string): string {
  return plainText(text)
    .trim()
    .replace(/\s*\n\s*/g, " \\n ")
    .replaceAll("\t", " ");
}
