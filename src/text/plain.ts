/** Log bytes as text that a conversation can hold: valid Unicode, no control characters but \n and \t. */

/** OSC, DCS and other strings; CSI sequences; two-character escapes (ECMA-48). */
const ESCAPES =
  /\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?|\x1b[PX^_][^\x1b]*(?:\x1b\\)?|\x1b\[[0-?]*[ -/]*[@-~]?|\x1b[ -/]*[0-~]?/g;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Removes terminal sequences and control characters. Of a line that was redrawn with carriage returns the
 * last drawing stays.
 */
export function plainText(text: string): string {
  const shown = text
    .replace(ESCAPES, "")
    .replace(/\r+\n/g, "\n")
    .split("\n")
    .map((line) => {
      if (!line.includes("\r")) return line;
      const drawings = line.split("\r").filter((part) => part.trim() !== "");
      return drawings.at(-1) ?? "";
    })
    .join("\n");
  return shown.replace(CONTROLS, "").toWellFormed();
}
