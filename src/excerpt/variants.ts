/** In what the lines of a group differ: the words that stand in one of them and not in the first. */

const WORD = /[^\s"'`‘’“”(),;[\]{}<>|]+/g;
const MAX_WORD = 48;
const MAX_LINE = 400;

/**
 * The variants of a message, for joining as `[a|b|c]`: of each other line the first word or two that
 * the first line does not have. At most `most`; empty when the lines do not differ in words.
 */
export function variantsOf(first: string, others: readonly string[], most: number): string[] {
  const known = new Set(first.slice(0, MAX_LINE).match(WORD) ?? []);
  const variants: string[] = [];
  const said = new Set<string>();
  for (const other of others) {
    if (variants.length >= most) break;
    const own = (other.slice(0, MAX_LINE).match(WORD) ?? []).filter(
      (word) => !known.has(word) && !/^[\d.:ms]+$/.test(word),
    );
    const variant = own.slice(0, 2).join(" ");
    if (variant === "" || variant.length > MAX_WORD || said.has(variant)) continue;
    said.add(variant);
    variants.push(variant);
  }
  return variants;
}
