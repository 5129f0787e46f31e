/** npm, pnpm, yarn: what went wrong is in a few of their lines, the rest is their epilogue. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of npm. */
export const npm: Recogniser = {
  name: "npm",
  opens:
    /^(?:\S+[:|]\s+)?npm (?:ERR!|error) (?!code (?:1|2|ELIFECYCLE)\b|errno|syscall|path|command|workspace|location|lifecycle|a complete|this is|fix|signal|  )\S.{6,}|^\s*ERR_PNPM|^ERR_PNPM|^➤ YN\d+: .*(?:error|fail)/i,
  closes: /^(?!npm (?:ERR!|error))/,
  core: /^npm (?:ERR!|error)\s+(?:Found:|peer |Could not|Conflicting|node_modules|Required|Actual|notsup|404|\S+@)/,
  follows:
    /^npm (?:ERR!|error) (?:A complete log|code (?:1|2|ELIFECYCLE)|errno|path |command |Lifecycle|workspace|location)|^info Visit /,
  outcome:
    /^(?:added|removed|changed|up to date|audited) .*\b(?:packages?|in [\d.]+m?s)|^found \d+ vulnerabilities|^\d+ .*vulnerabilit|^Done in |^Already up to date|^Packages: \+|^dependencies:/,
};
