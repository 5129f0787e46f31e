/**
 * Tools whose use is told by one subcommand and a few options, in tables. A tool that is not here, or
 * a subcommand that its row does not name, is unknown and passes by: a missed build costs time, a
 * queued editor blocks a person.
 */
import { firstOperand, hasOption, hasOptionAnywhere } from "./arguments.ts";
import { heavy, light, UNKNOWN, waits, type Finding, type Recogniser } from "./finding.ts";

type Kind = "heavy" | "waits" | "light" | "unknown";

interface Tool {
  /** What the tool does, for the reason: "type checks". */
  readonly does: string;
  /** Options that only inspect, beside --help and --version. */
  readonly inspects?: readonly string[];
  /** Its `-V` is no question for the version. */
  readonly verboseV?: boolean;
  /** Options with which it does not end by itself, beside --watch. */
  readonly waits?: readonly string[];
  /** Options that take a value. */
  readonly values?: readonly string[];
  /** By the first operand. */
  readonly subcommands?: Readonly<Record<string, Kind>>;
  /** Without an operand; the default is that of `other`. */
  readonly bare?: Kind;
  /** With any operand that `subcommands` does not name; the default is heavy where there are no subcommands, else unknown. */
  readonly other?: Kind;
}

const INSPECTS = ["--help", "-h", "--version", "-help", "-version"];
const WAITS = [
  "--watch",
  "--watchAll",
  "--watch-all",
  "--ui",
  "--interactive",
  "--inspect-brk",
  "--inspect",
  "--inspect-wait",
  "--debug-brk",
];

const words = (text: string): readonly string[] => text.split(" ");
const all = (kind: Kind, names: string): Record<string, Kind> =>
  Object.fromEntries(words(names).map((name) => [name, kind]));

const CARGO_VALUES = words(
  "--manifest-path --target --target-dir --color --config -Z -C -p --package -j --jobs --profile --features -F --bin --example --test --bench",
);

/** By the name of the tool. */
const TOOLS: Readonly<Record<string, Tool>> = {
  // JavaScript and TypeScript
  tsc: {
    does: "type checks",
    inspects: words("-v --init --showConfig --all --listFilesOnly --clean --dry"),
    waits: ["-w"],
  },
  tsgo: {
    does: "type checks",
    inspects: words("-v --init --showConfig --all --listFilesOnly --clean --dry --lsp"),
    waits: ["-w", "--lsp"],
  },
  "vue-tsc": { does: "type checks", inspects: ["-v", "--init", "--showConfig"], waits: ["-w"] },
  "svelte-check": { does: "type checks" },
  eslint: {
    does: "lints",
    inspects: words("-v --print-config --init --env-info"),
    waits: ["--inspect-config"],
    bare: "heavy",
  },
  oxlint: { does: "lints", inspects: ["--init", "--rules", "--print-config"], waits: ["--lsp"] },
  biome: {
    does: "lints",
    inspects: [],
    subcommands: {
      ...all("heavy", "check lint ci"),
      ...all("light", "format init explain rage migrate search version stop clean upgrade help"),
      ...all("waits", "start lsp-proxy"),
    },
  },
  stylelint: { does: "lints", inspects: ["-v", "--print-config"] },
  xo: { does: "lints", inspects: ["--print-config"] },
  standard: { does: "lints" },
  knip: { does: "lints", inspects: ["--init"] },
  jest: { does: "tests", inspects: words("-v --listTests --showConfig --init --clearCache"), bare: "heavy" },
  mocha: { does: "tests", inspects: words("-v --list-reporters --list-interfaces --dry-run"), waits: ["-w"] },
  ava: {
    does: "tests",
    waits: ["-w", "debug"],
    subcommands: { debug: "waits", "reset-cache": "light" },
    bare: "heavy",
    other: "heavy",
  },
  tap: {
    does: "tests",
    waits: ["-w", "repl"],
    subcommands: { repl: "waits", ...all("light", "report list plugin config dump-config help version debug") },
    bare: "heavy",
    other: "heavy",
  },
  jasmine: {
    does: "tests",
    subcommands: all("light", "init help version examples enumerate"),
    bare: "heavy",
    other: "heavy",
  },
  uvu: { does: "tests" },
  "cucumber-js": { does: "tests", inspects: ["--dry-run", "-d", "--i18n-languages"] },
  wtr: { does: "tests", waits: ["--manual", "--open"] },
  "web-test-runner": { does: "tests", waits: ["--manual", "--open"] },
  playwright: {
    does: "tests",
    inspects: ["--list"],
    waits: words("--debug --headed --ui-host --ui-port --last-failed-ui"),
    subcommands: {
      test: "heavy",
      ...all("waits", "codegen open cr ff wk show-report show-trace ui"),
      ...all("light", "install install-deps uninstall screenshot pdf merge-reports clear-cache help"),
    },
  },
  cypress: {
    does: "tests",
    waits: ["--headed", "--no-exit"],
    subcommands: { run: "heavy", open: "waits", ...all("light", "install verify cache info version help") },
  },
  karma: { does: "tests", subcommands: { start: "unknown", run: "light", init: "waits", stop: "light" } },
  webpack: {
    does: "builds",
    inspects: ["-v"],
    waits: ["-w"],
    subcommands: {
      ...all("heavy", "build bundle b"),
      ...all("waits", "serve server s watch w"),
      ...all("light", "info i init create c configtest t version v help h loader plugin"),
    },
    bare: "heavy",
    other: "heavy",
  },
  "webpack-cli": {
    does: "builds",
    inspects: ["-v"],
    waits: ["-w"],
    subcommands: {
      ...all("heavy", "build bundle b"),
      ...all("waits", "serve server s watch w"),
      ...all("light", "info i version v help h configtest t"),
    },
    bare: "heavy",
    other: "heavy",
  },
  rollup: { does: "builds", inspects: ["-v"], waits: ["-w", "-cw", "-wc"], bare: "heavy" },
  rolldown: { does: "builds", inspects: ["-v"], waits: ["-w", "-cw", "-wc"], bare: "heavy" },
  vite: {
    does: "builds",
    waits: ["-w"],
    values: words("-c --config -m --mode --base -l --logLevel"),
    subcommands: { build: "heavy", ...all("waits", "dev serve preview"), optimize: "light" },
    bare: "waits",
    other: "waits",
  },
  next: {
    does: "builds",
    subcommands: {
      ...all("heavy", "build lint typegen"),
      ...all("waits", "dev start"),
      ...all("light", "info telemetry upgrade"),
    },
    bare: "waits",
  },
  nuxt: {
    does: "builds",
    subcommands: {
      ...all("heavy", "build generate typecheck analyze"),
      ...all("waits", "dev start preview"),
      ...all("light", "init info prepare cleanup add module upgrade"),
    },
    bare: "waits",
  },
  nuxi: {
    does: "builds",
    subcommands: {
      ...all("heavy", "build generate typecheck analyze"),
      ...all("waits", "dev start preview"),
      ...all("light", "init info prepare cleanup add module upgrade"),
    },
  },
  astro: {
    does: "builds",
    subcommands: {
      ...all("heavy", "build check"),
      ...all("waits", "dev preview"),
      ...all("light", "add info sync telemetry docs"),
    },
  },
  remix: {
    does: "builds",
    subcommands: {
      build: "heavy",
      "vite:build": "heavy",
      ...all("waits", "dev watch vite:dev"),
      ...all("light", "init routes reveal"),
    },
  },
  gatsby: {
    does: "builds",
    subcommands: { build: "heavy", ...all("waits", "develop serve repl"), ...all("light", "clean info new") },
  },
  parcel: {
    does: "builds",
    subcommands: { build: "heavy", ...all("waits", "serve watch"), help: "light" },
    other: "waits",
  },
  tsup: { does: "builds", bare: "heavy" },
  tsdown: { does: "builds", waits: ["-w"], bare: "heavy" },
  unbuild: { does: "builds", inspects: ["--stub"], bare: "heavy" },
  swc: { does: "builds", waits: ["-w"] },
  babel: { does: "builds", waits: ["-w"] },
  ncc: {
    does: "builds",
    waits: ["-w"],
    subcommands: { build: "heavy", run: "unknown", ...all("light", "cache help version") },
  },
  "react-scripts": { does: "builds", subcommands: { build: "heavy", test: "unknown", start: "waits", eject: "waits" } },
  "vue-cli-service": {
    does: "builds",
    subcommands: { ...all("heavy", "build lint test:unit test:e2e"), serve: "waits", inspect: "light" },
  },
  deno: {
    does: "builds or tests",
    waits: words("--watch-hmr"),
    inspects: [],
    subcommands: {
      ...all("heavy", "test check lint bench compile"),
      ...all("light", "fmt info cache doc types upgrade install add remove outdated init vendor publish clean"),
      ...all("waits", "repl serve lsp jupyter"),
      run: "unknown",
      eval: "unknown",
    },
  },
  // Rust, Go, C, C++ and their build tools
  cargo: {
    does: "builds, tests or lints",
    inspects: words("--list -V --explain --unit-graph --build-plan --print"),
    waits: ["--open"],
    values: CARGO_VALUES,
    subcommands: {
      ...all("heavy", "build b check c test t clippy bench doc d rustc rustdoc nextest llvm-cov tarpaulin hack miri"),
      ...all(
        "light",
        "fmt tree metadata add remove rm fetch clean update search info locate-project pkgid version help install uninstall publish package login logout owner yank new init vendor generate-lockfile verify-project read-manifest config outdated audit deny expand",
      ),
      ...all("waits", "watch"),
    },
  },
  cross: {
    does: "builds or tests",
    values: CARGO_VALUES,
    subcommands: { ...all("heavy", "build check test clippy bench doc"), run: "unknown" },
  },
  "wasm-pack": {
    does: "builds",
    subcommands: { ...all("heavy", "build test"), ...all("light", "new pack publish login") },
  },
  maturin: {
    does: "builds",
    subcommands: {
      ...all("heavy", "build develop sdist"),
      ...all("light", "new init publish upload list-python generate-ci"),
    },
  },
  trunk: {
    does: "builds",
    subcommands: { build: "heavy", ...all("waits", "serve watch"), ...all("light", "clean config tools") },
  },
  go: {
    does: "builds, tests or vets",
    inspects: ["-n", "-list"],
    values: ["-C"],
    subcommands: {
      ...all("heavy", "build test vet"),
      ...all("light", "mod list env doc fmt version get help install work tool fix clean telemetry generate bug"),
      run: "unknown",
    },
  },
  "golangci-lint": {
    does: "lints",
    subcommands: {
      run: "heavy",
      ...all("light", "linters formatters config cache version help completion custom fmt migrate"),
    },
  },
  staticcheck: { does: "lints", inspects: ["-list-checks", "-explain"] },
  gotestsum: { does: "tests" },
  ginkgo: {
    does: "tests",
    inspects: ["--dry-run"],
    subcommands: { ...all("light", "help version bootstrap generate labels outline unfocus"), watch: "waits" },
    bare: "heavy",
    other: "heavy",
  },
  ctest: {
    does: "tests",
    verboseV: true,
    inspects: words("-N --show-only --print-labels --help-full --list-presets"),
    waits: ["--interactive-debug-mode"],
    bare: "heavy",
  },
  meson: {
    does: "builds or tests",
    inspects: ["--list"],
    waits: ["--gdb"],
    subcommands: {
      ...all("heavy", "compile test"),
      ...all("light", "setup configure introspect init wrap help env2mfile format subprojects dist install"),
    },
  },
  bazel: {
    does: "builds or tests",
    inspects: ["--nobuild"],
    waits: [],
    subcommands: {
      ...all("heavy", "build test coverage"),
      ...all(
        "light",
        "query cquery aquery info version clean fetch sync shutdown help dump analyze-profile mod vendor canonicalize-flags",
      ),
      run: "unknown",
    },
  },
  bazelisk: {
    does: "builds or tests",
    subcommands: {
      ...all("heavy", "build test coverage"),
      ...all("light", "query cquery aquery info version clean fetch shutdown help mod"),
    },
  },
  buck2: {
    does: "builds or tests",
    subcommands: {
      ...all("heavy", "build test"),
      ...all("light", "targets query cquery uquery log status kill clean"),
    },
  },
  pants: {
    does: "builds or tests",
    subcommands: {
      ...all("heavy", "test lint check package"),
      ...all("light", "fmt fix list help dependencies roots peek tailor version"),
    },
  },
  scons: {
    does: "builds",
    inspects: words("-n --dry-run --just-print -c --clean -H --help-options -v"),
    waits: ["--interactive"],
    bare: "heavy",
  },
  zig: {
    does: "builds or tests",
    subcommands: {
      ...all("heavy", "build test build-exe build-lib build-obj"),
      ...all("light", "fmt version env init help targets zen fetch"),
      run: "unknown",
    },
  },
  xcodebuild: {
    does: "builds or tests",
    inspects: words(
      "-list -showsdks -showBuildSettings -showdestinations -checkFirstLaunchStatus -showTestPlans -license -runFirstLaunch -downloadPlatform -downloadAllPlatforms",
    ),
    bare: "heavy",
    other: "heavy",
  },
  swift: {
    does: "builds or tests",
    inspects: words("--show-bin-path --list-tests -l --print-manifest-job-graph"),
    waits: ["--repl"],
    subcommands: { ...all("heavy", "build test"), package: "light", ...all("waits", "repl") },
    bare: "waits",
  },
  swiftlint: {
    does: "lints",
    subcommands: {
      ...all("heavy", "lint analyze"),
      ...all("light", "rules version docs generate-docs help reporters baseline"),
    },
    bare: "heavy",
  },
  // JVM, .NET
  sbt: {
    does: "builds or tests",
    subcommands: {
      ...all("heavy", "compile test package assembly Test/compile test:compile testOnly it:test Test/test"),
      ...all("waits", "shell console run ~test ~compile ~testOnly"),
      ...all("light", "clean reload update projects tasks about dependencyTree"),
    },
    bare: "waits",
  },
  lein: {
    does: "builds or tests",
    subcommands: {
      ...all("heavy", "test compile uberjar jar check javac"),
      ...all("waits", "repl trampoline run"),
      ...all("light", "deps help version clean new classpath"),
    },
  },
  dotnet: {
    does: "builds or tests",
    inspects: words("--info --list-sdks --list-runtimes --list-tests -t"),
    subcommands: {
      ...all("heavy", "build test publish pack msbuild vstest"),
      ...all(
        "light",
        "restore add remove list new tool nuget format clean sln workload sdk help store ef user-secrets dev-certs",
      ),
      watch: "waits",
      run: "unknown",
    },
  },
  msbuild: { does: "builds", inspects: ["-ver", "/version", "-preprocess", "-targets"], bare: "heavy" },
  // Python
  pytest: {
    does: "tests",
    inspects: words(
      "--collect-only --co --fixtures --funcargs --fixtures-per-test --markers --setup-plan --cache-show",
    ),
    waits: words("--pdb --trace -f --looponfail --pdbcls"),
    bare: "heavy",
  },
  "py.test": {
    does: "tests",
    inspects: words("--collect-only --co --fixtures --markers --setup-plan --cache-show"),
    waits: words("--pdb --trace -f --looponfail"),
    bare: "heavy",
  },
  tox: {
    does: "tests",
    values: words("-e -c -f --conf --workdir --root"),
    inspects: words("-l --listenvs -a --listenvs-all --showconfig -av"),
    subcommands: {
      ...all("heavy", "run r run-parallel p exec"),
      ...all("light", "list l config c devenv d depends de quickstart q schema legacy le"),
    },
    bare: "heavy",
  },
  nox: { does: "tests", inspects: ["-l", "--list", "--list-sessions"], bare: "heavy" },
  mypy: { does: "type checks", waits: ["--install-types"], bare: "heavy" },
  dmypy: {
    does: "type checks",
    subcommands: {
      ...all("heavy", "run check recheck start"),
      ...all("light", "stop status kill restart suggest inspect hang"),
    },
  },
  pyright: { does: "type checks", inspects: ["--dependencies"], waits: ["-w"], bare: "heavy" },
  basedpyright: { does: "type checks", waits: ["-w"], bare: "heavy" },
  ty: {
    does: "type checks",
    waits: ["-W"],
    subcommands: { check: "heavy", server: "waits", ...all("light", "version help explain generate-shell-completion") },
  },
  pylint: {
    does: "lints",
    inspects: words(
      "--list-msgs --list-msgs-enabled --list-groups --list-extensions --generate-rcfile --generate-toml-config --help-msg --long-help",
    ),
  },
  flake8: { does: "lints", inspects: ["--bug-report"], bare: "heavy" },
  ruff: {
    does: "lints",
    inspects: ["--show-files", "--show-settings"],
    waits: ["-w"],
    subcommands: {
      check: "heavy",
      ...all("light", "format rule config linter clean version help analyze"),
      server: "waits",
    },
  },
  // Ruby, PHP, Elixir, Erlang, Haskell, OCaml, Dart and others
  rspec: { does: "tests", inspects: words("-v --dry-run --init"), bare: "heavy" },
  rubocop: {
    does: "lints",
    inspects: words(
      "-v --show-cops -L --list-target-files --show-docs-url --init --verbose-version --start-server --server-status",
    ),
    waits: ["--lsp"],
    bare: "heavy",
  },
  standardrb: { does: "lints", waits: ["--lsp"], bare: "heavy" },
  cucumber: { does: "tests", inspects: ["--dry-run", "-d", "--init"], bare: "heavy" },
  srb: {
    does: "type checks",
    waits: ["--lsp"],
    subcommands: { ...all("heavy", "tc typecheck"), init: "waits", help: "light" },
  },
  steep: {
    does: "type checks",
    subcommands: {
      check: "heavy",
      ...all("waits", "watch langserver"),
      ...all("light", "init stats version binstub annotations validate project"),
    },
  },
  phpunit: {
    does: "tests",
    inspects: words(
      "--list-tests --list-groups --list-suites --list-tests-xml --generate-configuration --migrate-configuration",
    ),
    bare: "heavy",
  },
  pest: { does: "tests", inspects: words("--list-tests --list-groups --list-suites --init"), bare: "heavy" },
  phpstan: {
    does: "lints",
    subcommands: {
      ...all("heavy", "analyse analyze"),
      ...all("light", "clear-result-cache dump-parameters diagnose list help worker"),
    },
  },
  psalm: { does: "lints", inspects: ["--init", "--clear-cache", "--show-info-help"], bare: "heavy" },
  mix: {
    does: "builds or tests",
    subcommands: {
      ...all("heavy", "test compile credo dialyzer coveralls sobelow release"),
      ...all("waits", "test.watch phx.server run"),
      ...all(
        "light",
        "deps.get deps deps.compile deps.update format help archive hex.info hex.outdated new phx.new ecto.migrate ecto.create ecto.reset clean local.hex local.rebar xref",
      ),
    },
  },
  rebar3: {
    does: "builds or tests",
    subcommands: {
      ...all("heavy", "compile eunit ct dialyzer proper xref"),
      shell: "waits",
      ...all("light", "deps tree help new clean upgrade version update fmt"),
    },
  },
  gleam: {
    does: "builds or tests",
    subcommands: {
      ...all("heavy", "build test check"),
      ...all("light", "add format new deps docs clean remove update hex"),
      ...all("waits", "lsp shell"),
      run: "unknown",
    },
  },
  stack: {
    does: "builds or tests",
    inspects: ["--dry-run"],
    waits: ["--file-watch", "--file-watch-poll"],
    subcommands: {
      ...all("heavy", "build test bench haddock"),
      ...all("waits", "ghci repl"),
      ...all("light", "setup new path ls update upgrade init clean unpack list config exec run"),
    },
  },
  cabal: {
    does: "builds or tests",
    inspects: ["--dry-run"],
    subcommands: {
      ...all("heavy", "build test bench v2-build v2-test haddock"),
      ...all("waits", "repl"),
      ...all("light", "update install list info init freeze clean configure path gen-bounds outdated run exec check"),
    },
  },
  dune: {
    does: "builds or tests",
    waits: ["-w"],
    subcommands: {
      ...all("heavy", "build runtest test"),
      ...all("waits", "utop ocaml-merlin"),
      ...all("light", "clean fmt init describe promote subst install help pkg exec"),
    },
    bare: "unknown",
  },
  flutter: {
    does: "builds or tests",
    inspects: [],
    subcommands: {
      ...all("heavy", "build test analyze"),
      ...all("waits", "run attach logs drive"),
      ...all("light", "pub doctor devices clean create upgrade config channel emulators install precache gen-l10n"),
    },
  },
  dart: {
    does: "builds or tests",
    subcommands: {
      ...all("heavy", "test analyze compile"),
      ...all("light", "pub format fix create doc info devtools"),
      run: "unknown",
    },
  },
  crystal: {
    does: "builds or tests",
    inspects: ["--dry-run"],
    subcommands: {
      ...all("heavy", "build spec"),
      ...all("light", "tool docs env init version help"),
      ...all("waits", "play i"),
    },
  },
  bats: { does: "tests", inspects: ["-c", "--count", "-v"] },
  prove: { does: "tests", inspects: ["-D", "--dry", "-H", "--man"], bare: "heavy" },
  "nix-build": { does: "builds", inspects: ["--dry-run"], bare: "heavy" },
  rush: {
    does: "builds",
    subcommands: {
      ...all("heavy", "build rebuild test"),
      ...all("light", "install update add change check version publish purge list scan link unlink init deploy"),
    },
  },
};

/** Aliases of tools by other names. */
const ALIASES: Readonly<Record<string, string>> = { "pytest-3": "pytest" };

/** What a tool of the tables does with `args`; unknown when it is in none. */
export function tool(given: Parameters<Recogniser>[0], name: string): Finding {
  // rustup's choice of a toolchain, `cargo +nightly test`.
  const args = name === "cargo" && (given[0] ?? "").startsWith("+") ? given.slice(1) : given;
  const row = Object.hasOwn(TOOLS, name) ? TOOLS[name] : TOOLS[ALIASES[name] ?? ""];
  if (row === undefined) return UNKNOWN;
  if (
    hasOption(args, INSPECTS) ||
    (row.verboseV !== true && hasOption(args, ["-V"])) ||
    hasOptionAnywhere(args, row.inspects ?? [])
  )
    return light(`${name} only shows something with these options`);
  if (hasOptionAnywhere(args, WAITS) || hasOption(args, row.waits ?? []))
    return waits(`${name} goes on until it is stopped with these options`);
  const at = firstOperand(args, row.values);
  const operand = at < 0 ? undefined : args[at];
  if (operand === null) return row.subcommands === undefined ? byKind(row.other ?? "heavy", name, row) : UNKNOWN;
  const other = row.other ?? (row.subcommands === undefined ? "heavy" : "unknown");
  if (operand === undefined) return byKind(row.bare ?? other, name, row);
  const kind =
    row.subcommands !== undefined && Object.hasOwn(row.subcommands, operand) ? row.subcommands[operand] : other;
  return byKind(kind ?? other, `${name} ${row.subcommands === undefined ? "" : operand}`.trim(), row);
}

function byKind(kind: Kind, what: string, row: Tool): Finding {
  switch (kind) {
    case "heavy":
      return heavy(`${what} ${row.does}`);
    case "waits":
      return waits(`${what} goes on until it is stopped`);
    case "light":
      return light(`${what} is no build, test, lint or type check`);
    case "unknown":
      return UNKNOWN;
    default:
      return kind satisfies never;
  }
}
