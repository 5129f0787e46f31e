/** An engine without a host around it, for tests of what it does with what the machine offers. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SessionEngine, SessionProcesses } from "../../src/engine/index.ts";
import { NO_LIMITS, newId } from "../../src/model/index.ts";
import type { Limits, RunView } from "../../src/model/index.ts";
import { findProgram, perlLauncher, processTable, runStore, systemClock, terminals } from "../../src/os/index.ts";
import type { SystemdScope } from "../../src/os/index.ts";
import type { Cgroups } from "../../src/ports/index.ts";

/** One engine, in a directory of its own. */
export interface BareEngine {
  readonly dir: string;
  /** Runs a command under limits to its end. */
  endOf(command: string, limits: Partial<Limits>): Promise<RunView>;
  close(): Promise<void>;
}

/** Makes one; `cgroupsIn` is told its directory. */
export function bareEngine(
  cgroupsIn: (dir: string) => { readonly cgroups: Cgroups; readonly scope: SystemdScope | null },
): BareEngine {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), "proctor-engine-")));
  const table = processTable();
  const { cgroups, scope } = cgroupsIn(dir);
  const engine = new SessionEngine(
    {
      sessionId: "bare-engine",
      sessionDir: dir,
      clock: systemClock,
      table,
      launcher: perlLauncher(table, findProgram("perl") ?? "perl", {
        socketPath: () => join(dir, "host.launch"),
        cgroupFile: null,
        scope,
      }),
      store: runStore(dir),
      cgroups,
      queue: {
        join: () => ({ kind: "off", why: "a test without one" }),
        sweep: () => undefined,
        refuseWhenFull: () => undefined,
        leave: () => undefined,
        rejoin: () => ({ kind: "off", why: "a test without one" }),
        onChange: () => () => undefined,
        close: () => undefined,
      },
      retention: { ttlMs: 3_600_000, totalBytes: 1 << 30 },
      heavinessOf: () => Promise.resolve("light"),
      perl: findProgram("perl") ?? "perl",
      shell: findProgram("bash") ?? "bash",
      hidden: [],
      terminals,
      answers: () => ({
        answersFrom: (to) => Promise.resolve({ bytes: new Uint8Array(), to }),
        close: () => Promise.resolve(),
      }),
      panes: {
        rejected: null,
      backend: () => Promise.resolve("built-in"),
        show: () => Promise.resolve(),
        adopt: () => Promise.resolve(),
        ended: () => undefined,
        invitation: () => null,
        close: () => undefined,
      },
      processes: new SessionProcesses(table, null, ({ pid }) => pid === process.pid),
      report: (error) => {
        throw error;
      },
    },
    { removeDirectory: () => rmSync(dir, { recursive: true, force: true }) },
  );
  return {
    dir,
    async endOf(command, limits) {
      const { id } = await engine.start({
        id: newId(),
        commands: [command],
        name: null,
        cwd: dir,
        env: { PATH: process.env["PATH"] ?? "" },
        unrecorded: [],
        withheld: [],
        umask: 0o22,
        stdin: null,
        interactive: false,
        limits: { ...NO_LIMITS, ...limits },
      });
      return (await engine.wait({ id, timeoutMs: null })).run;
    },
    close: async () => void (await engine.end({ reason: null, graceMs: 0 })),
  };
}
