/**
 * Which output format a single command prints, where there is a filter for it. The lists of options
 * are lists of what is allowed: an option that is not known to keep the format rules the filter out.
 */

import type { FilterName } from "../model/index.ts";

/** The filter, or why there is none. */
export interface FilterVerdict {
  readonly filter: FilterName | null;
  readonly why: string;
}

const split = (text: string): readonly string[] => text.split(" ").filter((word) => word !== "");

/** Options that keep the format: alone, and with a value (as the next word or after `=`). */
interface Allowed {
  readonly alone: readonly string[];
  readonly valued: readonly string[];
  /** Letters that may be joined, `-rn`. */
  readonly letters?: string;
}

/** The operands when every option is allowed, else null. */
function onlyAllowed(args: readonly string[], allowed: Allowed): string[] | null {
  const rest: string[] = [];
  for (let i = 0; i < args.length; i += 1) {
    const arg = args[i] ?? "";
    if (arg === "--") return [...rest, ...args.slice(i + 1)];
    if (!arg.startsWith("-") || arg === "-") {
      rest.push(arg);
      continue;
    }
    const equals = arg.indexOf("=");
    if (allowed.alone.includes(arg)) continue;
    if (equals > 0 && allowed.valued.includes(arg.slice(0, equals))) continue;
    if (allowed.valued.includes(arg)) i += 1;
    else if (allowed.letters === undefined || !new RegExp(`^-[${allowed.letters}]+$`).test(arg)) return null;
  }
  return rest;
}

const no = (why: string): FilterVerdict => ({ filter: null, why });
const yes = (filter: FilterName, why: string): FilterVerdict => ({ filter, why });

function cargoTest(args: readonly string[]): FilterVerdict {
  const given = (args[0] ?? "").startsWith("+") ? args.slice(1) : args;
  if (given[0] !== "test" && given[0] !== "t") return no("only cargo test has a filter among cargo's commands");
  const separator = given.indexOf("--");
  const own = separator < 0 ? given.slice(1) : given.slice(1, separator);
  const names = onlyAllowed(own, {
    alone: split(
      "--all --workspace --lib --bins --tests --examples --doc --all-targets --release -r --locked --offline --frozen --no-fail-fast --all-features --no-default-features -v --verbose",
    ),
    valued: split(
      "-p --package --exclude --test --bin --example --features -F --profile --manifest-path --target --target-dir -j --jobs",
    ),
  });
  const harness =
    separator < 0
      ? []
      : onlyAllowed(given.slice(separator + 1), {
          alone: split("--ignored --include-ignored --exact"),
          valued: split("--test-threads --skip"),
        });
  return names === null || harness === null
    ? no("an option may change the format of cargo test")
    : yes("cargo-test", "cargo test prints its text format");
}

function pytest(args: readonly string[]): FilterVerdict {
  if (args.some((arg) => /^--tb=(?:native|line|no)$/.test(arg))) return no("--tb changes the format of pytest");
  const names = onlyAllowed(args, {
    alone: split(
      "-v -vv --verbose -x --exitfirst --lf --last-failed --ff --failed-first --sw --stepwise --strict-markers --no-header --color=no -l --showlocals",
    ),
    valued: split("-k -m --maxfail --tb --durations --ignore --deselect --rootdir -c --timeout --import-mode"),
  });
  return names === null
    ? no("an option may change the format of pytest")
    : yes("pytest", "pytest prints its text format");
}

function gitDiff(args: readonly string[]): FilterVerdict {
  let rest = args;
  while (rest[0] === "--no-pager" || rest[0] === "-C") rest = rest.slice(rest[0] === "-C" ? 2 : 1);
  if (rest[0] !== "diff") return no("only git diff has a filter among git's commands");
  const names = onlyAllowed(rest.slice(1), {
    alone: split(
      "--cached --staged --merge-base -p -u --patch --no-color --color=never --no-ext-diff -w -b --ignore-all-space --ignore-space-change --ignore-space-at-eol --ignore-blank-lines --minimal --patience --histogram -M --find-renames --no-renames --text -a -R --no-textconv",
    ),
    valued: split("--diff-algorithm --diff-filter --ignore-submodules"),
  });
  return names === null
    ? no("an option may change the format of git diff")
    : yes("git-diff", "git diff prints a unified diff");
}

function grep(args: readonly string[]): FilterVerdict {
  const names = onlyAllowed(args, {
    alone: split(
      "--line-number --with-filename --recursive --dereference-recursive --ignore-case --word-regexp --line-regexp --extended-regexp --fixed-strings --perl-regexp --basic-regexp --invert-match --no-messages --color=never --colour=never",
    ),
    valued: split("--include --exclude --exclude-dir -e --regexp -m --max-count"),
    letters: "nHrRiwxEFPGvsI",
  });
  if (names === null) return no("an option may change the format of grep");
  const has = (letter: string, long: string): boolean =>
    args.some((arg) => arg === long || (/^-[A-Za-z]+$/.test(arg) && arg.includes(letter)));
  if (!has("n", "--line-number")) return no("grep prints no line numbers without -n");
  const recursive = has("r", "--recursive") || has("R", "--dereference-recursive");
  const patterns = args.some((arg) => arg === "-e" || arg.startsWith("--regexp")) ? 0 : 1;
  const files = names.length - patterns;
  if (
    !has("H", "--with-filename") &&
    !recursive &&
    (files < 2 || names.slice(patterns).every((name) => /[*?[]/.test(name)))
  )
    return no("grep may print no file names");
  if (files < 1 && !recursive) return no("grep reads its input");
  return yes("grep", "grep -n prints file:line:text");
}

function rg(args: readonly string[]): FilterVerdict {
  const names = onlyAllowed(args, {
    alone: split(
      "--line-number --with-filename --no-heading --ignore-case --smart-case --case-sensitive --word-regexp --fixed-strings --hidden --no-ignore --no-messages --color=never --follow --invert-match --sort=path",
    ),
    valued: split("-g --glob -t --type -T --type-not -e --regexp -m --max-count --max-depth -j --threads"),
    letters: "nHiSswFvL.",
  });
  if (names === null) return no("an option may change the format of rg");
  const has = (letter: string, long: string): boolean =>
    args.some((arg) => arg === long || (/^-[A-Za-z.]+$/.test(arg) && arg.includes(letter)));
  if (!has("n", "--line-number") || !args.includes("--no-heading"))
    return no("rg prints file:line:text only with -n --no-heading");
  const patterns = args.some((arg) => arg === "-e" || arg.startsWith("--regexp")) ? 0 : 1;
  const paths = names.slice(patterns);
  // With one file as its only path rg prints no file name; a name that ends in / or is . is no file.
  const single = paths.length === 1 && !/(?:^|\/)\.{0,2}$/.test(paths[0] ?? "");
  return single && !has("H", "--with-filename")
    ? no("rg prints no file name when its path is one file")
    : yes("grep", "rg -n --no-heading prints file:line:text");
}

function goTest(args: readonly string[]): FilterVerdict {
  if (args[0] !== "test") return no("only go test has a filter among go's commands");
  if (!args.includes("-json") && !args.includes("--json")) return no("the filter reads go test -json");
  const names = onlyAllowed(args.slice(1), {
    alone: split("-json --json -v -race -short -failfast -cover -benchmem -trimpath"),
    valued: split(
      "-run -skip -count -timeout -tags -p -parallel -cpu -shuffle -mod -vet -coverprofile -covermode -coverpkg -bench -ldflags -gcflags",
    ),
  });
  return names === null || args.includes("-args")
    ? no("an option may change the format of go test")
    : yes("go-test", "go test -json prints events");
}

function ruffCheck(args: readonly string[]): FilterVerdict {
  if (args[0] !== "check") return no("only ruff check has a filter among ruff's commands");
  const at = args.findIndex((arg) => arg === "--output-format" || arg.startsWith("--output-format="));
  const format =
    at < 0
      ? null
      : (args[at] ?? "").includes("=")
        ? (args[at] ?? "").slice("--output-format=".length)
        : (args[at + 1] ?? null);
  if (format !== "json") return no("the filter reads ruff check --output-format=json");
  const names = onlyAllowed(args.slice(1), {
    alone: split(
      "-n --no-cache --fix --no-fix --unsafe-fixes --preview --no-preview -e --exit-zero --isolated --force-exclude --respect-gitignore",
    ),
    valued: split(
      "--output-format --select --ignore --extend-select --extend-ignore --config --exclude --extend-exclude --target-version --cache-dir --per-file-ignores",
    ),
  });
  return names === null
    ? no("an option may change the format of ruff check")
    : yes("ruff-check", "ruff check prints JSON");
}

/** Which filter fits the words of a single command. */
export function outputFilter(words: readonly string[]): FilterVerdict {
  const name = (words[0] ?? "").replace(/^.*\//, "");
  const args = words.slice(1);
  switch (name) {
    case "cargo":
      return cargoTest(args);
    case "pytest":
      return pytest(args);
    case "python":
    case "python3":
      return args[0] === "-m" && args[1] === "pytest"
        ? pytest(args.slice(2))
        : no("only python -m pytest has a filter");
    case "git":
      return gitDiff(args);
    case "grep":
      return grep(args);
    case "rg":
      return rg(args);
    case "go":
      return goTest(args);
    case "ruff":
      return ruffCheck(args);
    default:
      return no(`${name === "" ? "this" : name} has no filter`);
  }
}
