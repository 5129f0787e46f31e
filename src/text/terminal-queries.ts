/**
 * What a program asks its terminal, as control sequences: whether it is there, where its cursor stands, what it is,
 * which colours it has (XTerm Control Sequences: DSR, DA, XTVERSION, DECRQM, DECRQSS, XTGETTCAP, OSC 4 and 10 to 12;
 * kitty's keyboard protocol). The run's own terminal answers, so a person's must not be asked as well.
 */

const QUERY =
  /\x1b(?:Z|\[(?:\??[56]n|\?996n|[>=]?0*c|>0*q|\??\d{1,5}\$p|\?u|1[4-689]t|2[01]t)|\](?:4;\d{1,3}|1[0-2]);\?(?:\x07|\x1b\\)|P(?:\$|\+)q[^\x1b]{0,512}\x1b\\)/g;
/** The beginning of a query that a stretch ends with. */
const CUT = /\x1b(?:\[[?>=]?\d{0,5}\$?|\][\d;]{0,6}\??\x1b?|P(?:[$+](?:q[^\x1b]{0,512}\x1b?)?)?)?$/;
const CUT_BYTES = 520;
const ESCAPE = 27;

/** Takes the queries out of output that somebody else has answered. */
export class QueryFilter {
  #cut = "";

  /** Gives what is to be shown of the next stretch; the beginning of a query is kept until it is known what it becomes. */
  take(output: Uint8Array): Uint8Array {
    if (this.#cut === "" && !output.includes(ESCAPE)) return output;
    const text = (this.#cut + Buffer.from(output).toString("latin1")).replaceAll(QUERY, "");
    this.#cut = CUT.exec(text.slice(-CUT_BYTES))?.[0] ?? "";
    return Buffer.from(text.slice(0, text.length - this.#cut.length), "latin1");
  }
}
