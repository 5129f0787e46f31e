/** Tokens to spend on rows, and what was bought. A share spends from its parent and from itself. */
import { estimateTokens } from "../text/index.ts";
import type { Choice } from "./choice.ts";
import { cutLine } from "./cut.ts";
import { severityAt } from "./severity.ts";
import { thousands } from "./thousands.ts";
import type { View } from "./view.ts";

// What a marker for left-out lines costs, spread over the rows that are not next to another.
const GAP = 4;

// A rule drawn behind a title costs more than the title.
const RULE_AT_END = /[\s─━═⎯=_*-]{8,}$/;

/** Tokens to spend. */
export class Budget {
  readonly #view: View;
  readonly #parent: Budget | null;
  readonly #chosen: Map<number, Choice>;
  #left: number;

  constructor(view: View, tokens: number, parent: Budget | null = null) {
    this.#view = view;
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
    return new Budget(this.#view, tokens, this);
  }

  /** Buys a row, cut to `width` characters; false when it costs too much. A row that is there already is free. */
  add(row: number, why: string, weight: number, count: number, width: number): boolean {
    const text = this.#view.printed(row).replace(RULE_AT_END, "");
    if (text.trim() === "") return false;
    const known = this.#chosen.get(row);
    const most = Math.max(count, known?.count ?? 1);
    const shown = countedAs(cutLine(text, width, text.length > width && why !== "head" ? severityAt(text) : 0), most);
    if (known !== undefined && (shown.length <= known.text.length || !known.cut)) {
      if (most > known.count) this.#chosen.set(row, { ...known, count: most, why, text: countedAs(known.text, most) });
      return true;
    }
    const lonely = this.#chosen.has(row - 1) || this.#chosen.has(row + 1) ? 0 : GAP;
    const cost = estimateTokens(shown) + 1 + lonely - (known === undefined ? 0 : estimateTokens(known.text) + lonely);
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

  /** Appends the variants of a group to its first row; left out when they cost too much. */
  join(row: number, variants: readonly string[], more: boolean): void {
    const known = this.#chosen.get(row);
    if (known === undefined) return;
    const text = `${known.text} [${variants.join("|")}${more ? "|…" : ""}]`;
    const cost = estimateTokens(text) - estimateTokens(known.text);
    if (cost > this.left) return;
    this.#spend(cost);
    this.#chosen.set(row, { ...known, text });
  }

  /** Whether a row that says as much is bought already. */
  isTold(text: string): boolean {
    const told = text.trim();
    if (told.length < 12) return false;
    for (const choice of this.#chosen.values()) if (choice.text.includes(told)) return true;
    return false;
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

function countedAs(text: string, count: number): string {
  return count > 1 ? `${text} (×${thousands(count)})` : text;
}
