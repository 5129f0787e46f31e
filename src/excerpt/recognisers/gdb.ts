/** gdb and lldb: a signal, and the frames of the thread that it met. */
import type { Recogniser } from "./recogniser.ts";

/** The layout of gdb. */
export const gdb: Recogniser = {
  name: "gdb",
  section: true,
  opens: /received signal SIG\w+|stop reason = (?:signal|EXC_)/,
  closes: /^\[Inferior \d+ |^(?:rax|x0) +0x|^Thread 1 \(/,
  drops: /^No locals\.|^ {8}\w+ = |^\[(?:Switching to|New|Current) /,
};
