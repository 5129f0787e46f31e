/**
 * The user's own `!cmd`: the same supervision, streamed as it comes. It stays in the foreground for as long as it
 * takes, and its end is no news to the agent. Pi puts the prefix in front of it itself.
 */
import { DEFAULT_GRACE_MS, ProctorError } from "../model/index.ts";
import { followLog } from "../session/index.ts";
import { startRequest } from "./bash-tool.ts";
import type { BashHost } from "./bash-tool.ts";
import type { PiContext, ShellOperations } from "./pi-api.ts";

/** What runs the user's commands. */
export function userShell(host: BashHost, ctx: PiContext): ShellOperations {
  return {
    async exec(command, cwd, { onData, signal, timeout }) {
      const refuseAborted = (): void => {
        // What Pi's own operations say, and what its display expects.
        if (signal?.aborted === true) throw new Error("aborted");
      };
      refuseAborted();
      const settings = host.settings([command], ctx);
      const session = await host.session();
      const request = startRequest(
        { env: host.env, shell: () => ({ ...host.shell(), prefix: "" }) },
        [command],
        { cwd, ctx: null },
        { settings, timeoutMs: timeout === undefined ? null : timeout * 1000, interactive: false },
      );
      const started = await session.start(request);
      const ended = session.wait({ id: started.id, timeoutMs: null });
      const stop = (): void => {
        const stopped = session.stop(started.id, { reason: "the user cancelled it", graceMs: DEFAULT_GRACE_MS });
        stopped.catch(() => undefined); // the wait tells what came of it
      };
      signal?.addEventListener("abort", stop, { once: true });
      try {
        for await (const chunk of followLog(started.log.path, { from: 0, until: ended })) onData(chunk);
        const { run } = await ended;
        refuseAborted();
        if (run.cause === "timeout") throw new Error(`timeout:${timeout ?? 0}`);
        if (run.exitCode === null && run.message !== null) throw new ProctorError("ERR_INPUT_COMMAND", run.message);
        return { exitCode: run.exitCode };
      } finally {
        signal?.removeEventListener("abort", stop);
      }
    },
  };
}
