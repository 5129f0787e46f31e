/**
 * Programs that run something else, or whose verdict hangs on more than one argument: wrappers
 * (`env`, `time`, `timeout`), interpreters (`node --test`, `python -m pytest`), test runners that
 * watch unless they are told not to.
 */
import { firstOperand, hasOption, hasOptionAnywhere, operands, optionValue } from "./arguments.ts";
import { heavy, light, runs, UNKNOWN, waits, type Finding, type Recogniser } from "./finding.ts";
import { scriptName } from "./script-names.ts";
import type { ShellWord } from "./script.ts";
import { tool } from "./tools.ts";

const split = (text: string): readonly string[] => text.split(" ");

/** A wrapper: its options with a value, how many operands of its own come before the command, and options that make it no wrapper. */
function wrapper(values: string, own = 0, shows = "--help --version"): Recogniser {
  const takes = split(values);
  const shown = split(shows);
  return (args, name) => {
    let rest = args;
    for (let i = 0; i <= own; i += 1) {
      const at = firstOperand(rest, takes);
      const end = at < 0 ? rest.length : at;
      if (hasOption(rest.slice(0, end), shown)) return light(`${name} only shows something with these options`);
      if (at < 0) return UNKNOWN;
      rest = i === own ? rest.slice(at) : rest.slice(at + 1);
    }
    return runs(rest);
  };
}

/** `env [-i] [-u NAME] [NAME=value]… COMMAND`. */
const env: Recogniser = (args) => {
  const text = optionValue(args.slice(0, 1), ["-S", "--split-string"]) ?? (args[0] === "-S" ? (args[1] ?? null) : null);
  if (text !== null) return runs(text.split(/\s+/));
  let rest = args;
  for (;;) {
    const at = firstOperand(rest, split("-u --unset -C --chdir -S --split-string"));
    if (at < 0) return light("env alone shows the environment");
    const word = rest[at];
    if (word === null || word === undefined || !/^[A-Za-z_]\w*=/.test(word)) return runs(rest.slice(at));
    rest = rest.slice(at + 1);
  }
};

const crossEnv: Recogniser = (args) => {
  const at = args.findIndex((arg) => arg === null || !/^[A-Za-z_]\w*=/.test(arg));
  return at < 0 ? UNKNOWN : runs(args.slice(at));
};

const node: Recogniser = (args) => {
  const values = split(
    "-r --require --import --loader --test-reporter --test-reporter-destination --test-name-pattern --test-concurrency --env-file --conditions -C --test-shard --max-old-space-size --run",
  );
  const at = firstOperand(args, values);
  // Behind its file the options are the program's.
  const own = args.slice(0, at < 0 ? args.length : at);
  if (hasOption(own, split("--help -h --version -v -p --print -e --eval -c --check")))
    return light("node evaluates or shows something with these options");
  if (hasOption(own, ["--watch", "--inspect", "--inspect-brk", "-i", "--interactive"]))
    return waits("node goes on until it is stopped with these options");
  if (hasOption(own, ["--run"])) return scriptName(optionValue(args, ["--run"]) ?? "");
  if (hasOption(own, ["--test"]))
    return hasOption(args, ["--watch"]) ? waits("node --test watches") : heavy("node --test tests");
  const file = at < 0 ? null : (args[at] ?? null);
  // `node node_modules/.bin/vitest run`, `node ./node_modules/typescript/bin/tsc`.
  const bin =
    file === null
      ? null
      : /node_modules\/(?:\.bin\/|(?:@[^/]+\/)?[^/]+\/(?:bin|dist|lib|cli)\/?(?:.*\/)?)([\w.-]+?)(?:\.[cm]?js)?$/.exec(
          file,
        );
  return bin === null ? UNKNOWN : runs([bin[1] ?? null, ...args.slice(at + 1)]);
};

const tsx: Recogniser = (args) => {
  if (args[0] === "watch" || hasOption(args, ["--watch"])) return waits("tsx goes on until it is stopped");
  return hasOption(args, ["--test"]) ? heavy("tsx --test tests") : UNKNOWN;
};

/** Modules that have a program of the same name, or build and test. */
const python: Recogniser = (args) => {
  const at = args.findIndex((arg) => arg === "-m");
  const operand = firstOperand(args, ["-W", "-X", "-c", "-m"]);
  if (at >= 0 && (operand < 0 || at < operand)) {
    const module = args[at + 1];
    const rest = args.slice(at + 2);
    if (module === null || module === undefined) return UNKNOWN;
    if (hasOption(rest, ["--help", "-h"])) return light(`python -m ${module} only shows something with these options`);
    if (module === "unittest" || module === "build" || module === "compileall")
      return heavy(`python -m ${module} builds or tests`);
    if (module === "coverage") return runs(["coverage", ...rest]);
    return /^(?:pytest|mypy|pylint|flake8|tox|nox|ruff|pyright|basedpyright|pre_commit|poetry|pipenv|hatch)$/.test(
      module,
    )
      ? runs([module.replace("_", "-"), ...rest])
      : UNKNOWN;
  }
  const file = operand < 0 ? null : (args[operand] ?? null);
  if (file === null)
    return operand < 0 && !hasOption(args, split("-c --version -V --help -h"))
      ? waits("python alone waits for input")
      : UNKNOWN;
  const [command] = operands(args.slice(operand + 1));
  if (/(?:^|\/)manage\.py$/.test(file)) {
    if (command === "test") return heavy("manage.py test tests");
    return typeof command === "string" && /^(?:runserver|shell|shell_plus|dbshell|runserver_plus)$/.test(command)
      ? waits(`manage.py ${command} goes on until it is stopped`)
      : UNKNOWN;
  }
  if (/(?:^|\/)setup\.py$/.test(file)) {
    return typeof command === "string" && /^(?:build|build_ext|test|bdist_wheel|sdist)$/.test(command)
      ? heavy(`setup.py ${command} builds or tests`)
      : UNKNOWN;
  }
  return UNKNOWN;
};

const coverage: Recogniser = (args) => {
  if (args[0] !== "run") return light("coverage only reports");
  const rest = args.slice(1);
  const at = firstOperand(rest, split("--source --omit --include --rcfile --concurrency --context --data-file -m"));
  const module = rest.indexOf("-m");
  return module >= 0 && (at < 0 || module < at)
    ? runs(["python", ...rest.slice(module)])
    : at < 0
      ? UNKNOWN
      : runs(["python", ...rest.slice(at)]);
};

/** `poetry run X`, `uv run X`, `pipenv run X`, `hatch run X`. */
function projectRunner(values: string): Recogniser {
  const takes = split(values);
  return (args, name) => {
    const at = firstOperand(args, takes);
    const command = at < 0 ? undefined : args[at];
    if (command === "build" && name !== "pipenv")
      return hasOption(args, ["--help", "-h"])
        ? light(`${name} build only shows something`)
        : heavy(`${name} build builds`);
    if (name === "hatch" && command === "test") return heavy("hatch test tests");
    if (name === "uv" && command === "tool")
      return args[at + 1] === "run"
        ? inside(args.slice(at + 2), takes, name)
        : light("uv tool is no build, test, lint or type check");
    if (command !== "run")
      return typeof command === "string" ? light(`${name} ${command} is no build, test, lint or type check`) : UNKNOWN;
    return inside(args.slice(at + 1), takes, name);
  };
}

function inside(args: readonly ShellWord[], values: readonly string[], name: string): Finding {
  const at = firstOperand(args, values);
  if (at < 0) return UNKNOWN;
  const module = args.slice(0, at).findIndex((arg) => arg === "-m" || arg === "--module");
  if (module >= 0) return runs(["python", "-m", ...args.slice(at)]);
  const word = args[at] ?? null;
  // hatch names its scripts `env:script`.
  if (name === "hatch" && word !== null && /^[\w-]+:[\w-]+$/.test(word))
    return scriptName(word.slice(word.indexOf(":") + 1));
  return runs(args.slice(at));
}

const bundle: Recogniser = (args) =>
  args[0] === "exec"
    ? runs(args.slice(1))
    : typeof args[0] === "string"
      ? light(`bundle ${args[0]} is no build, test, lint or type check`)
      : UNKNOWN;

const php: Recogniser = (args) => {
  const at = firstOperand(args, split("-d -c -z"));
  const file = at < 0 ? null : (args[at] ?? null);
  if (file === null || hasOption(args.slice(0, at), ["-v", "-i", "-m", "-r", "-S", "-a", "-l", "--version"]))
    return UNKNOWN;
  if (/(?:^|\/)artisan$/.test(file)) {
    const command = args[at + 1];
    if (command === "test")
      return hasOptionAnywhere(args, ["--list-tests", "--help", "-h"])
        ? light("artisan test only shows something")
        : heavy("artisan test tests");
    return command === "serve" || command === "tinker" || command === "queue:work"
      ? waits(`artisan ${command} goes on until it is stopped`)
      : UNKNOWN;
  }
  return /(?:^|\/)(?:phpunit|pest|phpstan|psalm)(?:\.phar)?$/.test(file)
    ? runs([file.replace(/^.*\/|\.phar$/g, ""), ...args.slice(at + 1)])
    : UNKNOWN;
};

const vitest: Recogniser = (args) => {
  if (hasOption(args, split("--help -h --version -v"))) return light("vitest only shows something with these options");
  if (hasOptionAnywhere(args, split("--ui --open --inspect --inspect-brk --standalone --watch -w")))
    return waits("vitest goes on until it is stopped with these options");
  const [command] = operands(
    args,
    split(
      "-c --config -r --root --dir -t --testNamePattern --project --reporter --environment --pool --mode --outputFile",
    ),
  );
  if (command === "list" || command === "init") return light(`vitest ${command} runs no tests`);
  if (command === "watch" || command === "dev") return waits(`vitest ${command} watches`);
  const once =
    command === "run" ||
    hasOption(args, ["--run"]) ||
    args.some((arg) => /^--(?:no-watch|watch=false)$/.test(arg ?? ""));
  return once ? heavy("vitest tests") : waits("vitest without run watches where there is a terminal");
};

/** Runners that watch unless told otherwise: Karma by Angular, Jest by create-react-app. */
const ng: Recogniser = (args) => {
  const [command] = operands(args);
  if (hasOption(args, ["--help", "-h"])) return light("ng only shows something with these options");
  if (hasOptionAnywhere(args, ["--watch", "-w", "--open", "-o"]))
    return waits("ng goes on until it is stopped with these options");
  if (command === "build" || command === "lint" || command === "b") return heavy(`ng ${command} builds or lints`);
  if (command === "e2e") return heavy("ng e2e tests");
  if (command === "test" || command === "t")
    return args.some((arg) => /^--(?:no-watch|watch=false)$/.test(arg ?? ""))
      ? heavy("ng test tests")
      : waits("ng test watches unless told not to");
  return command === "serve" || command === "s" || command === "dev" ? waits(`ng ${command} serves`) : UNKNOWN;
};

const reactScripts: Recogniser = (args) => {
  if (args[0] === "build") return heavy("react-scripts build builds");
  if (args[0] === "test")
    return args.some((arg) => /^--(?:no-watch|watchAll=false|watch=false|ci)$/.test(arg ?? ""))
      ? heavy("react-scripts test tests")
      : waits("react-scripts test watches unless told not to");
  return args[0] === "start" ? waits("react-scripts start serves") : UNKNOWN;
};

const karma: Recogniser = (args) =>
  args[0] === "start" && hasOption(args, ["--single-run"])
    ? heavy("karma tests")
    : args[0] === "start"
      ? waits("karma start watches unless told not to")
      : UNKNOWN;

const esbuild: Recogniser = (args) => {
  if (hasOption(args, ["--watch", "--serve", "--servedir"]))
    return waits("esbuild goes on until it is stopped with these options");
  return hasOption(args, ["--bundle"]) && !hasOption(args, ["--version", "--help"])
    ? heavy("esbuild --bundle builds")
    : UNKNOWN;
};

const preCommit: Recogniser = (args) =>
  args[0] === "run" && hasOptionAnywhere(args, ["-a", "--all-files"])
    ? heavy("pre-commit run --all-files lints")
    : typeof args[0] === "string"
      ? light(`pre-commit ${args[0]} is no lint of everything`)
      : UNKNOWN;

/** By name. */
export const RUNTIMES: Readonly<Record<string, Recogniser>> = {
  env,
  "cross-env": crossEnv,
  "cross-env-shell": crossEnv,
  time: wrapper("-f --format -o --output"),
  gtime: wrapper("-f --format -o --output"),
  nice: wrapper("-n --adjustment"),
  ionice: wrapper("-c --class -n --classdata -p --pid", 0, "--help --version -p --pid"),
  chrt: wrapper("-T -P -D", 1, "--help --version -p --pid -m --max"),
  taskset: wrapper("", 1, "--help --version -p --pid"),
  timeout: wrapper("-k --kill-after -s --signal", 1),
  gtimeout: wrapper("-k --kill-after -s --signal", 1),
  stdbuf: wrapper("-i --input -o --output -e --error"),
  unbuffer: wrapper(""),
  nohup: wrapper(""),
  setsid: wrapper(""),
  setarch: wrapper("", 1),
  sudo: wrapper(
    "-u --user -g --group -h --host -p --prompt -C -D --chdir -R -T -U",
    0,
    "-l --list -v --validate -k -K -e --edit -s --shell -i --login --help --version -V",
  ),
  doas: wrapper("-u -C", 0, "-s -L"),
  command: wrapper("", 0, "-v -V"),
  exec: wrapper("-a"),
  builtin: wrapper(""),
  xvfb: wrapper(""),
  "xvfb-run": wrapper("-n --server-num -s --server-args -e --error-file -f --auth-file"),
  caffeinate: wrapper("-t -w"),
  "systemd-run": wrapper(
    "-p --property -E --setenv --unit -u --slice -M --machine -H --host --uid --gid --nice --working-directory --description",
    0,
    "--help --version -t --pty -P --shell -S",
  ),
  catchsegv: wrapper(""),
  ccache: wrapper("", 0, "-s --show-stats -z -C --help --version -p"),
  dotenv: wrapper("-e -p -c"),
  dotenvx: (args) => (args[0] === "run" ? wrapper("-f -e")(args.slice(1), "dotenvx") : UNKNOWN),
  c8: wrapper("-r --reporter -o --reports-dir --temp-directory -n --include -x --exclude"),
  nyc: wrapper("-r --reporter -t --temp-dir --report-dir --include --exclude -n -x", 0, "--help --version"),
  direnv: (args) => (args[0] === "exec" ? runs(args.slice(2)) : UNKNOWN),
  mise: (args) =>
    args[0] === "exec" || args[0] === "x"
      ? args.includes("--")
        ? runs(args.slice(args.indexOf("--") + 1))
        : UNKNOWN
      : UNKNOWN,
  asdf: (args) => (args[0] === "exec" ? runs(args.slice(1)) : UNKNOWN),
  volta: (args) => (args[0] === "run" ? wrapper("--node --npm --yarn --pnpm")(args.slice(1), "volta") : UNKNOWN),
  corepack: (args) =>
    /^(?:npm|pnpm|yarn)(?:@.*)?$/.test(args[0] ?? "")
      ? runs([(args[0] ?? "").replace(/@.*$/, ""), ...args.slice(1)])
      : UNKNOWN,
  op: (args) => (args[0] === "run" && args.includes("--") ? runs(args.slice(args.indexOf("--") + 1)) : UNKNOWN),
  doppler: (args) => (args[0] === "run" && args.includes("--") ? runs(args.slice(args.indexOf("--") + 1)) : UNKNOWN),
  node,
  nodejs: node,
  tsx,
  deno: (args) => (args[0] === "task" && typeof args[1] === "string" ? scriptName(args[1]) : tool(args, "deno")),
  python,
  python3: python,
  py: python,
  coverage,
  poetry: projectRunner("-C --directory -P --project"),
  uv: projectRunner(
    "--python -p --with --extra --group --directory --project --env-file --package --only-group --from --index-url",
  ),
  uvx: (args) => inside(args, split("--python -p --with --from"), "uvx"),
  pipenv: projectRunner("--python"),
  pipx: (args) => (args[0] === "run" ? inside(args.slice(1), split("--spec --python"), "pipx") : UNKNOWN),
  pdm: projectRunner("-p --project -g"),
  rye: projectRunner(""),
  hatch: projectRunner("-e --env -p --project"),
  conda: (args) => (args[0] === "run" ? inside(args.slice(1), split("-n --name -p --prefix --cwd"), "conda") : UNKNOWN),
  bundle,
  bundler: bundle,
  php,
  vitest,
  ng,
  "react-scripts": reactScripts,
  karma,
  esbuild,
  "pre-commit": preCommit,
};
