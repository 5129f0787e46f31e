/** Cuts a text into windows of about `size` bytes of UTF-8 (4096 when not given), between characters. */
export function windowsOf(text: string, size?: number): string[];
/** The number of o200k_base tokens. */
export function trueTokens(text: string): number;
/** For each character, how many tokens begin in its bytes. */
export function tokenStarts(text: string): number[];
