/** The project file that `trust` and `untrust` are about. */
import { realpathSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { ProctorError, errnoOf } from "../model/index.ts";
import { PROJECT_FILE, findProjectFile } from "../session/index.ts";
import type { Arguments } from "./command-spec.ts";

/**
 * The path of the file that is meant, absolute and without symbolic links in its directories, as it is
 * looked up when a command runs.
 *
 * @throws ProctorError `ERR_INPUT_FILE` when there is none, or when it has another name.
 */
export function projectOperand(args: Arguments): string {
  const [given] = args.operands;
  if (given === undefined) {
    const found = findProjectFile(process.cwd());
    if (found !== null) return found;
    throw new ProctorError(
      "ERR_INPUT_FILE",
      `FILE: there is no ${PROJECT_FILE} here, nor above up to the repository's root. Accepted: the path of one.`,
    );
  }
  const path = resolve(given);
  if (basename(path) !== PROJECT_FILE) {
    throw new ProctorError(
      "ERR_INPUT_FILE",
      `FILE: ${given} is not named ${PROJECT_FILE}, so no command would look at it. Accepted: a file of that name.`,
      { details: { file: given } },
    );
  }
  try {
    return join(realpathSync(dirname(path)), PROJECT_FILE);
  } catch (error) {
    // Its directory is gone: what was trusted there is known by this path.
    if (errnoOf(error) === null) throw error;
    return path;
  }
}
