/** What was chosen of a log, between the choice and the printing. */
import { thousands } from "./thousands.ts";

/** A row that is to be shown. */
export interface Choice {
  /** Its index in the rows. */
  readonly row: number;
  /** What is printed for it, without the count and the variants. */
  readonly text: string;
  readonly why: string;
  /** How many rows like it there are, itself included. */
  readonly count: number;
  /** In what those differ, as it is printed; "" for nothing. */
  readonly variants?: string;
  /** The group it is a row of. */
  readonly group?: number;
  /** The higher the longer it stays. */
  readonly weight: number;
  /** Whether `text` is not all of the row. */
  readonly cut: boolean;
}

/** A group of findings that is not shown: told of in the marker where its first row was left out. */
export interface Untold {
  readonly row: number;
  readonly kind: "error" | "warning" | "remark";
  readonly count: number;
}

/** What was chosen of a log. */
export interface Chosen {
  readonly choices: readonly Choice[];
  /** The groups that some of the choices do not tell of, ordered by row. */
  untoldBy(shown: readonly Choice[]): readonly Untold[];
}

/**
 * The choices with the counts that are printed: a row does not stand for others of its group that are
 * shown by themselves.
 */
export function counted(choices: readonly Choice[]): Choice[] {
  const shown = new Map<number, number>();
  for (const { group } of choices) if (group !== undefined) shown.set(group, (shown.get(group) ?? 0) + 1);
  return choices.map((choice) => {
    if (choice.count === 1 || choice.group === undefined) return choice;
    return { ...choice, count: Math.max(1, choice.count - (shown.get(choice.group) ?? 1) + 1) };
  });
}

/** What is printed for a choice. */
export function printedChoice({ text, count, variants }: Omit<Choice, "row" | "why" | "weight" | "cut">): string {
  return `${text}${count > 1 ? ` (×${thousands(count)})` : ""}${variants ?? ""}`;
}
