// Puts the modules of the programs and of the library's entries into as few files as each needs at its start:
// Node's loader takes half a millisecond for every file, and the command line is started thousands of times a
// day. What several of them use is there once. Packages stay outside; what is imported on demand stays a file of
// its own. Names of functions and classes are kept, for stack traces; white space, comments and other names are
// not: the sources have them.
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The modules between a command and its session's host; none of them loads anything large. */
const REACH =
  /src\/(model\/|protocol\/(hello|peer)|os\/(private-files|process-table|path-search)|session\/(access|session-dir|session-client|host-start|host-lock|identity-link|janitor|host-environment|guardian)|cli\/(session-access|standard-output|failure|one-line|sweep|dispatch|command-table|[a-z-]*-specs?|command-spec|execution-options|shared-options|parse-arguments|suggestion|run-table|terminal-paint)\.ts|cli\/commands\/list\.ts)/;

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
const { output } = await bundle.write({
  dir: `${root}dist`,
  format: "esm",
  entryFileNames: "[name].js",
  chunkFileNames: `${PARTS}/[name]-[hash].js`,
  minify: { compress: false, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
  // What every command that reaches a session needs comes in one file instead of a dozen.
  codeSplitting: { groups: [{ name: "reach", test: REACH }] },
});
await bundle.close();

// The loader makes a module of every built-in that is imported, with all of its names, which loads what nobody asked
// for, such as the streams of node:fs; asked for as an object it costs half. What starts processes costs two
// milliseconds, and most calls start none: it is asked for when it is called.
const BUILT_IN = /import\s*\{([^}]*)\}\s*from\s*"(node:[a-z_/]+)";/g;
function builtIn(_, list, from) {
  const names = list.split(",").map((one) => one.trim().split(/\s+as\s+/));
  const module = `process.getBuiltinModule("${from}")`;
  if (from !== "node:child_process") return `const{${names.map((pair) => pair.join(":")).join(",")}}=${module};`;
  return `const ${names.map(([name, local = name]) => `${local}=(...given)=>${module}.${name}(...given)`).join(",")};`;
}

// A module that is imported on demand and lies in a part together with others is reached through a file that only
// passes its names on: each costs a call a millisecond. Who imports it takes the part itself.
const PASSES_ON = /^import\s*\{([^}]*)\}\s*from\s*"\.\/([^"]+)";\s*export\s*\{([^}]*)\};?\s*$/;
const passed = new Map();
for (const { fileName, code } of output) {
  const [, imported, part, exported] = PASSES_ON.exec(code) ?? [];
  if (imported === undefined || !fileName.startsWith(`${PARTS}/`)) continue;
  const pairs = (list) => list.split(",").map((one) => one.trim().split(/\s+as\s+/));
  const inPart = new Map(pairs(imported).map(([name, local = name]) => [local, name]));
  const names = pairs(exported).map(([local, name = local]) => `${name}:part.${inPart.get(local)}`);
  passed.set(fileName.slice(PARTS.length + 1), { part, names: names.join(",") });
}
function direct(whole, to, file) {
  const target = passed.get(file);
  return target === undefined ? whole : `import(\`${to}${target.part}\`).then(part=>({${target.names}}))`;
}

for (const { type, fileName, code } of output) {
  if (type !== "chunk") continue;
  if (passed.has(fileName.slice(PARTS.length + 1))) {
    rmSync(`${root}dist/${fileName}`);
    continue;
  }
  const straight = code.replace(/import\(`((?:\.\.?\/)+(?:parts\/)?)([\w-]+\.js)`\)/g, direct);
  writeFileSync(`${root}dist/${fileName}`, straight.replace(BUILT_IN, builtIn));
}
chmodSync(`${root}dist/cli/main.js`, 0o755);
