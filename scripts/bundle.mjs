// Puts the modules of the programs and of the library's entries into as few files as each needs at its start:
// Node's loader takes half a millisecond for every file, and the command line is started thousands of times a
// day. What several of them use is there once. Packages stay outside; what is imported on demand stays a file of
// its own. Names of functions and classes are kept, for stack traces; white space, comments and other names are
// not: the sources have them.
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The modules between a command and its session's host; none of them loads anything large. */
const REACH =
  /src\/(model\/|protocol\/(hello|peer)|os\/(private-files|process-table|path-search)|session\/(access|session-dir|session-client|host-start|host-lock|identity-link|janitor|host-environment|guardian)|cli\/(session-access|standard-output|failure|one-line|sweep|dispatch|command-table|[a-z-]*-specs?|command-spec|execution-options|shared-options|parse-arguments|suggestion)\.ts)/;

/** Programs that are started by their path. */
const PROGRAMS = ["cli/main", "cli/sweep-main", "session/host-main"];
/** What the package exports, by the same names. */
const { exports } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
const entries = Object.values(exports).flatMap((entry) => /^\.\/dist\/(.+)\.js$/.exec(entry.default ?? "")?.[1] ?? []);

// One level below dist, as the modules are: their paths to libexec and to each other stay true.
const PARTS = "parts";
rmSync(`${root}dist/${PARTS}`, { recursive: true, force: true });

const bundle = await rolldown({
  input: Object.fromEntries([...PROGRAMS, ...entries].map((name) => [name, `${root}src/${name}.ts`])),
  platform: "node",
  external: /^[^./\0]|^node:/,
  treeshake: { moduleSideEffects: false },
  logLevel: "warn",
});
await bundle.write({
  dir: `${root}dist`,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: `${PARTS}/[name]-[hash].js`,
  minify: { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
  // What every command that reaches a session needs comes in one file instead of a dozen.
  codeSplitting: { groups: [{ name: "reach", test: REACH }] },
});
await bundle.close();
chmodSync(`${root}dist/cli/main.js`, 0o755);
