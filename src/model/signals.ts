/** Signal numbers and names. They differ between systems, so the table comes from the system itself. */
import { constants } from "node:os";
import type { SignalName } from "./outcome.ts";

const NAMES = new Map<number, SignalName>();
for (const [name, number] of Object.entries(constants.signals)) {
  // SIGIOT and SIGABRT, SIGPOLL and SIGIO share a number: the first, the one POSIX names, wins.
  if (!NAMES.has(number) && name !== "SIGIOT" && name !== "SIGPOLL") NAMES.set(number, name as SignalName);
}

/** The name of a signal's number on this system; `SIGRTMIN+n` for a real-time signal (34 is SIGRTMIN on Linux). */
export function signalName(number: number): SignalName {
  const known = NAMES.get(number);
  if (known !== undefined) return known;
  return number >= 34 && number <= 64 ? `SIGRTMIN+${number - 34}` : `SIG${number}`;
}
