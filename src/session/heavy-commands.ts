/** Whether a command waits for a slot of the machine's queue. */
const HEAVY = /^\s*(?:npm (?:test|run (?:build|test|lint|typecheck))|cargo (?:build|test)|make|tsc|vitest run|pytest)\b/;

/** Tells whether a command is a heavy one. */
export async function isHeavyCommand(command: string): Promise<boolean> {
  return HEAVY.test(command);
}
