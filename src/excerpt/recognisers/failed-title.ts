/** Any runner that marks a failed title and sets the details in below it. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of failed title. */
export const failedTitle: Recogniser = {
  name: "failed title",
  titled: true,
  alone: /[:=]|\b(?:expected|got|cannot|could|not|error|because)\b/i,
  opens:
    /^\s*(?:FAIL(?:ED)?:?|✗|✘|×|✕|❌|\[ ?FAIL(?:ED)? ?\]|\(fail\))\s+\S|^\s*[─━]{2,} (?:\d+\. )?(?:Failure|Error)\b.*[─━]{2}/,
  // phpunit sets a bar before what it tells.
  core: /^\s*(?:│ )?\S+\.\w{1,5}:\d+(?::\d+)?$|^ {3}│ [-+] /,
  outcome: /^\s*(?:Total|Passed|Passing|Failed|Failing):\s+\d+/i,
};
