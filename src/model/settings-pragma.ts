/**
 * The pragma: settings that a command carries in its own first line, `# @proctor: {…}`. To the shell
 * it is a comment, so a command with a pragma means the same without proctor.
 */

/** What the first line of a command holds. */
export type Pragma =
  | { readonly kind: "none" }
  | { readonly kind: "found"; readonly value: unknown }
  | { readonly kind: "broken"; readonly text: string; readonly why: string };

const PRAGMA_LINE = /^[ \t]*#[ \t]*@proctor:(.*)$/;
/** A longer one is told of and not read. */
const MAX_PRAGMA_LENGTH = 65_536;

/** Reads the pragma of a command's text. */
export function readPragma(command: string): Pragma {
  const end = command.indexOf("\n");
  const line = (end < 0 ? command : command.slice(0, end)).trimEnd();
  const match = PRAGMA_LINE.exec(line);
  if (match === null) return { kind: "none" };
  const text = (match[1] ?? "").trim();
  if (line.length > MAX_PRAGMA_LENGTH)
    return { kind: "broken", text, why: `it has ${line.length} characters, at most ${MAX_PRAGMA_LENGTH} are read` };
  try {
    const value: unknown = JSON.parse(text);
    return { kind: "found", value };
  } catch (error) {
    return { kind: "broken", text, why: error instanceof Error ? error.message : String(error) };
  }
}
