/** `proctor gc`: gives up what nobody needs any more: logs that are kept no longer, and what dead sessions left. */
import { formatSize, messageOf } from "../../model/index.ts";
import { abandonedSessions, sessionsOnRecord, sweepAbandoned, withClient } from "../../session/access.ts";
import type { Arguments } from "../command-spec.ts";
import { tellDamaged } from "../session-access.ts";
import { writeError, writeJson, writeOut } from "../standard-output.ts";

/** One log that goes. */
interface CollectedLog {
  readonly session: string;
  readonly id: string;
  readonly bytes: number;
  readonly why: "age" | "size";
}

/** Carries out `proctor gc`. */
export async function execute(args: Arguments): Promise<number> {
  const isDry = args.has("dry-run");
  const abandoned = abandonedSessions();
  const dead = new Set(abandoned.map(({ dir }) => dir));
  const logs: CollectedLog[] = [];
  const { places, damaged } = sessionsOnRecord();
  await tellDamaged(damaged);
  for (const place of places) {
    if (dead.has(place.dir)) continue;
    try {
      const expired = await withClient(place, (client) => client.collect(isDry));
      for (const { id, bytes, why } of expired) logs.push({ session: place.record.id, id, bytes, why });
    } catch (error) {
      await writeError(`proctor: the session ${place.dir} could not be asked: ${messageOf(error)}\n`);
    }
  }
  if (!isDry) await sweepAbandoned((error) => void writeError(`proctor: ${messageOf(error)}\n`));
  const sessions = abandoned.map(({ dir, record }) => ({ id: record.id, dir }));
  if (args.has("json")) await writeJson({ dryRun: isDry, sessions, logs });
  else {
    const verb = isDry ? "would be removed" : "removed";
    const lines = [
      ...sessions.map(({ dir }) => `session ${dir}: its owner is dead`),
      ...logs.map(
        ({ id, bytes, why }) =>
          `log of ${id} (${formatSize(bytes)}): ${why === "age" ? "kept long enough" : "the logs are too many"}`,
      ),
    ];
    await writeOut(lines.length === 0 ? "Nothing to remove.\n" : `${lines.join("\n")}\n${lines.length} ${verb}.\n`);
  }
  return 0;
}
