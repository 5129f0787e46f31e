/** mocha, rspec, minitest, phpunit, playwright: failures numbered at the end of the run. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of numbered failures. */
export const numbered: Recogniser = {
  name: "numbered failures",
  titled: true,
  opens: /^\s*\d+\)\s+(?!\[?(?:passed|ok|skipped)\b)\S/i,
  closes:
    /^\s*\d+\)\s+\S|^(?:Finished in|Failed examples:|FAILURES!|Tests: |Pending:|Failed scenarios)|^\s+\d+ (?:failed|flaky|passed|skipped)\b|^\d+ (?:runs|tests|examples|scenarios),/,
  core: /^\s*(?:>\s*\d+ \||Failure\/Error:|Expected|Actual)/,
  drops:
    /^\s*(?:\+ actual - expected|\+ expected - actual|\(compared using|@@ .* @@|Retry #\d|attachment #|-{3,}|─{3,})/,
  // What rspec lists there failed as it should, or did not run.
  aside: { begins: "Pending:", closes: /^(?:Failures:|Finished in)/ },
  // A test that passed or was skipped, as minitest tells of it with -v.
  harmless: /= \d+\.\d\d s = [.S]$/,
  outcome:
    /^\s*(?:\d+ (?:passing|pending|failing|passed|failed|flaky|skipped|did not run)\b|\d+ (?:examples|runs|tests|scenarios|steps)[, ]|OK \(|Tests: \d+)/,
};
