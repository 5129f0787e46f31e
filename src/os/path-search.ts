/** Where a program is that may not be there: a few looks at the disk, and nothing is loaded or started for it. */
import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { errnoOf } from "../model/index.ts";

/** A program's file. */
interface FoundProgram {
  readonly file: string;
  /** Changes when the file is replaced. */
  readonly mark: string;
}

/** The file that `path` leads to for `name`; null when there is none. Relative entries of PATH are not followed. */
export function findOnPath(name: string, path: string): FoundProgram | null {
  for (const dir of path.split(delimiter)) {
    if (!dir.startsWith("/")) continue;
    const file = join(dir, name);
    try {
      const stat = statSync(file, { throwIfNoEntry: false });
      if (stat === undefined || !stat.isFile()) continue;
      accessSync(file, constants.X_OK);
      return { file, mark: `${stat.dev}:${stat.ino}:${stat.size}:${stat.mtimeMs}` };
    } catch (error) {
      // Not here, or not for us: the next folder.
      if (errnoOf(error) === null) throw error;
    }
  }
  return null;
}
