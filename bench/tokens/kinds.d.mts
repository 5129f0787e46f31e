/** Every kind of text: gives the text of one of the two sets, which share no file and no random draw.
 * `portable` marks those whose text is the same on every machine with the same dependencies. */
export const KINDS: Readonly<Record<string, ((set: "train" | "held") => string) & { readonly portable?: boolean }>>;
/** A small seeded generator of numbers from 0 to 1. */
export function random(seed: number): () => number;
