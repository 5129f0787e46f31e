/** `proctor excerpt`: what an agent would get of a log that exists already. */
import { closeSync, createReadStream, mkdtempSync, openSync, rmSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ProctorError, errnoOf, messageOf } from "../../model/index.ts";
import { callSettings, openLog, shownExcerpt } from "../../session/index.ts";
import { diskError, isDiskError } from "../../os/index.ts";
import type { Arguments } from "../command-spec.ts";
import { oneLine } from "../one-line.ts";
import { writeError, writeJson, writeOut } from "../standard-output.ts";

/** Carries out `proctor excerpt`. */
export async function execute(args: Arguments): Promise<number> {
  const [given] = args.operands;
  const isFromFile = given !== undefined && given !== "-";
  const source = !isFromFile
    ? await spooled(process.stdin)
    : isPipe(given)
      ? await spooled(createReadStream(given))
      : await openFile(given);
  try {
    const exitCode = args.number("exit");
    const command = args.text("command");
    const call = callSettings(command === null ? [] : [command], { env: process.env, cwd: workingDirectory() });
    const { excerpt: chosen, notes } = await shownExcerpt(
      { source, command, exitCode, endedByItself: true, isRunning: false },
      call,
    );
    if (chosen.unread !== null)
      throw new ProctorError(
        "ERR_INPUT_FILE",
        `FILE: ${given ?? "standard input"} could not be read to its end: ${chosen.unread}`,
      );
    for (const note of [...call.notes, ...notes]) await writeError(`proctor: ${oneLine(note)}\n`);
    const { text, truncated, totalLines, shownLines, tokens, ranges } = chosen;
    if (args.has("json")) await writeJson({ text, truncated, totalLines, shownLines, tokens, ranges });
    else await writeOut(text === "" || text.endsWith("\n") ? text : `${text}\n`);
    return 0;
  } finally {
    await source.close();
  }
}

/** Where a project file is looked for; null in a directory that is gone, where a log can be read all the same. */
function workingDirectory(): string | null {
  try {
    return process.cwd();
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
    return null;
  }
}

/** Whether it can be read once only, such as what a shell gives for <(command). */
function isPipe(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isFIFO() === true;
  } catch (error) {
    // Whoever opens it says what is wrong with it.
    if (errnoOf(error) === null) throw error;
    return false;
  }
}

async function openFile(path: string): ReturnType<typeof openLog> {
  try {
    const source = await openLog(path);
    await source.read(0, 1); // a directory can be opened, but not read
    return source;
  } catch (error) {
    throw new ProctorError(
      "ERR_INPUT_FILE",
      `FILE: ${path} can't be read (${errnoOf(error) ?? messageOf(error)}). Accepted: a file that exists and may be read.`,
      {
        cause: error,
        details: { file: path },
      },
    );
  }
}

/** What can be read once only, in a private file: it may be larger than memory, and an excerpt looks at its end before its middle. */
async function spooled(input: AsyncIterable<unknown>): ReturnType<typeof openLog> {
  const dir = mkdtempSync(join(tmpdir(), "proctor-excerpt-")); // 0700, mkdtemp(3)
  try {
    const path = join(dir, "input");
    const fd = openSync(path, "wx", 0o600);
    try {
      for await (const part of input) {
        const bytes = Buffer.isBuffer(part) ? part : Buffer.from(String(part));
        for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
      }
    } catch (error) {
      throw isDiskError(error) ? diskError(dir, error) : error;
    } finally {
      closeSync(fd);
    }
    return await openLog(path);
  } finally {
    // The open descriptor is enough: nothing is left behind, however this process ends.
    rmSync(dir, { recursive: true, force: true });
  }
}
