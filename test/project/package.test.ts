/** What is published: everything that a user's copy needs, nothing else, and small. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..");

/** What may be in the package: bundled modules, types, the programs in other languages, papers. */
const EXPECTED = [
  /^dist\/([a-z-]+\/)*[a-z0-9-]+\.(js|d\.ts)$/,
  /^dist\/parts\/[\w-]+\.js$/,
  /^libexec\/[a-z-]+\.(sh|pl|sb)$/,
  /^schema\/[a-z.-]+\.json$/,
  /^man\/proctor\.1$/,
  /^(package\.json|README\.md|LICENSE|CHANGELOG\.md|SECURITY\.md)$/,
];

interface Packed {
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

interface Manifest {
  readonly bin: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Manifest;

/** The relative paths that a module or a declaration imports. */
function importsOf(path: string): string[] {
  const text = readFileSync(join(ROOT, path), "utf8");
  const found = text.matchAll(/(?:\bfrom ?|\bimport ?\(?)["'`](\.[^"'`$]+)["'`]/g);
  return [...found].map((match) => join(dirname(path), match[1] ?? ""));
}

function pack(): Packed {
  const text = execFileSync("npm", ["pack", "--dry-run", "--json", "--ignore-scripts"], {
    cwd: ROOT,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
  });
  const packed = (JSON.parse(text) as readonly Packed[])[0];
  if (packed === undefined) throw new Error("npm pack told nothing");
  return packed;
}

describe("the package", () => {
  const packed = pack();
  const paths = packed.files.map((file) => file.path);

  it("unpacks to less than one megabyte", () => {
    expect(packed.unpackedSize).toBeLessThan(1_000_000);
  });

  it("holds no stray file", () => {
    expect(paths.filter((path) => !EXPECTED.some((pattern) => pattern.test(path)))).toEqual([]);
  });

  it("holds every module and every declaration that one of its own imports", () => {
    const modules = paths.filter((path) => path.startsWith("dist/") && path.endsWith(".js"));
    expect(modules.flatMap(importsOf).length).toBeGreaterThan(modules.length);
    expect(modules.flatMap(importsOf).filter((path) => !paths.includes(path))).toEqual([]);
    const types = new Set(exportedTypes());
    for (const path of types) {
      expect(paths).toContain(path);
      for (const target of importsOf(path)) types.add(target.replace(/\.(ts|js)$/, ".d.ts"));
    }
    expect(types.size).toBeGreaterThan(20);
  });

  // Paths to libexec and package.json are counted from there.
  it("has whatever asks for its own place one level below dist", () => {
    const asking = paths.filter(
      (path) => path.endsWith(".js") && readFileSync(join(ROOT, path), "utf8").includes("import.meta.url"),
    );
    expect(asking.length).toBeGreaterThan(0);
    expect(asking.filter((path) => path.split("/").length !== 3)).toEqual([]);
  });

  it("holds nothing that was built from a source that is gone", () => {
    const built = paths.filter((path) => /^dist\/(?!parts\/).*\.(js|d\.ts)$/.test(path));
    const source = (path: string): string =>
      join(ROOT, path.replace(/^dist\//, "src/").replace(/(\.d\.ts|\.js)$/, ".ts"));
    expect(built.filter((path) => !existsSync(source(path)))).toEqual([]);
  });

  function exportedTypes(): string[] {
    return Object.values(manifest.exports).flatMap((entry) =>
      typeof entry === "string" || entry["types"] === undefined ? [] : [entry["types"].replace(/^\.\//, "")],
    );
  }

  it("holds every file that its exports and its programs name", () => {
    const targets = Object.values(manifest.exports).flatMap((entry) =>
      typeof entry === "string" ? [entry] : Object.values(entry),
    );
    const named = [...targets, ...Object.values(manifest.bin)].map((path) => path.replace(/^\.\//, ""));
    expect(named.filter((path) => !paths.includes(path))).toEqual([]);
  });

  it("has programs that a shell can start, also when they were built anew behind a link", () => {
    for (const path of Object.values(manifest.bin)) expect(statSync(join(ROOT, path)).mode & 0o111, path).toBe(0o111);
  });

  it("holds the programs that the built modules start", () => {
    expect(paths).toEqual(
      expect.arrayContaining(["libexec/launcher.pl", "libexec/guardian.sh", "dist/session/host-main.js"]),
    );
  });

  it("tells of every export and every command in its changelog", () => {
    const text = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8");
    const exported = Object.keys(manifest.exports).filter((name) => name !== "." && !name.endsWith(".json"));
    const help = execFileSync(process.execPath, [join(ROOT, "dist", "cli", "main.js"), "help"], { encoding: "utf8" });
    const commands = [...help.matchAll(/^ {2}([a-z][a-z-]+(?: end)?) {2,}\S/gm)].map((match) => match[1] ?? "");
    expect(commands.length).toBeGreaterThan(15);
    const words = [...exported.map((name) => `proctor${name.slice(1)}`), ...commands];
    expect(words.filter((word) => !new RegExp(`\`(proctor )?${word}\\b`).test(text))).toEqual([]);
  });

  it("imports nothing that it does not depend on", () => {
    const imported = new Set<string>();
    for (const path of paths.filter((p) => p.endsWith(".js"))) {
      const text = readFileSync(join(ROOT, path), "utf8");
      for (const match of text.matchAll(/(?:\bfrom ?|\bimport ?\(?)["'`]([a-z@][\w@/.:-]*)["'`]/g)) {
        const specifier = match[1] ?? ".";
        if (!specifier.startsWith(".")) imported.add(/^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier);
      }
    }
    expect(imported.size).toBeGreaterThan(0);
    const foreign = [...imported].filter((name) => !name.startsWith("node:") && name !== "proctor");
    const named = { ...manifest.dependencies, ...manifest.peerDependencies };
    expect(foreign.filter((name) => !(name in named))).toEqual([]);
  });
});
