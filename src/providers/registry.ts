/** The built-in adapters by name. */
import { ProctorError } from "../model/index.ts";
import type { ProviderAdapter } from "./adapter.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { copilot } from "./copilot.ts";
import { gemini } from "./gemini.ts";
import { lines } from "./lines.ts";
import { opencode } from "./opencode.ts";
import { pi } from "./pi.ts";
import { qwen } from "./qwen.ts";

const ADAPTERS: Readonly<Record<string, ProviderAdapter>> = {
  claude,
  codex,
  gemini,
  opencode,
  pi,
  qwen,
  copilot,
  lines,
};

/** The names of the built-in providers. */
export const PROVIDER_NAMES: readonly string[] = Object.keys(ADAPTERS);

/**
 * A built-in adapter.
 *
 * @throws ProctorError `ERR_INPUT_AGENT` when there is none of this name.
 */
export function providerNamed(name: string): ProviderAdapter {
  const adapter = Object.hasOwn(ADAPTERS, name) ? ADAPTERS[name] : undefined;
  if (adapter !== undefined) return adapter;
  throw new ProctorError(
    "ERR_INPUT_AGENT",
    `provider: "${name}" is not known. Accepted: ${PROVIDER_NAMES.join(", ")}, or an adapter of your own.`,
    {
      details: { field: "provider", value: name, accepted: PROVIDER_NAMES },
    },
  );
}
