/**
 * Qwen Code (`qwen`): a launcher and a worker, so a signal goes to the process group. Its stream is Claude
 * Code's, without a cost; its usage counts side requests too. What it says of the API comes as if the model had
 * said it.
 */
import { GROUP_INTERRUPT } from "./adapter.ts";
import type { ProviderAdapter } from "./adapter.ts";
import { messageStreamParser } from "./message-stream.ts";

/** Qwen Code; seen with 0.15.10 and 0.24.4. */
export const qwen: ProviderAdapter = {
  name: "qwen",
  binary: "qwen",
  polite: GROUP_INTERRUPT,
  buildArgs: ({ prompt, model, sessionId, partial }) => [
    prompt,
    "--output-format",
    "stream-json",
    ...(partial === true ? ["--include-partial-messages"] : []),
    ...(model === undefined ? [] : ["--model", model]),
    ...(sessionId === undefined ? [] : ["--resume", sessionId]),
  ],
  parser: () => messageStreamParser(/^\[API Error: [^]*\]$/),
};
