/** How many tokens an excerpt spends, and on what; ceilings of the request stand above them. */

/** Of a failure. */
export const FAILURE = { whole: 350, base: 220, perCause: 140, most: 570, outcome: 90, block: 200, later: 130 };

/** Of a success. */
export const SUCCESS = { whole: 150, base: 115, perCause: 20, most: 175, outcome: 100, block: 65, later: 40 };
/** What each failure that a success hides may cost beyond that. */
export const HIDDEN = 70;
/** What each of the first kinds of warnings of a success may cost beyond that. */
export const WARNED = 30;
