/** The rows of the documentation's table for the kinds that have text. */
export declare function rowsOf(kinds: readonly string[]): readonly { title: string; kinds: readonly string[] }[];
