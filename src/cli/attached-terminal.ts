import type { Arguments } from "./command-spec.ts";
export async function joinRun(_args: Arguments): Promise<number> { return 0; }
