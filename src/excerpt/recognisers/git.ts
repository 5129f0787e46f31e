/** git: conflicts, refusals and hooks. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of git. */
export const git: Recogniser = {
  name: "git",
  opens:
    /^(?:CONFLICT |error: (?:pathspec|patch|[Yy]our local|could not|unable to|cannot|the following|.*: (?:patch does not apply|does not (?:exist|match)))|fatal: | ! \[(?:remote )?rejected\]|Auto-merging .* failed|hint: Updates were)/,
  closes: /^\S/,
  follows: /^error: failed to push some refs|^Automatic merge failed|^hint: /,
  harmless: /^(?:Checking patch|Auto-merging|Applying:) /,
  outcome:
    /^ *\d+ files? changed|^Already up to date|^Everything up-to-date|^Successfully rebased|^\[\S+ [\da-f]{7,}\]|^[\da-f]{7,} is the first bad commit/,
};
