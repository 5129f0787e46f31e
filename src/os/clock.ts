/** The system's clock behind the port. */
import { uptime } from "node:os";
import type { Clock, Timer } from "../ports/index.ts";

/** setTimeout(3) of Node fires at once above this many milliseconds. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** The real clock. */
export const systemClock: Clock = {
  mono: () => performance.now(),
  wall: () => Date.now(),
  boot: () => uptime() * 1000,
  after(ms: number, fire: () => void): Timer {
    const due = performance.now() + ms;
    let handle: NodeJS.Timeout;
    const arm = (): void => {
      const left = due - performance.now();
      handle = setTimeout(
        () => {
          if (due - performance.now() > 1) arm();
          else fire();
        },
        Math.min(Math.max(0, left), MAX_TIMEOUT_MS),
      );
    };
    arm();
    return { cancel: () => clearTimeout(handle) };
  },
};
