/**
 * A run's result in the shape of Pi's own `bash`: text for the model, `details` for Pi's display, and
 * `structuredContent` for scripts in code mode, with what proctor knows beside it. A status other than 0 is an error
 * there, and so is everything that did not end by itself.
 */
import { DEFAULT_SETTINGS, errnoOf } from "../model/index.ts";
import type { RunResult, RunView } from "../model/index.ts";
import { openLog, resultText } from "../session/index.ts";
import { plainText } from "../text/index.ts";
import type { Schema, ToolResult } from "./pi-api.ts";
import { shownRun, shortView } from "./run-text.ts";

/** A script gets no more of an output: its first and last half. The same as of Pi's own `bash`. */
const MAX_STRUCTURED_BYTES: number = 1024 * 1024;

const GOES_ON =
  "It goes on in the background: you will be told when it ends. runner_wait waits for it, runner_logs reads its output, runner_stop stops it.";

/** What a script in code mode gets: the fields of Pi's own `bash`, and the run's. */
export const BASH_OUTPUT: Schema = {
  type: "object",
  properties: {
    output: { type: "string", description: "Combined stdout and stderr, of a list the last command's" },
    truncated: { type: "boolean" },
    full_output_path: { type: "string", description: "Full output" },
    exit_code: { type: ["number", "null"], description: "null while it goes on in the background" },
    wall_time_seconds: { type: "number" },
    id: { type: "string", description: "For the runner_ tools" },
    state: { enum: ["queued", "running", "stopping", "ended"] },
    cause: { type: ["string", "null"], description: '"completed", or why it was ended' },
    promoted: { type: "boolean", description: "It goes on in the background" },
  },
  required: ["output", "truncated", "exit_code", "wall_time_seconds", "id", "state", "cause", "promoted"],
};

/** The output for scripts. */
async function structuredOutput(view: RunView): Promise<{ output: string; truncated: boolean }> {
  let source;
  try {
    source = await openLog(view.log.path);
  } catch (error) {
    if (errnoOf(error) !== "ENOENT") throw error;
    return { output: "", truncated: false };
  }
  try {
    const size = await source.size();
    const read = async (from: number, length: number): Promise<string> =>
      plainText(Buffer.from(await source.read(from, length)).toString("utf8"));
    if (size <= MAX_STRUCTURED_BYTES) return { output: await read(0, size), truncated: false };
    const half = MAX_STRUCTURED_BYTES / 2;
    const omitted = `\n[${size - MAX_STRUCTURED_BYTES} bytes omitted]\n`;
    return { output: `${await read(0, half)}${omitted}${await read(size - half, half)}`, truncated: true };
  } finally {
    await source.close();
  }
}

/** Pi's record of what was left out. `content` stays empty: the text is in the result already. */
function truncationOf(result: RunResult): Record<string, unknown> {
  const isSuccess = result.exitCode === 0;
  return {
    content: "",
    truncated: true,
    truncatedBy: "bytes",
    totalLines: result.totalLines,
    totalBytes: result.log.bytes,
    outputLines: result.shownLines,
    outputBytes: Buffer.byteLength(result.output),
    lastLinePartial: false,
    firstLineExceedsLimit: false,
    maxLines: isSuccess ? DEFAULT_SETTINGS.successMaxResultLines : DEFAULT_SETTINGS.maxResultLines,
    maxBytes: isSuccess ? DEFAULT_SETTINGS.successMaxResultBytes : DEFAULT_SETTINGS.maxResultBytes,
  };
}

/** The result as Pi has it; `wallMs` is how long the call took. `screen` is shown in place of the output. */
export async function bashResult(result: RunResult, wallMs: number, screen: string | null): Promise<ToolResult> {
  const shown = shownRun(result);
  const { output, truncated } = await structuredOutput(shown);
  const goesOn = result.state !== "ended";
  const text =
    screen ?? resultText(goesOn ? { ...result, message: result.interactive ? result.message : GOES_ON } : result);
  return {
    content: [{ type: "text", text }],
    details: {
      ...(result.truncated ? { truncation: truncationOf(result), fullOutputPath: shown.log.path } : {}),
      run: shortView(result),
    },
    structuredContent: {
      output,
      truncated,
      full_output_path: shown.log.path,
      exit_code: result.exitCode,
      wall_time_seconds: Math.round(wallMs / 100) / 10,
      id: result.id,
      state: result.state,
      cause: result.cause,
      promoted: result.promoted,
    },
    ...(goesOn || (result.cause === "completed" && result.exitCode === 0) ? {} : { isError: true }),
  };
}
