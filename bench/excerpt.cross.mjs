// Leave one family out: scores each family of the corpus without any recogniser whose layout occurs in its logs, and
// all of it with no recogniser at all. What is left are the general rules, as on a tool that nobody thought of.
// Needs `npm run build`; prints recall and true o200k tokens.
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";
import { encode } from "gpt-tokenizer/encoding/o200k_base";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const { RECOGNISERS } = await import("../dist/excerpt/recognisers/index.js");
const plain = (text) =>
  text.replace(/\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)/g, "").replace(/[\s\u00a0\b]+/g, " ");
const logs = ["shared", "own"].flatMap((set) =>
  readdirSync(join(root, "test/corpus", set)).map((id) => {
    const dir = join(root, "test/corpus", set, id);
    const meta = JSON.parse(readFileSync(join(dir, "meta.json"), "utf8"));
    const path = join(dir, "log.txt");
    const { exit, command, family, needles } = meta;
    return {
      id,
      exit,
      command,
      family,
      needles,
      set,
      bytes: existsSync(path) ? readFileSync(path) : gunzipSync(readFileSync(`${path}.gz`)),
    };
  }),
);

const dir = mkdtempSync(join(tmpdir(), "proctor-cross-"));
// Not by the door, which is bundled with the table of recognisers in it.
async function modulesOf(dist) {
  const [made, limits] = await Promise.all(
    ["excerpt/excerpt.js", "excerpt/types.js"].map((file) => import(pathToFileURL(join(dist, file)).href)),
  );
  return { ...made, ...limits };
}
let copies = 0;
async function without(names) {
  const at = join(dir, String(copies++));
  cpSync(join(root, "dist"), at, { recursive: true });
  const table = join(at, "excerpt/recognisers/index.js");
  writeFileSync(
    table,
    `${readFileSync(table, "utf8").replace("export const RECOGNISERS = ", "const ALL = ")}\nexport const RECOGNISERS = ALL.filter((r) => !${JSON.stringify(names)}.includes(r.name));\n`,
  );
  return modulesOf(at);
}
symlinkSync(join(root, "node_modules"), join(dir, "node_modules"));

function scored(module, log) {
  const limits = log.exit === 0 ? module.SUCCESS_LIMITS : module.FAILURE_LIMITS;
  const { text } = module.excerptOfBytes(log.bytes, {
    exitCode: log.exit,
    command: log.command,
    limits,
    headRatio: 0.2,
  });
  const seen = plain(text);
  const primary = log.needles.filter((needle) => needle.kind === "primary");
  const found = primary.filter((needle) =>
    [needle.text, ...(needle.alts ?? [])].some((alt) =>
      (Array.isArray(alt) ? alt : [alt]).every((part) => seen.includes(plain(part).trim())),
    ),
  );
  return {
    failed: log.exit !== 0,
    recall: found.length / primary.length,
    tokens: encode(text, { disallowedSpecial: new Set() }).length,
  };
}

function print(label, rows) {
  for (const failed of [true, false]) {
    const of = rows.filter((row) => row.failed === failed);
    const mean = (key) => of.reduce((sum, row) => sum + row[key], 0) / of.length;
    console.log(
      `${label}, ${failed ? "failed" : "succeeded"}: ${of.length} logs, recall ${(100 * mean("recall")).toFixed(1)} %, ${mean("tokens").toFixed(0)} tokens`,
    );
  }
}

try {
  for (const set of ["shared", "own"]) {
    const of = logs.filter((log) => log.set === set);
    const whole = await modulesOf(join(root, "dist"));
    print(
      `${set}, all recognisers`,
      of.map((log) => scored(whole, log)),
    );
    const crossed = [];
    for (const family of new Set(of.map((log) => log.family))) {
      const inFamily = of.filter((log) => log.family === family);
      const rows = inFamily.flatMap((log) => plain0(log).split("\n"));
      const names = RECOGNISERS.filter((r) => r.opens !== undefined && rows.some((row) => r.opens.test(row))).map(
        (r) => r.name,
      );
      const module = await without(names);
      for (const log of inFamily) {
        const one = scored(module, log);
        if (one.recall < 1) console.log(`  ${set}/${log.id}: ${(100 * one.recall).toFixed(0)} %`);
        crossed.push(one);
      }
    }
    print(`${set}, its own layouts left out`, crossed);
    const general = await without(RECOGNISERS.map((r) => r.name));
    print(
      `${set}, no recogniser at all`,
      of.map((log) => scored(general, log)),
    );
  }
} finally {
  rmSync(dir, { recursive: true, force: true });
}

function plain0(log) {
  return log.bytes
    .toString("utf8")
    .replace(/\x1b\[[0-?]*[ -/]*[@-~]/g, "")
    .replace(/\r+\n/g, "\n")
    .replace(/\r/g, "\n")
    .slice(0, 2_000_000);
}
