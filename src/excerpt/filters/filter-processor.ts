/**
 * The optional filter beside our own excerpt: given a log in a known format, it may give a shorter
 * text that tells as much. It only ever replaces text; exit status, cause and log are not its business.
 *
 * Theory: a helper is a guest. It is asked when everything is as it expects, believed when its text
 * agrees with the exit status and shows at least the evidence that our own text shows for fewer
 * tokens, and otherwise passed over with a note. Once the system could not start it, it is not asked
 * again by this processor.
 */
import type { FilterName } from "../../model/index.ts";
import type { FilterProcess } from "../../ports/index.ts";
import { estimateTokens, plainText } from "../../text/index.ts";
import type { ByteSource, Excerpt, ExcerptLimits } from "../types.ts";
import { countShown, factsOf } from "./evidence.ts";
import { agreesWithExit } from "./green-summary.ts";

/** rtk refuses more (`rtk pipe`, its own limit). */
const MAX_INPUT_BYTES: number = 10 * 1024 * 1024;
const READ_BYTES: number = 1024 * 1024;

/** One log to be filtered. */
export interface FilterRequest {
  /** From the command (see `explainCommand`); null is never filtered. */
  readonly filter: FilterName | null;
  readonly exitCode: number | null;
  readonly source: ByteSource;
  /** Our own excerpt of the same log. */
  readonly own: Excerpt;
  readonly limits: ExcerptLimits;
  /** Masks secrets in a text of several lines. Default: the text as it is. */
  readonly mask?: (text: string) => string;
}

/** What to show: the filter's text, or null for our own; a note for the caller where something went wrong. */
export interface FilterResult {
  readonly text: string | null;
  /** Estimated tokens of `text`; 0 when it is null. */
  readonly tokens: number;
  readonly note: string | null;
}

/** Asks a helper about logs; one for each session. */
export class FilterProcessor {
  readonly #helper: FilterProcess;
  /** Why the helper is off, once the system could not start it. */
  #off: string | null = null;
  /** Why it is unsuitable, as told once. */
  #told: string | null = null;

  constructor(helper: FilterProcess) {
    this.#helper = helper;
  }

  /** Decides whether the filter's text is shown. Never rejects, and never changes anything but the text. */
  async process(request: FilterRequest): Promise<FilterResult> {
    if (request.filter === null) return ours(null);
    if (this.#off !== null) return ours(`${this.#helper.name} stays off for this session: it ${this.#off}`);
    const log = await readLog(request.source);
    if (log.kind === "unreadable")
      return ours(`${this.#helper.name} was not used: the log could not be read (${log.why})`);
    if (log.kind === "unfit") return ours(null);
    const outcome = await this.#helper.filter(request.filter, log.bytes);
    switch (outcome.kind) {
      case "filtered":
        return this.#weigh(request.filter, request, log.text, outcome.output);
      case "absent":
        return ours(null);
      case "unsuitable": {
        const isNew = this.#told !== outcome.why;
        this.#told = outcome.why;
        return ours(isNew ? `${this.#helper.name} is not used: ${outcome.why}` : null);
      }
      case "failed":
        return ours(`${this.#helper.name} ${outcome.why}: shown without it`);
      case "spawn-failed":
        this.#off = outcome.why;
        return ours(`${this.#helper.name} ${outcome.why}: it stays off for this session`);
      default:
        return outcome satisfies never;
    }
  }

  /** Compares the helper's text with our own. */
  #weigh(filter: FilterName, request: FilterRequest, log: string, output: Uint8Array): FilterResult {
    const decoded = decode(output);
    if (decoded === null) return ours(`${this.#helper.name} gave bytes that are no text: shown without it`);
    const mask = request.mask ?? ((whole: string): string => whole);
    const text = mask(plainText(decoded).trimEnd());
    if (text.trim() === "")
      return ours(log.trim() === "" ? null : `${this.#helper.name} said nothing: shown without it`);
    if (!agreesWithExit(filter, text, request.exitCode)) {
      return ours(`${this.#helper.name} showed no failure of a run that did not succeed: shown without it`);
    }
    const tokens = estimateTokens(text);
    if (!fits(text, tokens, request.limits)) return ours(null);
    const facts = factsOf(filter, log);
    const shown = countShown(facts, text);
    const own = countShown(facts, request.own.text);
    // Fewer tokens for less evidence is no gain; as much evidence for fewer tokens is, and more of it for no more each.
    const isBetter = shown >= own && tokens < request.own.tokens;
    const isRicher = shown > own && shown * request.own.tokens >= own * tokens;
    return isBetter || isRicher ? { text, tokens, note: null } : ours(null);
  }
}

function ours(note: string | null): FilterResult {
  return { text: null, tokens: 0, note };
}

function fits(text: string, tokens: number, limits: ExcerptLimits): boolean {
  const bytes = new TextEncoder().encode(text).length;
  return bytes <= limits.maxBytes && text.split("\n").length <= limits.maxLines && tokens <= limits.maxTokens;
}

type LogText =
  | { readonly kind: "text"; readonly bytes: Uint8Array; readonly text: string }
  /** Nothing that a filter takes: empty, too long, no UTF-8. */
  | { readonly kind: "unfit" }
  | { readonly kind: "unreadable"; readonly why: string };

async function readLog(source: ByteSource): Promise<LogText> {
  const parts: Uint8Array[] = [];
  let size = 0;
  try {
    if ((await source.size()) > MAX_INPUT_BYTES) return { kind: "unfit" };
    for (;;) {
      const part = await source.read(size, READ_BYTES);
      if (part.length === 0) break;
      parts.push(part.slice()); // the source may use its buffer again
      size += part.length;
      if (size > MAX_INPUT_BYTES) return { kind: "unfit" };
    }
  } catch (error) {
    // The log is gone, or the disk is ill: our own excerpt says so too.
    return { kind: "unreadable", why: error instanceof Error ? error.message : String(error) };
  }
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  const text = decode(bytes);
  return text === null || size === 0 ? { kind: "unfit" } : { kind: "text", bytes, text };
}

/** The text of bytes, or null when they are not UTF-8. */
function decode(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    // A TypeError says that they are not.
    return null;
  }
}
