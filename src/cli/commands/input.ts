/** `proctor input`: types into an interactive run. */
import { readFile } from "node:fs/promises";
import { text as textOf } from "node:stream/consumers";
import { ProctorError, errnoOf, messageOf } from "../../model/index.ts";
import type { Arguments } from "../command-spec.ts";
import { withRun } from "../session-access.ts";
import { writeError, writeJson, writeOut } from "../standard-output.ts";

/** Carries out `proctor input`. */
export async function execute(args: Arguments): Promise<number> {
  const text = await textGiven(args);
  const keys = args.texts("key");
  if (text === null && keys.length === 0 && !args.has("enter") && !args.has("eof")) {
    throw new ProctorError(
      "ERR_INPUT_USAGE",
      "input: nothing was given to type. Accepted: --text, --file, --enter, --key, --eof.",
    );
  }
  const answer = await withRun(args, (client, id) =>
    client.input({ id, data: null, text, enter: args.has("enter"), keys, eof: args.has("eof") }),
  );
  if (args.has("json")) {
    await writeJson(answer);
    return 0;
  }
  for (const note of answer.notes) await writeError(`proctor: ${note}\n`);
  await writeOut(
    answer.written === 0 && answer.run.state === "ended"
      ? `Nothing was typed: the run ${answer.id} has ended${answer.run.exitCode === null ? "" : ` with exit status ${answer.run.exitCode}`}.\n`
      : `Typed ${answer.written} ${answer.written === 1 ? "byte" : "bytes"} into ${answer.id}.\n`,
  );
  return 0;
}

async function textGiven(args: Arguments): Promise<string | null> {
  const text = args.text("text");
  const file = args.text("file");
  if (file === null) return text;
  if (text !== null)
    throw new ProctorError("ERR_INPUT_USAGE", "--text and --file exclude each other. Accepted: one of them.");
  try {
    return file === "-" ? await textOf(process.stdin) : await readFile(file, "utf8");
  } catch (error) {
    throw new ProctorError(
      "ERR_INPUT_FILE",
      `--file: ${file} can't be read (${errnoOf(error) ?? messageOf(error)}). Accepted: a file, or - for standard input.`,
      {
        cause: error,
        details: { value: file },
      },
    );
  }
}
