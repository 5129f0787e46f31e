/**
 * The learnt tables of the token estimate, unpacked when they are first needed: a process that never
 * estimates pays nothing for them.
 */
import {
  LENGTH_BUCKETS,
  REPEAT_OTHERS,
  SLOT_BLANK,
  SLOT_MARK_REPEAT,
  SLOT_MARK_WORD,
  SLOT_PAIR,
  type TokenTables,
} from "./token-slots.ts";
import { O200K } from "./token-table-o200k.ts";

let unpacked: TokenTables | null = null;

/** The tables for o200k_base. */
export function tokenTables(): TokenTables {
  unpacked ??= unpack();
  return unpacked;
}

function unpack(): TokenTables {
  const narrow = Buffer.from(O200K.narrow, "base64");
  const wide = Buffer.from(O200K.wide, "base64");
  const blocks = blockRows(O200K.blocks);
  const repeated = new Map(Array.from(O200K.repeated, (char, i) => [char.codePointAt(0) ?? 0, REPEAT_OTHERS + i]));
  return {
    slots: slotsOf(narrow, wide, repeated.size),
    lower: levelsOf(O200K.lower),
    upper: levelsOf(O200K.upper),
    pairs: levelsOf(O200K.pairs),
    repeated: (c) => repeated.get(c) ?? -1,
    block: (block) => {
      const row = blocks[block] ?? 0;
      if (row > 0) return row;
      // A script that was not trained on goes by the length of its UTF-8: two, three or four bytes.
      return block < 0x800 >> 6 ? 0 : block < 0x10000 >> 6 ? 1 : 2;
    },
  };
}

/** The slots in order: means are kept in quarters of their resolution, whole pieces and long runs fully. */
function slotsOf(narrow: Uint8Array, wide: Buffer, repeatedMarks: number): Uint16Array {
  const wideSlots = SLOT_MARK_WORD - SLOT_MARK_REPEAT + SLOT_PAIR - SLOT_BLANK;
  const slots = new Uint16Array(narrow.length + wideSlots);
  const lastRow = SLOT_MARK_REPEAT + (REPEAT_OTHERS + repeatedMarks) * LENGTH_BUCKETS;
  let fromNarrow = 0;
  let fromWide = 0;
  for (let slot = 0; slot < slots.length; slot += 1) {
    const isRepeat = slot >= SLOT_MARK_REPEAT && slot < SLOT_MARK_WORD;
    if (isRepeat && slot >= lastRow) continue;
    if (isRepeat || (slot >= SLOT_BLANK && slot < SLOT_PAIR)) {
      slots[slot] = wide.readUInt16LE(2 * fromWide);
      fromWide += 1;
    } else {
      slots[slot] = (narrow[fromNarrow] ?? 0) * 4;
      fromNarrow += 1;
    }
  }
  return slots;
}

function levelsOf(text: string): Uint8Array {
  const bytes = Buffer.from(text, "base64");
  const levels = new Uint8Array(2 * bytes.length);
  for (let i = 0; i < bytes.length; i++) {
    const two = bytes[i] ?? 0;
    levels[2 * i] = two & 15;
    levels[2 * i + 1] = two >> 4;
  }
  return levels;
}

/** The row of each block of 64 characters; 0 where it has none, since rows 0 to 2 are for those. */
function blockRows(text: string): Uint16Array {
  const rows = new Uint16Array(0x110000 >> 6);
  let block = 0;
  text.split(" ").forEach((distance, i) => {
    block += Number.parseInt(distance, 36);
    rows[block] = i + 3;
  });
  return rows;
}
