/** webpack, rollup, vite, esbuild, next. */
import { GRADE } from "../severity.ts";
import type { Recogniser } from "./recogniser.ts";

/** The layout of bundler. */
export const bundler: Recogniser = {
  name: "bundler",
  opens:
    /^\s*(?:ERROR in |✘ \[ERROR\]|\[!\] |Module not found|Module (?:build|parse) failed|error during build|Failed to compile|\[vite\]:? |\[(?!(?:(?:warn|info|debug|notice|trace)\w*|pass(?:ed)?|ok|skip(?:ped)?|err(?:or)?|fatal|critical)\])\w[\w:-]*\] .*\b(?:errors?|failed|could not)\b)/i,
  closes: /^\s*(?:ERROR in |WARNING in |✘ \[ERROR\]|▲ \[WARNING\]|webpack \d|\d+ (?:errors?|warnings?)\b)/,
  core: /^\s+\S+:\d+:\d+:?$|^\s*(?:@ |╵|> \d+ \|)|^\s*\d+ │/,
  outcome:
    /\bbuilt in [\d.]+|^webpack [\d.]+ compiled|compiled (?:successfully|with)|^✨?\s*Done in|⚡ Done in|^created .* in |Compiled successfully|^\d+ (?:errors?|warnings?)(?: and|$)/i,
};

/** What rollup and vite warn of. */
export const bundlerWarning: Recogniser = {
  name: "bundler warning",
  opens: /^\(!\) \S/,
  grade: GRADE.warning,
  section: true,
  closes: /^\(!\) |^$|^created .* in |^[^-\s].* (?:→|->) \S+\.{3}$/,
  core: /^(?!https?:)\S/,
};
