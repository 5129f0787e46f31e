/** The commands of a call, in the order in which COMMANDs and `-f FILE`s were given. */
import { readFile } from "node:fs/promises";
import { ProctorError, errnoOf, messageOf } from "../model/index.ts";
import type { Operand } from "./command-spec.ts";

/**
 * Reads the commands; FILE `-` is standard input.
 *
 * @throws ProctorError `ERR_INPUT_FILE` when a file can't be read or is no text.
 */
export async function commandTexts(ordered: readonly Operand[]): Promise<string[]> {
  const fromStdin = ordered.filter((o) => o.option !== null && o.value === "-").length;
  if (fromStdin > 1) {
    throw new ProctorError(
      "ERR_INPUT_FILE",
      `--file: "-" was given ${fromStdin} times, but standard input can be read only once.`,
      { details: { value: "-" } },
    );
  }
  const texts: string[] = [];
  for (const { option, value } of ordered) texts.push(option === null ? value : await commandFromFile(value));
  return texts;
}

async function commandFromFile(file: string): Promise<string> {
  const shown = file === "-" ? "standard input" : file;
  let bytes: Buffer;
  try {
    bytes = file === "-" ? await readStandardInput() : await readFile(file);
  } catch (error) {
    throw new ProctorError(
      "ERR_INPUT_FILE",
      `--file: ${shown} can't be read (${errnoOf(error) ?? messageOf(error)}). Accepted: a file that exists and may be read, or - for standard input.`,
      {
        cause: error,
        details: { file },
      },
    );
  }
  try {
    // A byte that is no UTF-8 would reach the shell as another one: better no run than another command.
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes).replace(/\n$/, "");
  } catch (error) {
    throw new ProctorError(
      "ERR_INPUT_FILE",
      `--file: ${shown} is not valid UTF-8. Accepted: a command as UTF-8 text; a script in another encoding can be run by its name: bash FILE.`,
      {
        cause: error,
        details: { file },
      },
    );
  }
}

async function readStandardInput(): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of process.stdin) parts.push(Buffer.isBuffer(part) ? part : Buffer.from(String(part)));
  return Buffer.concat(parts);
}
