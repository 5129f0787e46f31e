/** go: build and vet messages under a package, tests in text and as JSON. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of go. */
export const go: Recogniser = {
  name: "go",
  opens: /^\s*--- FAIL: |^\S+\.go:\d+(?::\d+)?: /,
  closes: /^\s*(?:--- (?:FAIL|PASS|SKIP): |=== |FAIL\b|ok\s|PASS$)|^(?:exit status|# )/,
  heading: /^# \S+/,
  core: /^\s+\S+_test\.go:\d+: /,
  harmless: /^(?:ok|\?)\s+\S+\s|^=== |^\s*--- (?:PASS|SKIP)/,
  outcome: /^(?:FAIL|ok)\s+\S+\s+(?:[\d.]+s|\(cached\)|\[)/,
  unwrap: {
    when: /^\{"Time":"[^"]*","Action":"/,
    into: (row) => {
      const output = /"Output":("(?:[^"\\]|\\.)*")/.exec(row)?.[1];
      if (output === undefined) return null;
      const text: unknown = JSON.parse(output);
      return typeof text === "string" ? text.replace(/\n$/, "") : null;
    },
  },
};

/** A panic or a runtime error of Go: the stack of the goroutine that died first. */
export const goPanic: Recogniser = {
  name: "go panic",
  opens: /^(?:panic|fatal error): |^\s+panic: /,
  section: true,
  closes: /^(?:FAIL\b|ok\s|exit status|panic:|--- )|^goroutine (?:[2-9]|\d\d+) \[(?!running)/,
  drops: /^goroutine \d+|^[\w./*()-]+\(.*\)$|^\s+panic: |^created by/,
};
