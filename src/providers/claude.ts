/**
 * Claude Code (`claude`). SIGINT makes it end its tool, print a `result` and leave with 0; SIGTERM leaves with
 * 143 and no `result`. Its error results still say `subtype: "success"`, so `is_error` decides.
 */
import { GROUP_INTERRUPT } from "./adapter.ts";
import type { ProviderAdapter } from "./adapter.ts";
import { messageStreamParser } from "./message-stream.ts";

/** Claude Code; seen with 2.1.197 and 2.1.332. */
export const claude: ProviderAdapter = {
  name: "claude",
  binary: "claude",
  polite: GROUP_INTERRUPT,
  buildArgs: ({ prompt, model, sessionId, partial }) => [
    "-p",
    prompt,
    "--output-format",
    "stream-json",
    "--verbose",
    ...(partial === true ? ["--include-partial-messages"] : []),
    ...(model === undefined ? [] : ["--model", model]),
    ...(sessionId === undefined ? [] : ["--resume", sessionId]),
  ],
  parser: () => messageStreamParser(),
};
