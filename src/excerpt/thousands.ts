/** Whole numbers as they are printed: 12,345. */

/**
 * A whole number with a comma between its thousands. The formatter of the platform says the same, and takes longer to
 * begin than all else that is done for a small log.
 */
export function thousands(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
