// Writes docs/api.md from the declarations that the compiler made of what package.json exports: every name with
// its doc comment and its type. Run it after an exported type changed: npm run api. With --check it only tells
// whether the page is the one that the declarations make.
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseAst } from "rolldown/parseAst";

const root = fileURLToPath(new URL("..", import.meta.url));
const { exports } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const modules = new Map();

/** A module's declarations by name, and what it exports from where. */
function moduleAt(path) {
  const known = modules.get(path);
  if (known !== undefined) return known;
  const text = readFileSync(path, "utf8");
  const module = { path, text, local: new Map(), named: new Map(), stars: [], imports: new Map() };
  modules.set(path, module);
  for (const node of parseAst(text, { lang: "dts" }).body) {
    const from = node.source === null || node.source === undefined ? null : targetOf(path, node.source.value);
    if (node.type === "ImportDeclaration")
      for (const { local, imported } of node.specifiers)
        module.imports.set(local.name, { from, name: imported?.name ?? "default" });
    else if (node.type === "ExportAllDeclaration") module.stars.push({ from, isType: node.exportKind === "type" });
    else if (node.type === "ExportNamedDeclaration" && node.declaration === null)
      for (const { local, exported } of node.specifiers) module.named.set(exported.name, { from, name: local.name });
    else {
      const declaration = node.type === "ExportNamedDeclaration" ? node.declaration : node;
      for (const name of namesOf(declaration)) {
        module.local.set(name, { start: node.start, end: node.end });
        if (declaration !== node) module.named.set(name, { from: null, name });
      }
    }
  }
  return module;
}

function namesOf(declaration) {
  if (declaration.type === "VariableDeclaration") return declaration.declarations.map(({ id }) => id.name);
  return declaration.id === undefined || declaration.id === null ? [] : [declaration.id.name];
}

/** The declaration file that an import leads to; null for another package's. */
function targetOf(path, specifier) {
  if (!specifier.startsWith(".")) return null;
  const target = resolve(dirname(path), specifier).replace(/\.(ts|js)$/, ".d.ts");
  return existsSync(target) ? target : null;
}

/** Everything that a module exports: names, and where each is declared. */
function exportsOf(path) {
  const module = moduleAt(path);
  const found = new Map();
  for (const { from, isType } of module.stars) {
    if (from === null) continue;
    for (const [name, place] of exportsOf(from)) if (!isType || isTypeAt(place)) found.set(name, place);
  }
  for (const [exported, { from, name }] of module.named) {
    const place = from === null ? declared(module, name) : exportsOf(from).get(name);
    if (place !== undefined) found.set(exported, place);
  }
  return found;
}

/** Whether a declaration is of a type: of a function or a constant, `export type *` gives nothing to call. */
function isTypeAt({ module, start, end }) {
  return /^(export )?(declare )?(abstract )?(interface|type|class)\b/.test(module.text.slice(start, end));
}

function declared(module, name) {
  const place = module.local.get(name);
  if (place !== undefined) return { module, name, ...place };
  const imported = module.imports.get(name);
  return imported === undefined || imported.from === null ? undefined : exportsOf(imported.from).get(imported.name);
}

/** The doc comment right above a place, as text. */
function commentAbove(text, start) {
  const match = /\/\*\*((?:(?!\*\/)[^])*)\*\/\s*$/.exec(text.slice(0, start));
  return (match?.[1] ?? "")
    .split("\n")
    .map((line) => line.replace(/^\s*\* ?/, "").trimEnd())
    .join("\n")
    .trim();
}

/** Tags as sentences: what a reader of a page needs to know of them. */
function prose(comment) {
  return comment
    .replace(/^@param (\w+) /gm, "\n`$1`: ")
    .replace(/^@returns /gm, "\nReturns ")
    .replace(/^@throws /gm, "\nThrows ")
    .replace(/^@example\s*$/gm, "")
    .replace(/(?<![`\w])<(?=\w)/g, "\\<");
}

function section(name, { module, start, end }) {
  const source = module.text
    .slice(start, end)
    .replace(/^export (declare )?/, "")
    .replaceAll("    ", "  ");
  const comment = prose(commentAbove(module.text, start));
  return [`### ${name}`, "", ...(comment === "" ? [] : [comment, ""]), "```ts", source, "```", ""].join("\n");
}

const parts = [
  "# API reference",
  "",
  "Made from the declarations (`npm run api`): everything that the package exports, with the types that it names. How to use it: [embed](embed.md), [agent runs](agent-runs.md).",
  "",
];
const shown = new Map();
for (const [key, entry] of Object.entries(exports)) {
  if (entry.types === undefined) continue;
  const specifier = `proctor${key.slice(1)}`;
  const found = [...exportsOf(join(root, entry.types))].toSorted(([a], [b]) =>
    a.toLowerCase() < b.toLowerCase() ? -1 : 1,
  );
  parts.push(`## ${specifier}`, "");
  const again = [];
  for (const [name, place] of found) {
    const id = `${place.module.path}:${place.start}`;
    if (shown.has(id)) again.push(`\`${name}\` ([${shown.get(id)}](#${name.toLowerCase()}))`);
    else {
      shown.set(id, specifier);
      parts.push(section(name, place));
    }
  }
  if (again.length > 0) parts.push(`Also: ${again.join(", ")}.`, "");
}

const page = `${parts.join("\n").trimEnd()}\n`;
const target = join(root, "docs", "api.md");
if (!process.argv.includes("--check")) writeFileSync(target, page);
else if (!existsSync(target) || readFileSync(target, "utf8") !== page) {
  console.error("docs/api.md is not the one that the declarations make: npm run api");
  process.exitCode = 1;
}
