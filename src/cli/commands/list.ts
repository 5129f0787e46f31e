/** `proctor list`. */
import { messageOf } from "../../model/index.ts";
import type { RunView } from "../../model/index.ts";
import { findSession, sessionsOnRecord, withClient } from "../../session/access.ts";
import type { DamagedSession, SessionPlace } from "../../session/access.ts";
import type { Arguments } from "../command-spec.ts";
import { runTable } from "../run-table.ts";
import { readDetached, sessionDirOf, tellDamaged } from "../session-access.ts";
import { outputWidth, wantsColor, writeError, writeJson, writeOut } from "../standard-output.ts";
import { sweepInBackground } from "../sweep.ts";

/** How many sessions are asked at a time: each without a host gets one for the answer. */
const AT_ONCE = 4;

/** A session that could not be asked; the others are listed all the same. */
interface Unreachable {
  readonly dir: string;
  readonly message: string;
}

/** Carries out `proctor list`. */
export async function execute(args: Arguments): Promise<number> {
  const all = args.has("all");
  const dir = sessionDirOf(args);
  const { places, damaged, isMixed } = all ? { ...sessionsOnRecord(), isMixed: true } : ownSessions(dir);
  const runs: RunView[] = [];
  const unreachable: Unreachable[] = [];
  if (all) await askAll(places, runs, unreachable);
  else for (const place of places) runs.push(...(await withClient(place, (client) => client.list())));
  if (args.has("json"))
    await writeJson({
      runs,
      ...(unreachable.length === 0 ? {} : { unreachable }),
      ...(damaged.length === 0 ? {} : { damaged }),
    });
  else {
    if (runs.length > 0) {
      const sessions = isMixed ? new Map(places.map((place) => [place.record.id, place.dir])) : null;
      await writeOut(runTable(runs, { color: wantsColor(), width: outputWidth() }, sessions));
    } else
      await writeError(
        all
          ? "No runs.\n"
          : places.length === 0
            ? `No runs: there is no session in ${dir}.\n`
            : `No runs in the session ${dir}.\n`,
      );
    for (const { dir: where, message } of unreachable)
      await writeError(`proctor: the session ${where} could not be asked: ${message}\n`);
    await tellDamaged(damaged);
  }
  await sweepInBackground();
  return 0;
}

/** The sessions whose runs are listed. */
interface Listed {
  readonly places: readonly SessionPlace[];
  readonly damaged: readonly DamagedSession[];
  /** A table has to say which session a run is of. */
  readonly isMixed: boolean;
}

/** The session in `dir` and that of the detached runs. Of the one that was asked for, damage is an error. */
function ownSessions(dir: string): Listed {
  const { detached, damaged } = readDetached(dir);
  return {
    places: [findSession(dir), detached].filter((place) => place !== null),
    damaged: damaged === null ? [] : [damaged],
    isMixed: detached !== null,
  };
}

async function askAll(places: readonly SessionPlace[], runs: RunView[], unreachable: Unreachable[]): Promise<void> {
  for (let i = 0; i < places.length; i += AT_ONCE) {
    const answers = await Promise.all(
      places.slice(i, i + AT_ONCE).map(async (place) => {
        try {
          return await withClient(place, (client) => client.list());
        } catch (error) {
          unreachable.push({ dir: place.dir, message: messageOf(error) });
          return [];
        }
      }),
    );
    runs.push(...answers.flat());
  }
}
