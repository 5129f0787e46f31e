/** An estimate of how many tokens a text costs a model. */

/** Estimates the tokens of `text`. */
export function estimateTokens(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4);
}
