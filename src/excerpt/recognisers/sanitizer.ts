/** Sanitizers and valgrind: what was done to memory, and where in the project. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of sanitizer. */
export const sanitizer: Recogniser = {
  name: "sanitizer",
  section: true,
  opens: /ERROR: \w+Sanitizer|WARNING: \w+Sanitizer/,
  closes: /^Shadow bytes|ABORTING$|^SUMMARY: /,
  restarts:
    /^(?:freed by|previously allocated by|allocated by) thread|^(?:Uninitialized value was|Memory was marked)\b/,
  core: /^(?:freed by|previously allocated by|allocated by) thread|^Previous \w+ /,
  drops: /^\s*(?:If you believe|overflow in your|possible\), you can|main thread stack|The main thread)/,
  harmless: /^(?:Shadow byte|  0x[\da-f]+: |=>0x|  [A-Z][\w ]+: +[\da-f]{2}\b)/,
  outcome: /^SUMMARY: /,
};

/** The layout of valgrind, and of sanitizers that say it all in one row. */
export const valgrind: Recogniser = {
  name: "valgrind",
  opens:
    /^\S+:\d+:\d+: runtime error: |^(?:Invalid (?:read|write|free)|Conditional jump|Use of uninit|Mismatched free|Process terminating|[\d,]+ (?:\([^)]*\) )?bytes in [\d,]+ blocks are (?:definitely|indirectly|possibly) lost)/,
  closes:
    /^(?:Invalid (?:read|write|free)|Conditional jump|Process terminating|(?:HEAP|LEAK) SUMMARY|[\d,]+ (?:\([^)]*\) )?bytes in )/,
  restarts: /^ ?Address 0x/,
  outcome: /^ERROR SUMMARY: [1-9]|definitely lost: [1-9]/,
};
