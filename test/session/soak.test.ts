/**
 * Many interactive runs in a row, by each backend: not a byte is lost, each end is exact, nothing is left. A few of
 * them always; as many as are promised with SOAK=full (npm run soak does that, on two lines of Node).
 */
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import type { RunView } from "proctor";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually, livingProcesses, processesOf } from "./processes.ts";
import { terminalSession } from "./terminal-session.ts";
import type { Backend, TerminalSession } from "./terminal-session.ts";

const IS_FULL = process.env["SOAK"] === "full";
const SHORT = IS_FULL ? 200 : 40;
const SHOWN = IS_FULL ? 200 : 12;
const COUNTED = IS_FULL ? 500 : 20;
/** How many runs have their pane at the same time. */
const LANES = 4;

/** What a command of the soak prints, and how it ends. */
function planned(i: number): { bytes: number; print: string; end: string } {
  const bytes = 20_000 + ((i * 7919) % 180_000);
  return {
    bytes,
    print: `head -c ${bytes} /dev/zero | tr '\\0' x; printf END`,
    end: i % 5 === 0 ? "kill -9 $$" : `exit ${i % 7}`,
  };
}

/** What is to be found of it; `rest` is what the log holds behind the output. */
function expected(i: number, rest: string): object {
  const isKilled = i % 5 === 0;
  const { bytes } = planned(i);
  return {
    i,
    cause: "completed",
    exitCode: isKilled ? 137 : i % 7,
    signal: isKilled ? "SIGKILL" : null,
    bytes: bytes + rest.length,
    isWhole: true,
  };
}

/** What was found of it. */
function found(i: number, run: RunView, rest: string): object {
  const log = readFileSync(run.log.path, "latin1");
  const { cause, exitCode, signal } = run;
  return { i, cause, exitCode, signal, bytes: log.length, isWhole: log === "x".repeat(planned(i).bytes) + rest };
}

describe.each<{ backend: Backend }>([{ backend: "built-in" }, { backend: "tmux" }, { backend: "rmux" }])(
  "by $backend",
  ({ backend }) => {
    let world: TerminalSession;
    beforeAll(async () => {
      world = await terminalSession(backend);
    });
    afterAll(async () => {
      const { base } = world;
      await world[Symbol.asyncDispose]();
      await eventually("nothing of the session is left", () => processesOf(base).length === 0);
    });
    const ended = async (id: string): Promise<RunView> => (await world.session.wait(id, { timeoutMs: 20_000 })).run;

    test(`${SHORT} commands of 20 to 200 kB that end at once`, { timeout: 30_000 + SHORT * 1000 }, async () => {
      for (let i = 0; i < SHORT; i++) {
        const { print, end } = planned(i);
        const { id } = await world.session.bash(`${print}; ${end}`, { interactive: true });
        expect(found(i, await ended(id), "END")).toEqual(expected(i, "END"));
      }
    });

    test(`${COUNTED} runs that are typed to leave no terminal, descriptor or process behind`, {
      timeout: 60_000 + COUNTED * 1000,
    }, async () => {
      const { session, base } = world;
      const once = async (): Promise<void> => {
        const run = await session.bash("read x; echo $x; read -rsd R -p $'\\e[6n' -t 10", { interactive: true });
        await session.input(run.id, { text: "typed", enter: true });
        expect(await ended(run.id)).toMatchObject({ exitCode: 0 });
      };
      const host = (): number =>
        livingProcesses().find(
          (p) => p.command.includes("host-main.js") && !p.command.includes("guardian.sh") && p.command.includes(base),
        )?.pid ?? 0;
      const settled = (): Promise<unknown> =>
        eventually("the last one to be gone", () =>
          processesOf(base).every((p) => !/^(proctor-launcher|(\S*\/)?[rt]mux)/.test(p.command)),
        );
      const terminals = (): number => readdirSync("/dev/pts").length;
      const count = (): { descriptors: number; processes: number; terminals: number } => ({
        descriptors: readdirSync(`/proc/${host()}/fd`).length,
        processes: processesOf(base).length,
        terminals: terminals(),
      });
      await once();
      await settled();
      const before = count();
      for (let i = 0; i < COUNTED; i++) await once();
      await settled();
      // A look may meet a connection that is just closing; what stays would be there at each look.
      const after = await eventually(`no more than ${JSON.stringify(before)}`, () => {
        const { descriptors, processes, terminals: open } = count();
        return descriptors <= before.descriptors && processes <= before.processes && open <= before.terminals
          ? { descriptors, processes, open }
          : null;
      });
      expect(after.descriptors).toBeGreaterThan(before.descriptors - 5); // the same host as before
    });
  },
);

test.each<{ backend: Backend }>([{ backend: "tmux" }, { backend: "rmux" }])(
  `${SHOWN} commands of 20 to 200 kB, each seen in its $backend pane and ended by a key in it`,
  { timeout: 60_000 + SHOWN * 3000 },
  async ({ backend }) => {
    await using world = await terminalSession(backend);
    const { session } = world;
    const once = async (i: number): Promise<void> => {
      const { print, end } = planned(i);
      const run = await session.bash(`${print}; read -r line; ${end}`, { interactive: true });
      const invitation = await eventually(`the pane of run ${i}`, async () =>
        (await session.status(run.id)).notes.find((note) => note.includes(" attach -t =")),
      );
      const [, socket = ""] = / -S (\S+) attach/.exec(invitation) ?? [];
      const tmux = (...args: string[]): string =>
        spawnSync("tmux", ["-S", socket, ...args], { encoding: "utf8" }).stdout;
      await eventually(`the pane of run ${i} to show its last line`, () =>
        tmux("capture-pane", "-p", "-t", `=${run.id}:`).replaceAll("\n", "").endsWith("xEND"),
      );
      tmux("send-keys", "-t", `=${run.id}:`, "Enter");
      const ended = await session.wait(run.id, { timeoutMs: 20_000 });
      expect(found(i, ended.run, "END\r\n")).toEqual(expected(i, "END\r\n"));
    };
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < SHOWN) await once(next++);
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    expect(next).toBe(SHOWN);
  },
);
