/**
 * What ended in the background since the model was last told. Every answer carries it, so that a model that
 * never asks again learns it with whatever it does next; each completion is told once.
 */
import type { RunView, SessionApi } from "../model/index.ts";
import { outcomeLine } from "../session/index.ts";
import type { Answer } from "./answer.ts";
import { oneLine } from "./tools/run-lines.ts";

/** So many are named one by one. */
const MAX_NAMED = 10;

/** The news of one connection's session. */
export class CompletionNews {
  /** Told, or about to be: calls run at the same time. */
  readonly #told = new Set<string>();

  /** The answer with what else has ended; `report` takes a fault, which never fails the call. */
  async added(answer: Answer, session: SessionApi, report: (error: unknown) => void): Promise<Answer> {
    try {
      const ended = (await session.openWork()).filter((run) => run.state === "ended");
      if (ended.length === 0) return answer;
      const shown = endedIn(answer);
      const news = ended.filter(({ id }) => !shown.has(id) && !this.#told.has(id));
      for (const { id } of ended) this.#told.add(id);
      await session.acknowledge(ended.map(({ id }) => id));
      return news.length === 0 ? answer : { ...answer, text: `${newsText(news)}\n${answer.text}` };
    } catch (error) {
      report(error); // they stay open work, and the next answer tells them
      return answer;
    }
  }
}

/** The runs that the answer itself shows as ended. */
function endedIn(answer: Answer): ReadonlySet<string> {
  const documents = answer.document.key === "proctor/runs" ? answer.document.value : [answer.document.value];
  const views = documents.map((value) =>
    "run" in value ? (value.run as object) : value,
  ) as readonly Partial<RunView>[];
  return new Set(views.flatMap(({ id, state }) => (id !== undefined && state === "ended" ? [id] : [])));
}

function newsText(news: readonly RunView[]): string {
  const lines = news
    .slice(0, MAX_NAMED)
    .map((run) => `${run.id} ${oneLine(run.name ?? run.command, 80)}: ${outcomeLine(run)}`);
  const more = news.length - lines.length;
  return [
    `Ended in the background meanwhile:`,
    ...lines,
    ...(more > 0 ? [`and ${more} more; runner_list shows them.`] : []),
    "",
  ].join("\n");
}
