/** go: build and vet messages under a package, tests in text and as JSON. */
import type { Recogniser } from "./recogniser.ts";

// A string as RFC 8259 (section 7) has it, and nothing else: only that can be parsed.
const OUTPUT = /"Output":("(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")/;

/** The layout of go. */
export const go: Recogniser = {
  name: "go",
  // `go test -v` prints what a test logs before its result.
  footed: true,
  opens: /^\s*--- FAIL: |^\S+\.go:\d+(?::\d+)?: /,
  closes: /^\s*(?:--- (?:FAIL|PASS|SKIP): |=== |FAIL\b|ok\s|PASS$)|^(?:exit status|# )/,
  heading: /^# \S+/,
  core: /^\s+\S+_test\.go:\d+: /,
  harmless: /^(?:ok|\?)\s+\S+\s|^=== |^\s*--- (?:PASS|SKIP)/,
  outcome: /^(?:FAIL|ok)\s+\S+\s+(?:[\d.]+s|\(cached\)|\[)/,
  unwrap: {
    when: /^\{"Time":"[^"]*","Action":"/,
    into: (row) => {
      const output = OUTPUT.exec(row)?.[1];
      // A record that was cut off is shown as it is.
      if (output === undefined) return row.includes('"Output":') ? row : null;
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

/** A test that did not end: the first goroutine that stands in the project is the one that waits. */
export const goTimeout: Recogniser = {
  name: "go timeout",
  opens: /^panic: test timed out/,
  section: true,
  heading: /^=== RUN\s/,
  core: /^\s+(?:running tests:$|Test\S+ \([\d.]+m?s\)$)/,
  closes: /^(?:FAIL\b|ok\s|exit status|--- )/,
  drops: /^goroutine \d+|^[\w./*()-]+\(.*\)$|^created by/,
};

/** Two accesses that race: each with its first frame; where the goroutines began is left out. */
export const goRace: Recogniser = {
  name: "go race",
  opens: /^WARNING: DATA RACE$/,
  section: true,
  closes: /^={10,}$|^Goroutine \d+ .*created at:$/,
  core: /^(?:Read|Write|Previous (?:read|write)|Atomic \w+) at 0x/i,
};
