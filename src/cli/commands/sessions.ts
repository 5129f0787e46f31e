/** `proctor sessions`: every session of this user that is on record. */
import type { SessionView } from "../../model/index.ts";
import { sessionsOnRecord } from "../../session/access.ts";
import { countRuns } from "../../session/index.ts";
import type { Arguments } from "../command-spec.ts";
import { alignedTable } from "../run-table.ts";
import { tellDamaged } from "../session-access.ts";
import { outputWidth, wantsColor, writeError, writeJson, writeOut } from "../standard-output.ts";
import { sweepInBackground } from "../sweep.ts";

/** Carries out `proctor sessions`. */
export async function execute(args: Arguments): Promise<number> {
  const { places, damaged } = sessionsOnRecord();
  const sessions = places.map(
    (place): SessionView => ({
      id: place.record.id,
      dir: place.dir,
      owner: place.record.owner === null ? null : { pid: place.record.owner.pid },
      runs: countRuns(place),
      startedAt: new Date(place.record.createdAt).toISOString(),
    }),
  );
  if (args.has("json")) await writeJson({ sessions, ...(damaged.length === 0 ? {} : { damaged }) });
  else if (sessions.length === 0)
    await writeError(damaged.length === 0 ? "No sessions.\n" : "No session can be read.\n");
  else {
    const rows = sessions.map((s) =>
      [s.id, s.owner === null ? "-" : String(s.owner.pid), String(s.runs), s.startedAt, s.dir].map((text) => ({
        text,
      })),
    );
    await writeOut(
      alignedTable(["ID", "OWNER", "RUNS", "STARTED", "DIRECTORY"], rows, {
        color: wantsColor(),
        width: outputWidth(),
      }),
    );
  }
  if (!args.has("json")) await tellDamaged(damaged);
  await sweepInBackground();
  return 0;
}
