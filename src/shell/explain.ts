/**
 * What a command line is: heavy (it waits for a slot of the machine's queue) or not, of a known output
 * format or not, and why. Conservative on purpose: what is not understood is neither.
 */
import type { FilterName } from "../model/index.ts";
import { hasOption } from "./arguments.ts";
import { BUILD_TOOLS } from "./build-tools.ts";
import { heavy, light, UNKNOWN, type Finding, type Recogniser } from "./finding.ts";
import { outputFilter, type FilterVerdict } from "./output-filters.ts";
import { PACKAGE_TOOLS } from "./packages.ts";
import { RUNTIMES } from "./runtimes.ts";
import { readScript, shellText, type ShellScript, type ShellWord, type SimpleCommand } from "./script.ts";
import { tool } from "./tools.ts";
import { waiting } from "./waiting.ts";

/** Commands that users name, by their first words ("just build"). `light` wins over everything, `heavy` over what is known. */
export interface CommandRules {
  readonly heavy: readonly string[];
  readonly light: readonly string[];
}

/** What a command line is, and why. */
export interface CommandVerdict {
  /** It takes a slot of the machine's queue. */
  readonly heavy: boolean;
  readonly heavyReason: string;
  /** It is heavy, and `&` puts it in the background, where it may outlive the command line. */
  readonly heavyInBackground: boolean;
  /** It waits for a person, serves or watches: it does not end by itself. */
  readonly interactive: boolean;
  readonly interactiveReason: string;
  /** The filter for its output; null for anything but a single command of a known format. */
  readonly filter: FilterName | null;
  readonly filterReason: string;
}

/** Wrappers within wrappers, and scripts within scripts (`bash -c`), are followed so far. */
const MAX_UNWRAPPED = 12;
const MAX_SCRIPTS = 5;

/** Explains a command line. Never throws: what bash would not read is neither heavy nor filtered. */
export async function explainCommand(
  text: string,
  rules: CommandRules = { heavy: [], light: [] },
): Promise<CommandVerdict> {
  const script = await readScript(text);
  if (script === null) {
    const why = "it is not a command line that could be read";
    return {
      heavy: false,
      heavyReason: why,
      heavyInBackground: false,
      interactive: false,
      interactiveReason: why,
      filter: null,
      filterReason: why,
    };
  }
  const { filter, why } = filterOf(script);
  const background = { isHeavy: false };
  const verdict = verdictOf(await weigh(script, rules, 0, background));
  return {
    ...verdict,
    heavyInBackground: verdict.heavy && background.isHeavy,
    filter,
    filterReason: why,
  };
}

function filterOf(script: ShellScript): FilterVerdict {
  if (script.single !== null) return outputFilter(script.single);
  return { filter: null, why: "only a single command without redirections, expansions and assignments is filtered" };
}

/** Whether a heavy command was found behind which `&` stands. */
interface Background {
  isHeavy: boolean;
}

/** One finding for a whole script: what waits decides, then a heavy command that may be queued. */
async function weigh(
  script: ShellScript,
  rules: CommandRules,
  depth: number,
  background: Background,
): Promise<Finding> {
  let found: Finding = UNKNOWN;
  let looping: Finding | null = null;
  for (const command of script.commands) {
    const one = await examine(command, rules, depth, background);
    background.isHeavy ||= one.kind === "heavy" && command.inBackground;
    if (one.kind === "waits") return one;
    if (one.kind === "heavy" && command.inLoop) looping = light(`${one.why}, ${LOOP}`);
    else if (one.kind === "light" && one.why.endsWith(LOOP)) looping = one;
    else if (one.kind === "heavy" ? found.kind !== "heavy" : found.kind === "unknown") found = one;
  }
  return looping ?? found;
}

const LOOP = "but in a loop of unknown length";

function verdictOf(found: Finding): Omit<CommandVerdict, "filter" | "filterReason" | "heavyInBackground"> {
  const interactive = found.kind === "waits";
  const why =
    found.kind === "unknown" || found.kind === "runs"
      ? "no command in it is known as a build, test, lint or type check"
      : found.why;
  return {
    heavy: found.kind === "heavy",
    heavyReason: why,
    interactive,
    interactiveReason: interactive ? why : NOT_INTERACTIVE,
  };
}

const NOT_INTERACTIVE = "no command in it is known to wait for input, serve or watch";

/** Looks at one simple command, through its wrappers. */
async function examine(
  command: SimpleCommand,
  rules: CommandRules,
  scripts: number,
  background: Background,
): Promise<Finding> {
  let words: readonly ShellWord[] = command.words;
  const setsCi = (word: ShellWord): boolean => /^CI=(?!0?$|false$)/.test(word ?? "");
  let isOnce = command.assignments.some(([name, value]) => setsCi(`${name}=${value ?? ""}`));
  for (let depth = 0; depth < MAX_UNWRAPPED; depth += 1) {
    const name = words[0];
    if (name === null || name === undefined) return UNKNOWN;
    const ruled = byRules(words, rules);
    if (ruled !== null) return ruled;
    const text = shellText(words);
    if (text !== null) {
      const inner = scripts < MAX_SCRIPTS ? await readScript(text) : null;
      return inner === null ? UNKNOWN : weigh(inner, rules, scripts + 1, background);
    }
    const found = look(basename(name), words.slice(1));
    // Tools differ in much, but not in these.
    if (found.kind === "heavy" && hasOption(words.slice(1), ["--help", "--version", "--dry-run"])) {
      return light(`${basename(name)} only shows something with these options`);
    }
    if (
      found.kind === "waits" &&
      isOnce &&
      WATCHES_UNLESS_CI.has(basename(name)) &&
      !words.some((word) => /^(?:--watch(?:All)?|-w|--ui|watch|dev)$/.test(word ?? ""))
    ) {
      return heavy(`${basename(name)} tests once where CI is set`);
    }
    if (found.kind !== "runs") return found;
    isOnce ||= words.slice(1, words.length - found.words.length).some(setsCi); // env CI=1 …
    words = found.words;
  }
  return UNKNOWN;
}

/** Test runners that watch in a terminal, unless CI is set. */
const WATCHES_UNLESS_CI = new Set(["vitest", "react-scripts"]);

/** The name that a path ends in; a Windows suffix and a wrapper's `./` don't matter. */
function basename(name: string): string {
  return name
    .replace(/^.*\//, "")
    .replace(/\.(?:cmd|exe|bat)$/, "")
    .replace(/^(python)3?(?:\.\d+)+$/, "$1");
}

function look(name: string, args: readonly ShellWord[]): Finding {
  const recogniser: Recogniser | undefined = own(PACKAGE_TOOLS, name) ?? own(RUNTIMES, name) ?? own(BUILD_TOOLS, name);
  const found = recogniser === undefined ? tool(args, name) : recogniser(args, name);
  return found.kind === "unknown" ? waiting(args, name) : found;
}

function own(table: Readonly<Record<string, Recogniser>>, name: string): Recogniser | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}

/** The user's own rules: the first words of the command, its name by its last part. */
function byRules(words: readonly ShellWord[], rules: CommandRules): Finding | null {
  const matches = (rule: string): boolean => {
    const wanted = rule.trim().split(/\s+/);
    return (
      wanted[0] !== "" && wanted.every((word, i) => words[i] === word || (i === 0 && basename(words[0] ?? "") === word))
    );
  };
  const passes = rules.light.find(matches);
  if (passes !== undefined) return light(`the settings name "${passes}" as light`);
  const waitsFor = rules.heavy.find(matches);
  return waitsFor === undefined ? null : heavy(`the settings name "${waitsFor}" as heavy`);
}
