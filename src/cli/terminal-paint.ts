/**
 * A replayed terminal as control sequences that make a person's terminal look the same: what stands on the
 * screen with its colours, the cursor, and the modes that the program has set. Unlike the log itself it asks
 * the person's terminal nothing, so nothing is answered into the program.
 */
import type { Replay } from "../session/index.ts";

type Terminal = Replay["terminal"];
type Cell = NonNullable<ReturnType<NonNullable<ReturnType<Terminal["buffer"]["active"]["getLine"]>>["getCell"]>>;

const ESC = "\x1b";

function colour(isRgb: boolean, isPalette: boolean, value: number, base: 38 | 48): string[] {
  if (isRgb) return [`${base};2;${(value >> 16) & 255};${(value >> 8) & 255};${value & 255}`];
  return isPalette ? [`${base};5;${value}`] : [];
}

/** The graphic rendition of a cell (ECMA-48, SGR). */
function rendition(cell: Cell): string {
  const codes = ["0"];
  const flags: readonly [number, string][] = [
    [cell.isBold(), "1"],
    [cell.isDim(), "2"],
    [cell.isItalic(), "3"],
    [cell.isUnderline(), "4"],
    [cell.isBlink(), "5"],
    [cell.isInverse(), "7"],
    [cell.isInvisible(), "8"],
    [cell.isStrikethrough(), "9"],
  ];
  for (const [isSet, code] of flags) if (isSet !== 0) codes.push(code);
  codes.push(
    ...colour(cell.isFgRGB(), cell.isFgPalette(), cell.getFgColor(), 38),
    ...colour(cell.isBgRGB(), cell.isBgPalette(), cell.getBgColor(), 48),
  );
  return `${ESC}[${codes.join(";")}m`;
}

function row(terminal: Terminal, y: number): string {
  const line = terminal.buffer.active.getLine(terminal.buffer.active.baseY + y);
  if (line === undefined) return "";
  let text = "";
  let last = "";
  let end = line.length;
  while (end > 0 && isBlank(line.getCell(end - 1))) end--;
  for (let x = 0; x < end; x++) {
    const cell = line.getCell(x);
    if (cell === undefined || cell.getWidth() === 0) continue;
    const style = rendition(cell);
    if (style !== last) text += style;
    last = style;
    text += cell.getChars() === "" ? " " : cell.getChars();
  }
  return text;
}

function isBlank(cell: Cell | undefined): boolean {
  return cell === undefined || (cell.getChars().trim() === "" && cell.isBgDefault() && cell.isInverse() === 0);
}

const MOUSE: Readonly<Record<Terminal["modes"]["mouseTrackingMode"], string>> = {
  none: "",
  x10: "?9",
  vt200: "?1000",
  drag: "?1002",
  any: "?1003",
};

/** What to write to a terminal so that it shows what the replayed one shows. */
export function paint({ terminal, isCursorVisible }: Replay): string {
  const { active } = terminal.buffer;
  const { modes } = terminal;
  let out = active.type === "alternate" ? `${ESC}[?1049h` : "";
  out += `${ESC}[0m${ESC}[2J${ESC}[H`;
  for (let y = 0; y < terminal.rows; y++) {
    const text = row(terminal, y);
    if (text !== "") out += `${ESC}[${y + 1};1H${text}`;
  }
  out += `${ESC}[0m${ESC}[${active.cursorY + 1};${active.cursorX + 1}H`;
  if (modes.applicationCursorKeysMode) out += `${ESC}[?1h`;
  if (modes.applicationKeypadMode) out += `${ESC}=`;
  if (modes.bracketedPasteMode) out += `${ESC}[?2004h`;
  if (modes.sendFocusMode) out += `${ESC}[?1004h`;
  // The encoding of a mouse's reports can't be asked for; SGR is what programs of today set.
  if (modes.mouseTrackingMode !== "none") out += `${ESC}[${MOUSE[modes.mouseTrackingMode]}h${ESC}[?1006h`;
  return out + (isCursorVisible ? `${ESC}[?25h` : `${ESC}[?25l`);
}

/**
 * Takes back every mode that a program may have set, and leaves the cursor in the last row. The main screen by 1047:
 * 1049 would also put the cursor where some program has saved it, when there is nothing to come back from.
 */
export const UNPAINT: string =
  `${ESC}[?1047l${ESC}[?1l${ESC}>${ESC}[?9l${ESC}[?1000l${ESC}[?1002l${ESC}[?1003l${ESC}[?1004l${ESC}[?1006l${ESC}[?2004l${ESC}[?2026l${ESC}[<u${ESC}[>4;0m` +
  `${ESC}[?7h${ESC}[r${ESC}[0m${ESC}[?25h${ESC}[999;1H`;
