/** The program that cleans up what dead sessions left; started by a call that does not wait for it. */
import { sweepAbandoned } from "../session/access.ts";

let failed = false;
await sweepAbandoned(() => {
  failed = true; // nobody listens; the next call finds the session still abandoned and tries again
});
process.exit(failed ? 1 : 0);
