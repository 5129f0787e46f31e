/**
 * The panel of `/runs` in a terminal: the list of runs; one run's output as it comes; an interactive run's screen, with
 * everything that is typed going to it. It looks at the session a few times a second while it is open, and holds
 * nothing that outlives it.
 */
import { messageOf } from "../model/index.ts";
import type { RunView, SessionApi } from "../model/index.ts";
import { readLog, screenOf, terminalRun } from "../session/index.ts";
import { fitted, legacyBytes } from "./columns.ts";
import type { PiComponent, PiKeys, PiTerminal, PiTheme } from "./pi-api.ts";
import { listLine, shownRun } from "./run-text.ts";

/** How often it looks, in milliseconds; a screen that is typed at is looked at more often. */
const LOOK_MS = 250;
const LOOK_ATTACHED_MS = 60;
/** Rows that Pi's own lines and the panel's title and hints take. */
const OTHER_ROWS = 8;
const MIN_ROWS = 4;
/** No more of a log is read than any terminal shows. */
const OUTPUT_BYTES: number = 32 * 1024;
/** Ctrl-], as of telnet(1): hardly any program uses it. */
const DETACH = "\x1d";

type Showing =
  | { readonly kind: "list" }
  | { readonly kind: "output"; readonly id: string }
  | { readonly kind: "screen"; readonly id: string };

/** What the panel asks of the extension. */
export interface PanelHost {
  readonly session: SessionApi;
  /** Stops a run for the user. */
  stop(id: string): Promise<{ readonly confirmed: boolean }>;
}

/** What it is drawn with. */
export interface PanelFrame {
  readonly tui: PiTerminal;
  readonly theme: PiTheme;
  readonly keys: PiKeys;
  readonly close: () => void;
}

function isLive(run: RunView): boolean {
  return run.state !== "ended";
}

function hasTerminal(run: RunView): boolean {
  return run.interactive && isLive(run);
}

/** The panel. */
export class RunsPanel implements PiComponent {
  readonly #host: PanelHost;
  readonly #frame: PanelFrame;
  #showing: Showing = { kind: "list" };
  #runs: readonly RunView[] = [];
  #selected: string | null = null;
  /** Lines of the output or the screen. */
  #body: readonly string[] = [];
  #message = "";
  #timer: NodeJS.Timeout | null = null;
  #typing: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** `runs` is what is shown first. */
  constructor(host: PanelHost, runs: readonly RunView[], frame: PanelFrame) {
    this.#host = host;
    this.#frame = frame;
    this.#take(runs);
    this.#again(0);
  }

  render(width: number): string[] {
    const { theme } = this.#frame;
    const rows = this.#rows();
    const title = theme.bold(theme.fg("accent", fitted(this.#title(), width)));
    const body =
      this.#showing.kind === "list"
        ? this.#listLines(width, rows)
        : this.#body.slice(-rows).map((line) => fitted(line, width));
    const message = this.#message === "" ? [] : [theme.fg("warning", fitted(this.#message, width))];
    return [title, ...body, ...message, theme.fg("dim", fitted(this.#hints(), width))];
  }

  handleInput(data: string): void {
    this.#message = "";
    if (this.#showing.kind === "screen") this.#typed(this.#showing.id, data);
    else this.#pressed(data);
    this.#frame.tui.requestRender();
  }

  invalidate(): void {
    // Nothing is kept between two drawings.
  }

  dispose(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #rows(): number {
    return Math.max(MIN_ROWS, this.#frame.tui.terminal.rows - OTHER_ROWS);
  }

  #current(): RunView | undefined {
    const id = this.#showing.kind === "list" ? this.#selected : this.#showing.id;
    return this.#runs.find((run) => run.id === id);
  }

  #title(): string {
    const run = this.#current();
    if (this.#showing.kind === "list" || run === undefined) return `Runs (${this.#runs.filter(isLive).length} live)`;
    return listLine(run);
  }

  #hints(): string {
    if (this.#showing.kind === "screen") return "everything you type goes to the run · Ctrl-] to leave it";
    const run = this.#current();
    const acts = [
      ...(run !== undefined && (isLive(run) || run.leftovers.length > 0) ? ["s stop"] : []),
      ...(run !== undefined && hasTerminal(run) ? ["a attach"] : []),
    ];
    const first = this.#showing.kind === "list" ? ["↑↓ choose", "Enter output"] : [];
    return [...first, ...acts, this.#showing.kind === "list" ? "Esc close" : "Esc back"].join(" · ");
  }

  #listLines(width: number, rows: number): string[] {
    const at = Math.max(
      0,
      this.#runs.findIndex((run) => run.id === this.#selected),
    );
    const from = Math.max(0, Math.min(at - Math.floor(rows / 2), this.#runs.length - rows));
    return this.#runs.slice(from, from + rows).map((run) => {
      const isSelected = run.id === this.#selected;
      const line = fitted(`${isSelected ? "→ " : "  "}${listLine(run)}`, width);
      if (isSelected) return this.#frame.theme.fg("accent", line);
      return isLive(run) ? line : this.#frame.theme.fg("muted", line);
    });
  }

  #pressed(data: string): void {
    const { keys, close } = this.#frame;
    const run = this.#current();
    const key = legacyBytes(data);
    if (keys.matches(data, "tui.select.cancel")) {
      if (this.#showing.kind === "list") close();
      else this.#show({ kind: "list" });
    } else if (this.#showing.kind === "list" && keys.matches(data, "tui.select.up")) this.#move(-1);
    else if (this.#showing.kind === "list" && keys.matches(data, "tui.select.down")) this.#move(1);
    else if (run === undefined) return;
    else if (keys.matches(data, "tui.select.confirm")) this.#show({ kind: "output", id: run.id });
    else if (key === "s") this.#stop(run);
    else if (key === "a" && hasTerminal(run)) this.#attach(run);
  }

  #move(by: number): void {
    const at = this.#runs.findIndex((run) => run.id === this.#selected);
    const next = this.#runs[Math.max(0, Math.min(this.#runs.length - 1, at + by))];
    if (next !== undefined) this.#selected = next.id;
  }

  #show(showing: Showing): void {
    this.#showing = showing;
    this.#body = [];
    this.#again(0);
  }

  #stop(run: RunView): void {
    this.#message = `stopping ${run.id} …`;
    void this.#host
      .stop(run.id)
      .then(
        ({ confirmed }) => (confirmed ? `${run.id} is stopped` : `${run.id} could not be stopped`),
        (error: unknown) => messageOf(error),
      )
      .then((message) => {
        this.#message = message;
        this.#again(0);
      });
  }

  #attach(run: RunView): void {
    const { columns } = this.#frame.tui.terminal;
    const size = { id: terminalRun(run).id, columns, rows: this.#rows() };
    // A run that has just ended is shown as it left its screen.
    void this.#host.session.resize(size).catch((error: unknown) => {
      this.#message = messageOf(error);
    });
    this.#show({ kind: "screen", id: run.id });
  }

  #typed(id: string, data: string): void {
    const bytes = legacyBytes(data);
    const run = this.#current();
    if (bytes === DETACH || run === undefined) {
      this.#show({ kind: "list" });
      return;
    }
    const { session } = this.#host;
    const target = hasTerminal(run) ? terminalRun(run).id : id;
    const request = {
      id: target,
      data: Buffer.from(bytes).toString("base64"),
      text: null,
      enter: false,
      keys: [],
      eof: false,
    };
    // One after the other, in the order of the keys.
    this.#typing = this.#typing
      .then(() => session.input(request))
      .catch((error: unknown) => {
        this.#message = messageOf(error);
      });
    this.#again(LOOK_ATTACHED_MS);
  }

  #again(ms: number): void {
    if (this.#isClosed) return;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      void this.#look()
        .catch((error: unknown) => {
          this.#message = messageOf(error);
        })
        .finally(() => {
          if (this.#isClosed) return;
          this.#frame.tui.requestRender();
          this.#again(this.#showing.kind === "screen" ? LOOK_ATTACHED_MS : LOOK_MS);
        });
    }, ms);
  }

  #take(runs: readonly RunView[]): void {
    this.#runs = runs.toReversed();
    if (!this.#runs.some(({ id }) => id === this.#selected)) this.#selected = this.#runs[0]?.id ?? null;
  }

  async #look(): Promise<void> {
    this.#take(await this.#host.session.list());
    const showing = this.#showing;
    const run = this.#current();
    if (showing.kind === "list" || run === undefined) return;
    const lines = showing.kind === "screen" ? await this.#screen(run) : await this.#output(run);
    if (this.#showing === showing) this.#body = lines;
  }

  async #output(run: RunView): Promise<readonly string[]> {
    const shown = shownRun(run);
    if (shown.interactive) return this.#screen(run);
    const { text } = await readLog(shown, {
      lines: this.#rows(),
      from: null,
      fromLine: null,
      grep: null,
      maxBytes: OUTPUT_BYTES,
    });
    return text === "" ? ["(nothing was printed)"] : text.replace(/\n$/, "").split("\n");
  }

  async #screen(run: RunView): Promise<readonly string[]> {
    const { text, cursor } = await screenOf(run);
    const lines = text.split("\n");
    while (lines.length <= cursor.row) lines.push("");
    if (!isLive(run) || !cursor.visible) return lines;
    const line = (lines[cursor.row] ?? "").padEnd(cursor.column);
    lines[cursor.row] = `${line.slice(0, cursor.column)}▏${line.slice(cursor.column + 1)}`;
    return lines;
  }
}
