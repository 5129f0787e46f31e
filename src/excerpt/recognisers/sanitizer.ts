/** Sanitizers and valgrind: what was done to memory, and where in the project. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of sanitizer. */
export const sanitizer: Recogniser = {
  name: "sanitizer",
  opens:
    /ERROR: \w+Sanitizer|WARNING: \w+Sanitizer|^\S+:\d+:\d+: runtime error: |^(?:Invalid (?:read|write|free)|Conditional jump|Use of uninit|Mismatched free|Process terminating)/,
  closes:
    /^Shadow bytes|ABORTING$|^SUMMARY: |^(?:Invalid (?:read|write|free)|Conditional jump|Process terminating|HEAP SUMMARY)/,
  drops: /^\s*(?:If you believe|overflow in your|possible\), you can|main thread stack|The main thread)/,
  harmless: /^(?:Shadow byte|  0x[\da-f]+: |=>0x|  [A-Z][\w ]+: +[\da-f]{2}\b)/,
  outcome: /^SUMMARY: |^ERROR SUMMARY: [1-9]|definitely lost: [1-9]/,
};
