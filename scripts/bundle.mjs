// Puts the modules of each program into as few files as it needs at its start: Node's loader takes half a
// millisecond for every file, and the command line is started thousands of times a day. Packages stay
// outside; what is imported on demand stays a file of its own. The library is not bundled.
import { chmodSync, readdirSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The modules between a command and its session's host; none of them loads anything large. */
const REACH =
  /src\/(model\/|protocol\/(hello|peer)|os\/(private-files|process-table|path-search)|session\/(access|session-dir|session-client|host-start|host-lock|identity-link|janitor|host-environment|guardian)|cli\/(session-access|standard-output|failure|one-line|sweep|dispatch|command-table|[a-z-]*-specs?|command-spec|shared-options|parse-arguments|suggestion)\.ts)/;

// Chunks of a former build would only make the package larger.
for (const folder of ["cli", "session"]) {
  for (const name of readdirSync(`${root}dist/${folder}`))
    if (name.startsWith("chunk-")) rmSync(`${root}dist/${folder}/${name}`);
}

for (const [folder, entry] of [
  ["cli", "main"],
  ["session", "host-main"],
]) {
  const bundle = await rolldown({
    input: { [entry]: `${root}src/${folder}/${entry}.ts` },
    platform: "node",
    external: /^[^./\0]|^node:/,
    treeshake: { moduleSideEffects: false },
    logLevel: "warn",
  });
  await bundle.write({
    // One level below dist, as the modules are: their paths to libexec and to each other stay true.
    dir: `${root}dist/${folder}`,
    format: "esm",
    entryFileNames: "[name].js",
    chunkFileNames: "chunk-[name]-[hash].js",
    // What every command that reaches a session needs comes in one file instead of a dozen.
    codeSplitting: { groups: [{ name: "reach", test: REACH }] },
  });
  await bundle.close();
}
chmodSync(`${root}dist/cli/main.js`, 0o755);
