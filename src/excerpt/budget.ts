/** Tokens to spend on rows, and what was bought. A share spends from its parent and from itself. */
import { estimateTokens } from "../text/index.ts";
import { type Choice, printedChoice } from "./choice.ts";
import { cutLine } from "./cut.ts";
import { maskedAround } from "./masked.ts";
import { severityAt, toldAt } from "./severity.ts";
import type { View } from "./view.ts";

// What a marker for left-out lines costs, spread over the rows that are not next to another.
const GAP = 4;

// A longer warning is a record, of which the beginning says little.
const LONG = 600;

// A rule drawn behind a title costs more than the title.
const RULE = /[\s─━═⎯=_*-]/;
const LEAST_RULE = 8;

/** A row without the rule at its end. Goes back from there: a pattern would start anew at each of a million spaces. */
function withoutRule(text: string): string {
  let end = text.length;
  while (end > 0 && RULE.test(text.charAt(end - 1))) end--;
  return text.length - end < LEAST_RULE ? text : text.slice(0, end);
}

/** Tokens to spend. */
export class Budget {
  readonly #view: View;
  readonly #mask: ((text: string) => string) | undefined;
  readonly #parent: Budget | null;
  readonly #chosen: Map<number, Choice>;
  #left: number;

  /** @param mask Masks secrets in rows that are cut: what is left of a secret could not be told for one. */
  constructor(view: View, tokens: number, mask?: (text: string) => string, parent: Budget | null = null) {
    this.#view = view;
    this.#mask = mask;
    this.#parent = parent;
    this.#left = tokens;
    this.#chosen = parent === null ? new Map() : parent.#chosen;
  }

  /** The tokens that may still be spent here. */
  get left(): number {
    return this.#parent === null ? this.#left : Math.min(this.#left, this.#parent.left);
  }

  /** A part of this budget; what it does not spend stays here. */
  share(tokens: number): Budget {
    return new Budget(this.#view, tokens, this.#mask, this);
  }

  /** Buys a row, cut to `width` characters; false when it costs too much. A row that is there already is free. */
  add(row: number, why: string, weight: number, count: number, width: number): boolean {
    const printed = this.#view.printed(row);
    const title = withoutRule(printed);
    if (title.trim() === "") return false;
    // Of a row that is cut all that is not shown is counted, the rule too.
    const text = title.length > width ? printed : title;
    const known = this.#chosen.get(row);
    const most = Math.max(count, known?.count ?? 1);
    const isLong = text.length > width;
    const isAround = isLong && why !== "head" && (why !== "warning" || text.length > LONG);
    const at = isAround ? severityAt(text) : 0;
    const safe = isLong ? maskedAround(text, at, this.#mask) : text;
    const also = isAround ? toldAt(safe) : -1;
    const shown = cutLine(safe, width, safe !== text && isAround ? severityAt(safe) : at, also);
    if (known !== undefined && (shown.length <= known.text.length || !known.cut)) {
      if (most > known.count) this.#chosen.set(row, { ...known, count: most, why });
      return true;
    }
    const lonely = this.#chosen.has(row - 1) || this.#chosen.has(row + 1) ? 0 : GAP;
    const cost =
      estimateTokens(printedChoice({ text: shown, count: most })) +
      1 +
      lonely -
      (known === undefined ? 0 : estimateTokens(printedChoice(known)) + lonely);
    if (cost > this.left) return known !== undefined;
    this.#spend(cost);
    this.#chosen.set(row, {
      row,
      text: shown,
      why,
      count: most,
      weight: Math.max(weight, known?.weight ?? 0),
      cut: !shown.startsWith(text),
    });
    return true;
  }

  /** Appends the variants of a group to its first row, as many as can be bought. */
  join(row: number, variants: readonly string[], more: boolean): void {
    const known = this.#chosen.get(row);
    if (known === undefined) return;
    for (let count = variants.length; count > 0; count--) {
      const joined = ` [${variants.slice(0, count).join("|")}${more || count < variants.length ? "|…" : ""}]`;
      const cost = estimateTokens(joined);
      if (cost > this.left) continue;
      this.#spend(cost);
      this.#chosen.set(row, { ...known, variants: joined });
      return;
    }
  }

  /** Whether another row that says as much is bought already. */
  isTold(row: number): boolean {
    const told = this.#view.text(row).trim();
    if (told.length < 12) return false;
    for (const choice of this.#chosen.values()) if (choice.row !== row && choice.text.includes(told)) return true;
    return false;
  }

  /** Whether a row is bought already. */
  has(row: number): boolean {
    return this.#chosen.has(row);
  }

  /** What was bought. */
  choices(): Choice[] {
    return [...this.#chosen.values()];
  }

  #spend(tokens: number): void {
    this.#left -= tokens;
    if (this.#parent !== null) this.#parent.#spend(tokens);
  }
}
