/** What anything that was thrown looks like to a caller: one line on stderr, one document under --json, 125. */
import { ProctorError, errnoOf, isProctorError, messageOf } from "../model/index.ts";
import type { ErrorCode } from "../model/index.ts";
import { OutputClosed, writeError, writeJson } from "./standard-output.ts";

/** proctor itself refused or failed (contract: command line). */
export const EXIT_REFUSED = 125;
/** What a program ends with that SIGPIPE kills: nobody reads its output any more. */
const EXIT_CLOSED = 128 + 13;

function codeAndMessage(error: unknown): { code: ErrorCode; message: string } {
  if (isProctorError(error)) return { code: error.code, message: error.message };
  if (
    errnoOf(error) === "ENOENT" &&
    typeof error === "object" &&
    error !== null &&
    "syscall" in error &&
    error.syscall === "uv_cwd"
  ) {
    return {
      code: "ERR_INPUT_CWD",
      message:
        "cwd: the current directory does not exist any more (ENOENT). Change to one that does, or give --cwd DIR.",
    };
  }
  return {
    code: "ERR_BUG",
    message: `${messageOf(error)} (this is a fault of proctor's; PROCTOR_DEBUG=1 shows where)`,
  };
}

/** Tells a failure; gives the exit status. */
export async function reportFailure(error: unknown, asJson: boolean): Promise<number> {
  if (error instanceof OutputClosed) return EXIT_CLOSED;
  const { code, message } = codeAndMessage(error);
  const oneLine = message.replace(/\s*\n\s*/g, " ");
  await writeError(`proctor: ${oneLine}\n`);
  if (process.env["PROCTOR_DEBUG"] === "1" && error instanceof Error) await writeError(`${error.stack ?? ""}\n`);
  if (!asJson) return EXIT_REFUSED;
  try {
    await writeJson({ error: { code, message } });
  } catch (failed) {
    if (!(failed instanceof OutputClosed || failed instanceof ProctorError)) throw failed;
    // Standard output is what failed: the line on stderr has told it.
  }
  return EXIT_REFUSED;
}

/** Whether `argv` asks for JSON; also when it can't be parsed. Behind `--` stand commands. */
export function asksForJson(argv: readonly string[]): boolean {
  const end = argv.indexOf("--");
  return (end < 0 ? argv : argv.slice(0, end)).includes("--json");
}
