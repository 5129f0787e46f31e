/** Processes of commands under test: they say their pid in a file, and are found dead by identity. */
import { readFileSync } from "node:fs";
import { setTimeout as pause } from "node:timers/promises";
import { processTable } from "../../src/os/index.ts";
import type { ProcessIdentity } from "../../src/model/index.ts";

/** Polls until `look` gives something. The test's own time limit bounds it. */
export async function eventually<T>(look: () => T | null | undefined | false): Promise<T> {
  for (;;) {
    const found = look();
    if (found !== null && found !== undefined && found !== false) return found;
    await pause(20);
  }
}

/** The process whose pid a command wrote to `file` (`echo $$ > file`), once it has. */
export async function processIn(file: string): Promise<ProcessIdentity> {
  return eventually(() => {
    try {
      const text = readFileSync(file, "utf8");
      return text.endsWith("\n") ? processTable().identify(Number(text)) : null;
    } catch {
      return null;
    }
  });
}

/** Whether a process lives: a zombie does not. */
export function isAlive(identity: ProcessIdentity): boolean {
  return processTable().isAlive(identity);
}

/** Resolves when none of them lives. */
export async function allGone(identities: readonly ProcessIdentity[]): Promise<void> {
  await eventually(() => !identities.some(isAlive));
}
