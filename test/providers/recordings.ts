/** The recordings of real agent CLIs: scrubbed, long runs of one character written as «run:c*N». */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

const DIR = join(import.meta.dirname, "transcripts");

/** One recorded run. */
export interface Recording {
  readonly provider: string;
  readonly name: string;
  readonly bytes: Buffer;
  /** null when a signal ended it. */
  readonly exitCode: number | null;
}

const exits: unknown = JSON.parse(readFileSync(join(DIR, "exits.json"), "utf8"));

function exitCodeOf(key: string): number | null {
  if (typeof exits !== "object" || exits === null) throw new Error("exits.json holds no object");
  const entry: unknown = Object.entries(exits).find(([name]) => name === key)?.[1];
  if (typeof entry !== "object" || entry === null || !("exitCode" in entry)) return null;
  return typeof entry.exitCode === "number" ? entry.exitCode : null;
}

function expand(text: string, longest: number): string {
  return text.replace(/«run:(.)\*(\d+)»/gu, (_, char: string, count: string) =>
    char.repeat(Math.min(longest, Number(count))),
  );
}

/** Every recording, in order; runs of one character are cut at `longestRun`. */
export function recordings(longestRun: number = Number.MAX_SAFE_INTEGER): readonly Recording[] {
  return readdirSync(DIR, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .flatMap((entry) =>
      readdirSync(join(DIR, entry.name))
        .filter((file) => file.endsWith(".jsonl"))
        .map((file) => {
          const name = file.replace(/\.jsonl$/, "");
          const bytes = Buffer.from(expand(readFileSync(join(DIR, entry.name, file), "utf8"), longestRun));
          return { provider: entry.name, name, bytes, exitCode: exitCodeOf(`${entry.name}/${name}`) };
        }),
    );
}

/** One recording. */
export function recording(provider: string, name: string): Recording {
  const found = recordings().find((one) => one.provider === provider && one.name === name);
  if (found === undefined) throw new Error(`there is no recording ${provider}/${name}`);
  return found;
}
