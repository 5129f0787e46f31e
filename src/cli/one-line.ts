/**
 * Text of somebody else's on one line of ours: no terminal sequence of a command's name may reach the
 * terminal. Plainer than what an excerpt needs, and so without the tables that it needs: most calls print
 * nothing but names.
 */

/** Strings of terminals (OSC, DCS and their like), control sequences, and escapes of two characters (ECMA-48). */
const SEQUENCES =
  /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[PX^_][^\x1b]*(?:\x1b\\)?|\x1b\[[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?/g;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** `text` without control characters; its lines are joined by a visible mark. */
export function oneLine(text: string): string {
  return text
    .replace(SEQUENCES, "")
    .replace(CONTROLS, "")
    .toWellFormed()
    .trim()
    .replace(/\s*\n\s*/g, " \\n ")
    .replaceAll("\t", " ");
}
