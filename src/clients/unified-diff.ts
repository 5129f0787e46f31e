/** A change of a file as people read it: the unified format of diff(1), by the package `diff`. */
import { createTwoFilesPatch } from "diff";

/** The name that stands for no file. */
const NO_FILE = "/dev/null";

/** The difference between two contents; null is no file. Control characters are shown, not sent. */
export function unifiedDiff(path: string, before: string | null, after: string | null): string {
  const patch = createTwoFilesPatch(
    before === null ? NO_FILE : path,
    after === null ? NO_FILE : path,
    before ?? "",
    after ?? "",
    undefined,
    undefined,
    { context: 3 },
  );
  // What stands above the names is for patch(1).
  return patch
    .replace(/^[^]*?(?=^--- )/m, "")
    .replace(/\r(?=\n)/g, "")
    .replace(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/g, "\uFFFD");
}
