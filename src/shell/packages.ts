/**
 * Package managers and monorepo runners of JavaScript: which of their arguments is a script, a tool
 * or a task, and what that one's name says.
 */
import { firstOperand, hasOption, hasOptionAnywhere, operands, optionValue } from "./arguments.ts";
import { heavy, light, runs, UNKNOWN, waits, type Finding, type Recogniser } from "./finding.ts";
import { scriptName, scriptNames } from "./script-names.ts";
import type { ShellWord } from "./script.ts";

const split = (text: string): readonly string[] => text.split(" ");

const HELP = ["--help", "-h", "--version"];
const WATCH = split(
  "--watch --watchAll --watch-all -w --ui --serve --open --inspect --inspect-brk --debug --pdb --headed --interactive",
);
const SHOWS = split(
  "--help --version --listTests --list --list-tests --collect-only --co --showConfig --print-config --dry-run --dryRun --dry",
);

const NPM_VALUES = split(
  "--prefix -C -w --workspace --loglevel --cache --userconfig --registry --script-shell --tag --otp --node-options",
);
const PNPM_VALUES = split(
  "--filter -F --filter-prod -C --dir --workspace-concurrency --loglevel --reporter --test-pattern --changed-files-ignore-pattern --resume-from --shell-mode",
);
const YARN_VALUES = split(
  "--cwd --cache-folder --modules-folder --mutex --registry --use-yarnrc --network-timeout --network-concurrency",
);
const BUN_VALUES = split("--filter -F --cwd --config -c --env-file --preload -r --define --loader --port");

const npm: Recogniser = (args) => {
  const at = firstOperand(args, NPM_VALUES);
  const command = at < 0 ? undefined : args[at];
  if (hasOption(args, HELP) || hasOption(args, ["-v"])) return light("npm only shows something with these options");
  const rest = args.slice(at + 1);
  switch (command) {
    case "test":
    case "t":
    case "tst":
      return passedOn(heavy("npm test tests"), rest);
    case "run":
    case "run-script":
    case "rum":
    case "urn":
      return script(rest, NPM_VALUES, "npm run");
    case "exec":
    case "x":
      return packageBinary(rest, "npm exec");
    case "start":
    case "restart":
      return waits(`npm ${command} goes on until it is stopped`);
    case undefined:
    case null:
      return UNKNOWN;
    default:
      return light(`npm ${command} is no build, test, lint or type check`);
  }
};

/** pnpm's own commands; any other word is a script or a tool of the project. */
const PNPM_OWN = new Set(
  split(
    "install i add remove rm uninstall un update up upgrade list ls ll la why outdated audit store publish pack link ln unlink prune import init create deploy patch patch-commit patch-remove licenses config c get set env setup root bin fetch rebuild rb dedupe doctor server self-update cat-file cat-index find-hash approve-builds ignored-builds completion help login logout whoami view info search dist-tag owner token",
  ),
);
const pnpm: Recogniser = (args) => {
  const at = firstOperand(args, PNPM_VALUES);
  // `pnpm recursive run build` is the long form of `pnpm -r run build`.
  const given = /^(?:recursive|multi|m)$/.test(args[at] ?? "") ? args.filter((_, i) => i !== at) : args;
  return manager(given, "pnpm", PNPM_VALUES, PNPM_OWN);
};

const YARN_OWN = new Set(
  split(
    "install add remove up upgrade upgrade-interactive set import info why list outdated audit pack publish link unlink cache config init create constraints dedupe explain npm patch patch-commit plugin rebuild search stage unplug version versions global licenses login logout node owner policies tag team autoclean bin check-files help generate-lock-entry self-update",
  ),
);
const yarn: Recogniser = (args) => {
  const at = firstOperand(args, YARN_VALUES);
  const command = at < 0 ? undefined : args[at];
  const rest = args.slice(at + 1);
  if (command === undefined && !hasOption(args, HELP)) return light("yarn alone installs");
  if (command === "workspace") return manager(rest.slice(1), "yarn", YARN_VALUES, YARN_OWN);
  if (command === "workspaces") {
    // Version 1 has `workspaces run SCRIPT`, later ones `workspaces foreach [options] run SCRIPT`.
    const from = rest.findIndex((word) => word === "run" || word === "exec");
    return from < 0
      ? light("yarn workspaces only shows something")
      : manager(rest.slice(from), "yarn", YARN_VALUES, YARN_OWN);
  }
  return manager(args, "yarn", YARN_VALUES, YARN_OWN);
};

function manager(
  args: readonly ShellWord[],
  name: string,
  values: readonly string[],
  own: ReadonlySet<string>,
): Finding {
  const at = firstOperand(args, values);
  const command = at < 0 ? undefined : args[at];
  if (hasOption(args.slice(0, at < 0 ? args.length : at), [...HELP, "-v"]))
    return light(`${name} only shows something with these options`);
  if (command === undefined || command === null) return UNKNOWN;
  const rest = args.slice(at + 1);
  if (command === "run" || command === "run-script") return script(rest, values, `${name} run`);
  if (command === "exec") return packageBinary(rest, `${name} exec`);
  if (command === "dlx") return packageBinary(rest, `${name} dlx`);
  if (command === "start" || command === "restart") return waits(`${name} ${command} goes on until it is stopped`);
  if (command === "test" || command === "t" || command === "tst") return passedOn(heavy(`${name} test tests`), rest);
  if (own.has(command)) return light(`${name} ${command} is no build, test, lint or type check`);
  const named = scriptName(command);
  // `pnpm vitest run` is the tool, `pnpm typecheck` the script.
  return named.kind === "unknown" || TOOLS_AS_SCRIPTS.has(command) ? runs([command, ...rest]) : passedOn(named, rest);
}

/** Words that are scripts' names and tools' names: the tool knows more about its arguments. */
const TOOLS_AS_SCRIPTS = new Set(split("eslint oxlint stylelint tsc vitest jest mocha playwright biome"));

const bun: Recogniser = (args) => {
  const at = firstOperand(args, BUN_VALUES);
  const command = at < 0 ? undefined : args[at];
  const before = args.slice(0, at < 0 ? args.length : at);
  if (hasOption(before, HELP) || hasOption(before, ["-v"])) return light("bun only shows something with these options");
  if (hasOptionAnywhere(args, ["--watch", "--hot"])) return waits("bun goes on until it is stopped with these options");
  const rest = args.slice(at + 1);
  switch (command) {
    case "test":
      return passedOn(heavy("bun test tests"), rest);
    case "build":
      return passedOn(heavy("bun build builds"), rest);
    case "run":
      return script(rest, BUN_VALUES, "bun run");
    case "x":
      return packageBinary(rest, "bun x");
    case undefined:
    case null:
      return UNKNOWN;
    default:
      return /^(?:install|i|add|remove|rm|update|outdated|link|unlink|pm|publish|init|create|upgrade|repl|exec|audit|patch|info|why)$/.test(
        command,
      )
        ? light(`bun ${command} is no build, test, lint or type check`)
        : /\.[cm]?[jt]sx?$/.test(command)
          ? UNKNOWN
          : passedOn(scriptName(command), rest);
  }
};

/** `run SCRIPT [-- args]`. */
function script(args: readonly ShellWord[], values: readonly string[], how: string): Finding {
  const at = firstOperand(args, values);
  const name = at < 0 ? undefined : args[at];
  if (name === undefined) return light(`${how} alone lists the scripts`);
  if (name === null) return UNKNOWN;
  const rest = [...args.slice(0, at), ...args.slice(at + 1)];
  // A pattern of names, as pnpm takes it, runs all that match.
  if (/[*/]/.test(name.replace(/^\/(.*)\/$/, "$1*"))) return UNKNOWN;
  const named = scriptName(name);
  return named.kind === "unknown" && how !== "npm run" && TOOLS_AS_SCRIPTS.has(name)
    ? runs([name, ...rest])
    : passedOn(named, rest);
}

/** What a script is told may turn it into a watcher, or into a question. */
function passedOn(found: Finding, args: readonly ShellWord[]): Finding {
  if (found.kind !== "heavy") return found;
  if (hasOptionAnywhere(args, SHOWS)) return light(`${found.why}, but only shows something with these options`);
  // npm's own -w is the workspace; its value says so, a watcher's has none.
  const watches =
    hasOptionAnywhere(
      args,
      WATCH.filter((option) => option !== "-w"),
    ) || /^(?:-w)$/.test(args.at(-1) ?? "");
  return watches ? waits(`${found.why}, but goes on until it is stopped with these options`) : found;
}

/** `npx TOOL args`, `pnpm exec TOOL args`: options of its own, the tool, its arguments. */
function packageBinary(args: readonly ShellWord[], how: string): Finding {
  const command = optionValue(args.slice(0, Math.max(0, firstOperand(args, ["-p", "--package", "-c", "--call"])) + 2), [
    "-c",
    "--call",
  ]);
  if (command !== null) return runs(["sh", "-c", command]);
  const at = firstOperand(args, split("-p --package --filter -F -C --dir --workspace -w --prefix"));
  const name = at < 0 ? undefined : args[at];
  if (name === undefined || name === null) return UNKNOWN;
  if (hasOption(args.slice(0, at), HELP)) return light(`${how} only shows something with these options`);
  const bare = name.replace(/^(@[^/@]+\/[^@]+|[^@]+)@.*$/, "$1");
  return runs([PACKAGE_BINARIES[bare] ?? bare, ...args.slice(at + 1)]);
}

/** Packages whose program has another name. */
const PACKAGE_BINARIES: Readonly<Record<string, string>> = {
  "@biomejs/biome": "biome",
  typescript: "tsc",
  "@playwright/test": "playwright",
  "@angular/cli": "ng",
  "@vue/cli-service": "vue-cli-service",
  "@nestjs/cli": "nest",
  "@typescript/native-preview": "tsgo",
  "turbo-run": "turbo",
};

const turbo: Recogniser = (args) => {
  const values = split(
    "--filter -F --cwd --concurrency --cache-dir --env-mode --log-order --output-logs --log-prefix --token --team --api --ui --profile --heap",
  );
  if (hasOption(args, [...HELP, "--dry", "--dry-run", "--graph"]))
    return light("turbo only shows something with these options");
  const tasks = operands(args.slice(0, args.indexOf("--") < 0 ? args.length : args.indexOf("--")), values);
  const first = tasks[0];
  if (first === "watch") return waits("turbo watch goes on until it is stopped");
  if (
    typeof first === "string" &&
    /^(?:ls|login|logout|link|unlink|prune|daemon|gen|generate|scan|bin|telemetry|info|query|config|boundaries|completion|devtools|docs)$/.test(
      first,
    )
  ) {
    return light(`turbo ${first} is no build, test, lint or type check`);
  }
  return passedOn(
    scriptNames((first === "run" ? tasks.slice(1) : tasks).map((task) => task?.replace(/^.*#/, "") ?? null)),
    args,
  );
};

const NX_LIGHT =
  /^(?:graph|dep-graph|list|show|report|reset|migrate|g|generate|repair|daemon|format|format:check|format:write|init|connect|view-logs|print-affected|import|release|sync|sync:check|add|login|logout|mcp|configure-ai-agents|exec)$/;
const nx: Recogniser = (args) => {
  const values = split(
    "-t --target --targets -p --projects --exclude --parallel -c --configuration --base --head --files --runner --output-style",
  );
  if (hasOption(args, [...HELP, "--graph", "--dryRun", "--dry-run", "-d"]))
    return light("nx only shows something with these options");
  const [command, project] = operands(args, values);
  if (command === undefined || command === null) return UNKNOWN;
  if (NX_LIGHT.test(command)) return light(`nx ${command} is no build, test, lint or type check`);
  if (command === "watch" || command === "console") return waits(`nx ${command} goes on until it is stopped`);
  if (command === "run-many" || command === "affected") {
    const at = args.findIndex((arg) => arg !== null && /^(?:-t|--targets?)(?:=|$)/.test(arg));
    const given = args[at];
    if (at < 0 || given === null || given === undefined) return UNKNOWN;
    // `-t build test` and `--targets=build,test`.
    const listed = given.includes("=")
      ? [given.slice(given.indexOf("=") + 1)]
      : args.slice(at + 1, nextOption(args, at + 1));
    return passedOn(
      scriptNames(listed.flatMap((word): (string | null)[] => (word === null ? [null] : word.split(",")))),
      args,
    );
  }
  if (command.startsWith("affected:")) return passedOn(scriptName(command.slice("affected:".length)), args);
  if (command === "run") {
    const [, target] = (project ?? "").split(":");
    return project === null || target === undefined ? UNKNOWN : passedOn(scriptName(target), args);
  }
  return passedOn(scriptName(command), args);
};

function nextOption(args: readonly ShellWord[], from: number): number {
  const at = args.findIndex((arg, i) => i >= from && arg !== null && arg.startsWith("-"));
  return at < 0 ? args.length : at;
}

const lerna: Recogniser = (args) => {
  if (hasOption(args, HELP)) return light("lerna only shows something with these options");
  const [command, name] = operands(
    args.slice(0, args.indexOf("--") < 0 ? args.length : args.indexOf("--")),
    split("--scope --ignore --concurrency --since"),
  );
  if (command === "run")
    return name === undefined
      ? UNKNOWN
      : passedOn(scriptNames((name ?? "$").split(",").map((n) => (n === "$" ? null : n))), args);
  if (command === "exec") return args.includes("--") ? runs(args.slice(args.indexOf("--") + 1)) : UNKNOWN;
  return typeof command === "string" ? light(`lerna ${command} is no build, test, lint or type check`) : UNKNOWN;
};

/** npm-run-all and its short forms: every name is a script; options like --parallel take no value. */
const runAll: Recogniser = (args) => {
  const names = operands(args, split("--max-parallel"));
  if (names.some((name) => name === null || /[*]/.test(name))) return UNKNOWN;
  return scriptNames(names.map((name) => (name ?? "").split(/\s/)[0] ?? ""));
};

/** By name. */
export const PACKAGE_TOOLS: Readonly<Record<string, Recogniser>> = {
  npm,
  pnpm,
  pn: pnpm,
  yarn,
  yarnpkg: yarn,
  bun,
  npx: (args) => packageBinary(args, "npx"),
  pnpx: (args) => packageBinary(args, "pnpx"),
  bunx: (args) =>
    packageBinary(
      args.filter((arg) => arg !== "--bun"),
      "bunx",
    ),
  turbo,
  nx,
  lerna,
  "npm-run-all": runAll,
  "npm-run-all2": runAll,
  "run-s": runAll,
  "run-p": runAll,
};
