/** What the settings mean for an excerpt: its ceilings, the caller's own patterns, and what is masked. */
import { resultLimits } from "../model/index.ts";
import type { ResolvedSettings } from "../model/index.ts";
import type { ExcerptRequest } from "../excerpt/index.ts";
import { compilePatterns, redact } from "../text/index.ts";

/** What is known about the run whose log it is. */
export interface LogFacts {
  /** Shell convention; null while it runs or when it is not known. */
  readonly exitCode: number | null;
  readonly command: string | null;
  /** Whether the run ended by itself with exit code 0: then less is said. */
  readonly isSuccess: boolean;
}

/** A request for an excerpt, and a sentence for each pattern of the settings that can't be used. */
export async function excerptRequest(
  { settings, errorPatternPlaces }: Pick<ResolvedSettings, "settings" | "errorPatternPlaces">,
  facts: LogFacts,
): Promise<{ readonly request: ExcerptRequest; readonly notes: readonly string[] }> {
  const { patterns, notes } = await compilePatterns(settings.errorPatterns, errorPatternPlaces);
  return {
    request: {
      exitCode: facts.exitCode,
      command: facts.command,
      limits: resultLimits(settings, facts.isSuccess ? 0 : null),
      headRatio: settings.headRatio,
      errorMaxEntries: settings.errorMaxEntries,
      errorMaxVariantsJoined: settings.errorMaxVariantsJoined,
      errorBudgetRatio: settings.errorBudgetRatio,
      ...(patterns === null ? {} : { errorPatterns: [patterns] }),
      ...(settings.redact ? { mask: redact } : {}),
    },
    notes,
  };
}
