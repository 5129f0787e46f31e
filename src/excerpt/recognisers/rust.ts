/** rustc, cargo and clippy: diagnostics with an arrow to the place; panics of tests. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of rust. */
export const rust: Recogniser = {
  name: "rust",
  opens: /^error(?:\[E\d+\])?: (?!could not compile|aborting|test failed|\d+ targets? failed|doctest failed)/,
  closes: /^(?:error|warning)(?:\[|:)|^(?:note: run with|failures:|stack backtrace:|---- )|^$/,
  core: /^\s*--> |^\s*\|\s+[\^-]|^\s*\d* *\|.*\^|^\s*(?:left|right): /,
  drops: /^\s*\|\s*$|^\s*= note: `#\[/,
  follows:
    /^error: (?:could not compile|aborting due to|test failed|\d+ targets? failed)|^Some errors have detailed|^For more information about (?:this|an) error|^note: run with/,
  harmless: /^test .* \.\.\. ok$|^warning: `\S+` \(.*\) generated/,
  outcome: /^test result: |^\s*Finished |^(?:error|warning): (?:could not compile|`\S+` \(.*\) generated)/,
};

/** A panic of Rust, in a test or not. */
export const rustPanic: Recogniser = {
  name: "rust panic",
  titled: true,
  opens: /^thread .* panicked at/,
  closes: /^(?:note: run with|failures:|---- |thread .* panicked)/,
  heading: /^---- .* stdout ----$/,
  core: /^\s*(?:left|right): /,
  drops: /^stack backtrace:|^\s*\d+: \S+|^note: Some details/,
};
