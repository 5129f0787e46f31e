/** In what the lines of a group differ: the words that stand in one of them and not in the first. */

const WORD = /[^\s"'`‘’“”(),;[\]{}<>|]+/g;
const MAX_WORD = 48;
const MAX_LINE = 400;

/**
 * The variants of a message, for joining as `[a|b|c]`: of each other line the first word or two that
 * the first line does not have. At most `most`; empty when the lines do not differ in words.
 */
export function variantsOf(first: string, others: readonly string[], most: number): string[] {
  const words = first.slice(0, MAX_LINE).match(WORD) ?? [];
  const known = new Set(words);
  const paths = words.filter((word) => word.includes("/"));
  const variants: string[] = [];
  const said = new Set<string>();
  for (const other of others) {
    if (variants.length >= most) break;
    const own = (other.slice(0, MAX_LINE).match(WORD) ?? []).filter(
      (word) => !known.has(word) && /[\p{L}\d]/u.test(word) && !/^[\dTZ.:+msh/-]+$/.test(word),
    );
    const variant = own
      .slice(0, 2)
      .map((word) => withoutFolder(word, paths))
      .join(" ");
    if (variant === "" || variant.length > MAX_WORD || said.has(variant)) continue;
    said.add(variant);
    variants.push(variant);
  }
  return variants;
}

/** A path without the folder that it shares with one of `paths`. */
function withoutFolder(word: string, paths: readonly string[]): string {
  const end = word.lastIndexOf("/") + 1;
  return end > 0 && paths.some((path) => path.startsWith(word.slice(0, end))) ? word.slice(end) : word;
}
