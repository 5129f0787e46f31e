/**
 * What `plainText` leaves of a line, as bytes: for searching much of a log without making text of it. Bytes that
 * are no UTF-8 stay as they are.
 *
 * Theory: a drawing that is not blank takes the place of the one before it, so what is written of a line is at any
 * time its last drawing, and behind that the one that is being read. Source: ECMA-48 (control functions).
 */

const BELL = 7;
const TAB = 9;
const VERTICAL_TAB = 11;
const FORM_FEED = 12;
const RETURN = 13;
const ESCAPE = 27;
const SPACE = 32;
const BACKSLASH = 92;
const DELETE = 127;
/** What stands behind an escape, as the second byte of an introducer. */
const CONTROL_SEQUENCE = 91;
const OPERATING_SYSTEM_COMMAND = 93;
const STRINGS = new Set(Buffer.from("PX^_"));
/** The first byte in UTF-8 of U+0080 to U+009F, which are control characters. */
const C1 = 0xc2;

/**
 * Writes what is shown of the line between `from` and `to`, its line feed apart, to `into` at `at`; answers where it
 * ends there. It is never longer than the line.
 */
export function writePlainLine(bytes: Uint8Array, from: number, to: number, into: Buffer, at: number): number {
  let drawingAt = at;
  let end = at;
  let isDrawn = false;
  let isFilled = false;
  let isWide = false;
  for (let i = from; i <= to; i++) {
    const byte = i < to ? (bytes[i] ?? 0) : RETURN;
    if (byte === ESCAPE) i = endOfEscape(bytes, i, to) - 1;
    else if (byte === RETURN) {
      // The end of a line that was never drawn anew ends no drawing.
      if (i === to && !isDrawn) break;
      isDrawn = true;
      if (isFilled || (isWide && into.toString("utf8", drawingAt, end).trim() !== "")) {
        into.copyWithin(at, drawingAt, end);
        end = at + end - drawingAt;
      } else end = drawingAt;
      drawingAt = end;
      isFilled = false;
      isWide = false;
    } else if ((byte < SPACE && byte !== TAB) || byte === DELETE) {
      // White space to whoever asks whether a drawing is blank.
      if (byte !== VERTICAL_TAB && byte !== FORM_FEED) isFilled = true;
    } else if (byte === C1 && i + 1 < to && ((bytes[i + 1] ?? 0) & 0xe0) === 0x80) {
      isFilled = true;
      i++;
    } else {
      if (byte > DELETE) isWide = true;
      else if (byte > SPACE) isFilled = true;
      into[end++] = byte;
    }
  }
  return end;
}

/** Where an escape sequence ends that begins at `at`: the same as plainText takes for one. */
function endOfEscape(bytes: Uint8Array, at: number, to: number): number {
  const introducer = at + 1 < to ? bytes[at + 1] : undefined;
  let i = at + 2;
  if (introducer === OPERATING_SYSTEM_COMMAND) {
    while (i < to && bytes[i] !== BELL && bytes[i] !== ESCAPE) i++;
    return i < to && bytes[i] === BELL ? i + 1 : endOfString(bytes, i, to);
  }
  if (introducer !== undefined && STRINGS.has(introducer)) {
    while (i < to && bytes[i] !== ESCAPE) i++;
    return endOfString(bytes, i, to);
  }
  if (introducer === CONTROL_SEQUENCE) {
    i = behind(bytes, i, to, 0x30, 0x3f);
    i = behind(bytes, i, to, SPACE, 0x2f);
    return isBetween(bytes, i, to, 0x40, 0x7e) ? i + 1 : i;
  }
  i = behind(bytes, at + 1, to, SPACE, 0x2f);
  return isBetween(bytes, i, to, 0x30, 0x7e) ? i + 1 : i;
}

function endOfString(bytes: Uint8Array, at: number, to: number): number {
  return at + 1 < to && bytes[at] === ESCAPE && bytes[at + 1] === BACKSLASH ? at + 2 : at;
}

function behind(bytes: Uint8Array, at: number, to: number, least: number, most: number): number {
  let i = at;
  while (isBetween(bytes, i, to, least, most)) i++;
  return i;
}

function isBetween(bytes: Uint8Array, at: number, to: number, least: number, most: number): boolean {
  const byte = at < to ? (bytes[at] ?? 0) : 0;
  return byte >= least && byte <= most;
}
