/**
 * Build tools whose arguments are targets, tasks or phases of the project: what is run is told by
 * those names alone, so a name that says nothing passes by.
 */
import { firstOperand, hasLetter, hasOption, hasOptionAnywhere, operands, optionValue } from "./arguments.ts";
import { heavy, light, runs, UNKNOWN, waits, type Finding, type Recogniser } from "./finding.ts";
import { scriptName } from "./script-names.ts";
import type { ShellWord } from "./script.ts";

const split = (text: string): readonly string[] => text.split(" ");

const HELP = ["--help", "-h", "--version"];
const TARGET_LIGHT =
  /^(?:clean|distclean|mrproper|realclean|depclean|install|uninstall|help|tags|TAGS|ctags|fmt|format|menuconfig|nconfig|xconfig|gconfig|config|defconfig|.*_defconfig|deps|vendor|tidy|setup|init|bootstrap|update|upgrade|up|down|logs|ps|list|print-.*|version|release|publish|push|deploy|migrate|seed|stop|kill|doc|docs|html|pdf)$/;
const TARGET_WAITS =
  /^(?:run|serve|server|start|dev|watch|live|shell|bash|sh|console|repl|psql|db-shell|ssh|attach|gdb|debug|lldb|qemu|menuconfig|flash|monitor|edit|open|preview|storybook)(?:[-_:].*)?$/;
const TARGET_HEAVY =
  /^(?:all|default|everything|modules|vmlinux|bzImage|.*\.(?:o|obj|a|so|dylib|exe|bin|elf|ko)|(?:lib|bin|build|out|target|dist)\/.+)$/;

/** What one target of make, ninja and their like is. */
function target(name: string): Finding {
  if (TARGET_WAITS.test(name)) return waits(`target ${name} goes on until it is stopped`);
  if (TARGET_LIGHT.test(name)) return light(`target ${name} is no build, test, lint or type check`);
  if (TARGET_HEAVY.test(name)) return heavy(`target ${name} builds`);
  return scriptName(name);
}

/** Several targets: all are run, so one that waits decides, and one that says nothing leaves it open; cleaning first changes nothing. */
function targets(names: readonly ShellWord[], bare: Finding): Finding {
  const given = names.filter((name) => name === null || !/^[A-Za-z_][\w.]*\+?=/.test(name));
  if (given.length === 0) return bare;
  let found: Finding | null = null;
  for (const name of given) {
    if (name === null) return UNKNOWN;
    const one = target(name);
    if (one.kind === "waits" || one.kind === "unknown") return one;
    if (found?.kind !== "heavy") found = one;
  }
  return found ?? UNKNOWN;
}

const make: Recogniser = (args, name) => {
  const shows = split("-n --dry-run --just-print --recon -p --print-data-base -q --question -v --version -h --help");
  if (
    hasOption(args, shows) ||
    ["n", "p", "q", "v"].some((letter) =>
      hasLetter(
        args.filter((arg) => !/^-[CfIjlOoW]./.test(arg ?? "")),
        letter,
      ),
    )
  ) {
    return light(`${name} only shows something with these options`);
  }
  const values = split(
    "-C --directory -f --file --makefile -I --include-dir -o --old-file --assume-old -W --what-if --new-file --eval -j --jobs -l --load-average",
  );
  // `-j` and `-l` have a value only when a number follows.
  const cleaned = args.filter(
    (arg, i) => !((arg === "-j" || arg === "-l") && args[i + 1] !== null && !/^\d/.test(args[i + 1] ?? "")),
  );
  return targets(operands(cleaned, values), heavy(`${name} builds`));
};

const ninja: Recogniser = (args) => {
  if (hasOption(args, [...HELP, "-n", "-t", "-d"])) return light("ninja only shows something with these options");
  return targets(operands(args, split("-C -f -j -k -l -w")), heavy("ninja builds"));
};

const cmake: Recogniser = (args) => {
  if (hasOption(args, ["--help", "-h", "--version", "-N", "-L", "-LA", "-LAH"]))
    return light("cmake only shows something with these options");
  if (args[0] === "--workflow") return heavy("cmake --workflow builds and tests");
  if (args[0] !== "--build") return light("cmake without --build configures, or is a tool");
  const named = optionValue(args, ["--target", "-t"]);
  return named === null
    ? hasOption(args, ["--target", "-t"])
      ? UNKNOWN
      : heavy("cmake --build builds")
    : targets([named], heavy("cmake --build builds"));
};

const GRADLE_WAITS =
  /(?:^|:)(?:run|bootRun|quarkusDev|appRun|jettyRun|tomcatRun|runIde|runClient|runServer|installDebug|shell)$/i;
const GRADLE_LIGHT =
  /(?:^|:)(?:clean|tasks|dependencies|dependencyInsight|help|properties|projects|wrapper|init|javaToolchains|buildEnvironment|outgoingVariants|publish.*|upload.*|spotlessApply|dependencyUpdates|components|model)$/;
const GRADLE_HEAVY =
  /(?:^|:)(?:build\w*|assemble\w*|check|\w*[tT]est\w*|compile\w*|classes|testClasses|jar|war|bootJar|shadowJar|bundle\w*|lint\w*|detekt\w*|ktlint\w*|checkstyle\w*|spotbugs\w*|pmd\w*|spotlessCheck|jacoco\w*|javadoc|kover\w*|apiCheck)$/;
const gradle: Recogniser = (args, name) => {
  if (hasOption(args, [...HELP, "-v", "-m", "--dry-run", "--status", "--stop", "-?"]))
    return light(`${name} only shows something with these options`);
  if (hasOption(args, ["-t", "--continuous", "--gui", "--foreground", "--debug-jvm"]))
    return waits(`${name} goes on until it is stopped with these options`);
  const tasks = operands(
    args,
    split(
      "-p --project-dir -b --build-file -x --exclude-task -I --init-script -g --gradle-user-home --tests --console --max-workers -c --settings-file --warning-mode --profile",
    ),
  );
  return byNames(tasks, GRADLE_WAITS, GRADLE_LIGHT, GRADLE_HEAVY, name, light(`${name} alone shows help`));
};

const MVN_WAITS = /(?:^|:)(?:run|dev|start|exec|java|jshell|console|serve|debug)$/;
const MVN_LIGHT =
  /^(?:clean|validate|initialize|site|deploy|wrapper|(?:dependency|help|versions|archetype|release|deploy|install|scm|site|clean|wrapper|spotless|fmt|license|enforcer):.*|.*:(?:apply|format))$/;
const MVN_HEAVY =
  /^(?:compile|test-compile|process-classes|process-test-classes|test|package|verify|install|integration-test|(?:surefire|failsafe|checkstyle|spotbugs|pmd|compiler|jacoco|invoker):.+)$/;
const mvn: Recogniser = (args, name) => {
  if (hasOption(args, [...HELP, "-v"])) return light(`${name} only shows something with these options`);
  const goals = operands(
    args,
    split(
      "-f --file -P --activate-profiles -pl --projects -rf --resume-from -s --settings -T --threads -l --log-file -t --toolchains -D",
    ),
  );
  return byNames(goals, MVN_WAITS, MVN_LIGHT, MVN_HEAVY, name, light(`${name} without a goal builds nothing`));
};

const ANT: Recogniser = (args, name) => {
  if (hasOption(args, [...HELP, "-p", "-projecthelp", "-version", "-diagnostics"]))
    return light(`${name} only shows something with these options`);
  return targets(operands(args, split("-f -file -buildfile -lib -logfile -l")), heavy(`${name} builds`));
};

function byNames(
  names: readonly ShellWord[],
  waiting: RegExp,
  passing: RegExp,
  heavyOnes: RegExp,
  tool: string,
  bare: Finding,
): Finding {
  let found: Finding = bare;
  for (const name of names) {
    if (name === null) return UNKNOWN;
    if (waiting.test(name)) return waits(`${tool} ${name} goes on until it is stopped`);
    if (heavyOnes.test(name)) found = heavy(`${tool} ${name} builds, tests or lints`);
    else if (!passing.test(name)) return UNKNOWN;
    else if (found.kind !== "heavy") found = light(`${tool} ${name} is no build, test, lint or type check`);
  }
  return found;
}

const LIST = split(
  "--list -l --summary --choose --edit -e --dump --show -s --evaluate --init --fmt --variables --groups -n --dry-run --dry -w --watch --help -h --version -V",
);
/** just, task, mage, invoke: recipes by name. */
const recipes: Recogniser = (args, name) => {
  if (hasOption(args, LIST))
    return hasOption(args, ["--choose", "--edit", "-e", "-w", "--watch"])
      ? waits(`${name} goes on or asks with these options`)
      : light(`${name} only shows something with these options`);
  const at = firstOperand(
    args,
    split("-f --justfile -d --working-directory --set --taskfile -t --dir --shell -C -c --collection"),
  );
  const recipe = at < 0 ? undefined : args[at];
  return recipe === undefined || recipe === null ? UNKNOWN : targets([recipe], UNKNOWN);
};

const rake: Recogniser = (args, name) => {
  if (
    hasOption(
      args,
      split("-T --tasks -D --describe -P --prereqs -W --where -n --dry-run -h --help -V --version -AT -A"),
    )
  )
    return light(`${name} only shows something with these options`);
  const names = operands(args, split("-f --rakefile -I --libdir -r --require -C --directory -j --jobs -m"));
  return names.length === 0
    ? UNKNOWN
    : targets(
        names.map((task) => task?.replace(/\[.*$/, "") ?? null),
        UNKNOWN,
      );
};

const rails: Recogniser = (args, name) => {
  const [command] = operands(args);
  if (hasOption(args, [...HELP, "-T"])) return light(`${name} only shows something with these options`);
  if (typeof command !== "string") return UNKNOWN;
  if (/^(?:test(?::\w+)*|spec)$/.test(command)) return heavy(`${name} ${command} tests`);
  if (command === "assets:precompile") return heavy(`${name} ${command} builds`);
  if (/^(?:s|server|c|console|dbconsole|db)$/.test(command))
    return waits(`${name} ${command} goes on until it is stopped`);
  return light(`${name} ${command} is no build, test, lint or type check`);
};

const composer: Recogniser = (args) => {
  if (hasOption(args, HELP)) return light("composer only shows something with these options");
  const names = operands(args, split("-d --working-dir"));
  const [command, script] = names;
  if (command === "run" || command === "run-script") return typeof script === "string" ? scriptName(script) : UNKNOWN;
  if (command === "exec") return typeof script === "string" ? runs(names.slice(1)) : UNKNOWN;
  if (typeof command !== "string") return UNKNOWN;
  return /^(?:install|i|update|upgrade|u|require|remove|show|info|outdated|validate|dump-autoload|dumpautoload|diagnose|init|create-project|global|config|audit|check-platform-reqs|status|why|depends|search|self-update|about|list|help|archive|browse|fund|licenses|suggests|bump|clear-cache|cc)$/.test(
    command,
  )
    ? light(`composer ${command} is no build, test, lint or type check`)
    : scriptName(command);
};

/** By name. */
export const BUILD_TOOLS: Readonly<Record<string, Recogniser>> = {
  make,
  gmake: make,
  ninja,
  "ninja-build": ninja,
  samu: ninja,
  cmake,
  gradle,
  gradlew: gradle,
  mvn,
  mvnw: mvn,
  mvnd: mvn,
  ant: ANT,
  just: recipes,
  task: recipes,
  "go-task": recipes,
  mage: recipes,
  invoke: recipes,
  inv: recipes,
  rake,
  rails,
  composer,
  nix: (args) => {
    const [command, sub] = operands(args);
    if (hasOption(args, [...HELP, "--dry-run"])) return light("nix only shows something with these options");
    if (command === "build" || (command === "flake" && sub === "check")) return heavy(`nix ${command} builds`);
    if (command === "develop" || command === "shell") {
      const at = args.findIndex((arg) => arg === "-c" || arg === "--command");
      return at < 0 ? waits(`nix ${command} opens a shell`) : runs(args.slice(at + 1));
    }
    return command === "repl" ? waits("nix repl waits for input") : UNKNOWN;
  },
  R: (args) =>
    args[0] === "CMD" && !hasOptionAnywhere(args, HELP) && /^(?:check|build)$/.test(args[1] ?? "")
      ? heavy(`R CMD ${args[1] ?? ""} builds or checks`)
      : UNKNOWN,
};
