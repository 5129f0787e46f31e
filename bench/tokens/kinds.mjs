// Kinds of text for training and judging the token estimator. Each kind gives text for one of two
// sets, "train" or "held": real files are divided by a hash of their path, made text by its seed, so
// that no file and no random draw is in both. Sources that a machine lacks give less text, or none.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";

const root = new URL("../..", import.meta.url).pathname;
/** Characters of each kind and set. */
const SIZE = 160_000;
const PER_FILE = 24_000;

/** A small seeded generator (mulberry32), so that the made kinds are the same each time. */
export function random(seed) {
  let a = seed >>> 0;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const isHeld = (path) =>
  createHash("sha1")
    .update(path.replace(/^.*node_modules\//, ""))
    .digest()[0] %
    3 ===
  0;

function* walk(dir, depth = 8) {
  let entries;
  try {
    entries = readdirSync(dir, { withFileTypes: true }).toSorted((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return;
  }
  for (const entry of entries) {
    const path = join(dir, entry.name);
    if (entry.isDirectory() && depth > 0) yield* walk(path, depth - 1);
    else if (entry.isFile()) yield path;
  }
}

function read(path) {
  const bytes = readFileSync(path);
  return (path.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
}

/** Text of files under `dirs` whose path matches, an equal share of each, the middle of long ones. */
function files(dirs, pattern, { turn = (text) => text, skip = 1 } = {}) {
  return (set) => {
    const parts = [];
    let size = 0;
    let index = 0;
    for (const dir of dirs) {
      for (const path of walk(dir)) {
        if (!pattern.test(path) || isHeld(path) !== (set === "held") || index++ % skip !== 0) continue;
        if (statSync(path).size > 8_000_000) continue;
        const text = turn(read(path));
        const from = Math.max(0, Math.floor((text.length - PER_FILE) / 2));
        parts.push(text.slice(from, from + PER_FILE));
        size += Math.min(text.length, PER_FILE);
        if (size >= SIZE) return parts.join("\n");
      }
    }
    return parts.join("\n");
  };
}

/** The prose of a manual page: macros and font changes out. */
const proseOfMan = (text) =>
  text
    .split("\n")
    .filter((line) => !/^[.']/.test(line))
    .map((line) => line.replace(/\\f.|\\&|\\\(\w\w|\\-/g, ""))
    .join("\n");

/** The translations of a compiled message catalogue (GNU gettext's .mo). */
function messages(path) {
  const bytes = readFileSync(path);
  if (bytes.length < 28 || bytes.readUInt32LE(0) !== 0x950412de) return [];
  const count = bytes.readUInt32LE(8);
  const table = bytes.readUInt32LE(16);
  const out = [];
  for (let i = 1; i < count; i += 1) {
    const length = bytes.readUInt32LE(table + 8 * i);
    const at = bytes.readUInt32LE(table + 8 * i + 4);
    out.push(bytes.toString("utf8", at, at + length).replace(/\0/g, "\n"));
  }
  return out;
}

/** Languages of which there is little else. */
const RARE = new Set(["am", "my", "km", "lo", "dz", "si", "hy", "mn", "tg", "kk", "or", "as"]);

/** A language: manual pages, message catalogues, the compiler's and the validator's translated messages. */
function language(code, { ts = null, readme = null, min = RARE.has(code) ? 0 : 40 } = {}) {
  return (set) => {
    const parts = [files([`/usr/share/man/${code}`], /\.gz$/, { turn: proseOfMan })(set)];
    const folder = `/usr/share/locale/${code}/LC_MESSAGES`;
    for (const path of existsSync(folder) ? [...walk(folder)] : []) {
      // Catalogues of names of languages, places and keyboards are lists of rare words, not prose.
      if (/\/(?:iso_|xkeyboard|shared-mime)/.test(path) && !RARE.has(code)) continue;
      if (isHeld(path) === (set === "held"))
        parts.push(
          messages(path)
            .filter((m) => m.length > min)
            .join("\n")
            .slice(0, PER_FILE),
        );
    }
    if (ts !== null) {
      for (const path of walk(join(root, "node_modules/@arethetypeswrong/core/node_modules/typescript/lib", ts), 0)) {
        const texts = Object.values(JSON.parse(read(path)));
        parts.push(
          texts
            .filter((_, i) => (Math.floor(i / 40) % 3 === 0) === (set === "held"))
            .join("\n")
            .slice(0, PER_FILE),
        );
      }
    }
    if (readme !== null && set === "held") {
      const path = join(root, `node_modules/@biomejs/biome/README.${String(readme)}.md`);
      if (existsSync(path)) parts.unshift(read(path));
    }
    const text = parts.join("\n");
    return text.length <= SIZE
      ? text
      : parts.map((part) => part.slice(0, Math.ceil((part.length * SIZE) / text.length))).join("\n");
  };
}

/** Marks a kind whose text is the same on every machine with the same dependencies. */
const portable = (source) => Object.assign(source, { portable: true });

const pick = (rng, list) => list[Math.floor(rng() * list.length)];
const letters = (rng, alphabet, length) => {
  let text = "";
  for (let i = 0; i < length; i += 1) text += alphabet[Math.floor(rng() * alphabet.length)];
  return text;
};
const HEX = "0123456789abcdef";
const LOWER = "abcdefghijklmnopqrstuvwxyz";
const B64 = `${LOWER.toUpperCase()}${LOWER}0123456789+/`;

/** Made text: `line(rng, i)` until there is enough. */
function made(seed, line, size = SIZE / 3) {
  return portable((set) => {
    const rng = random(seed + (set === "held" ? 7919 : 0));
    let text = "";
    for (let i = 0; text.length < size; i += 1) text += line(rng, i);
    return text;
  });
}

/** The output of a real command, its lines divided in blocks. */
function output(command, args, options = {}) {
  return (set) => {
    let text = "";
    try {
      text = execFileSync(command, args, {
        encoding: "utf8",
        maxBuffer: 1 << 26,
        stdio: ["ignore", "pipe", "ignore"],
        cwd: root,
        ...options,
      });
    } catch (error) {
      text = String(error.stdout ?? "");
    }
    const lines = text.split("\n");
    return lines
      .filter((_, i) => (Math.floor(i / 200) % 3 === 0) === (set === "held"))
      .join("\n")
      .slice(0, SIZE);
  };
}

const nm = join(root, "node_modules");
const rustup = join(process.env.RUSTUP_HOME ?? join(homedir(), ".rustup"), "toolchains");
const logs = process.env.TOKEN_LOGS ?? join(root, "test/corpus/shared");
const log = (pattern, turn) =>
  files([logs], new RegExp(`(?:${pattern})[^/]*/log\\.txt(?:\\.gz)?$`), turn === undefined ? {} : { turn });
/** One log for both sets, where there are too few: its thirds. */
const shared = (pattern) => (set) => {
  const text = [...walk(logs)]
    .filter((p) => new RegExp(`(?:${pattern})[^/]*/log\\.txt`).test(p))
    .map(read)
    .join("\n");
  const lines = text.split("\n");
  return lines
    .filter((_, i) => (Math.floor(i / 60) % 3 === 0) === (set === "held"))
    .join("\n")
    .slice(0, SIZE);
};

const WORDS =
  "request served user session timeout retry connection refused cache miss worker started stopped queue drained payload size bytes written order invoice shipment failed passed warning deprecated module loaded config reload index rebuilt".split(
    " ",
  );
const EMOJI = Array.from(
  "😀😁😂🤣😃😄😅😆😉😊😋😎😍😘🥰😗😙🙂🤗🤩🤔🤨😐😑😶🙄😏😣😥😮🤐😯😪😫🥱😴😌😛😜😝🤤😒😓😔😕🙃🫠🤑😲🙁😖😞😟😤😢😭😦😧😨😩🤯😬😰😱🥵🥶😳🤪😵🥴😠😡🤬😷🤒🤕🤢🤮🤧😇🥳🥺🤠🤡🤥🤫🤭🧐🤓😈👿👹👺💀👻👽🤖💩😺👍👎👏🙌👐🤝🙏💪🦾👀🧠👶🧒👦👧🧑👨👩🧓👴👵🚀🚁🚂🚗🚕🚙🚌🚎🏎🚓🚑🚒🚐🚚🍏🍎🍐🍊🍋🍌🍉🍇🍓🍈🍒🍑🥭🍍🥥🥝⚽🏀🏈⚾🥎🎾🏐🎉🎊🎈🎁🏆🥇🔥✨⭐🌟💥💯✅❌❗❓⚠️ℹ️🔒🔓🔑🔨🛠️⚙️📦📁📂📝📌📎🐛🐞🐍🐳🦀🐹💡⏱️⏳🟢🟡🔴🔵⬆️⬇️➡️⬅️♻️🎨🚧💚👷📈🔧🌐✏️💄🚨",
);
const stamp = (rng) =>
  `2026-${String(1 + Math.floor(rng() * 12)).padStart(2, "0")}-${String(1 + Math.floor(rng() * 28)).padStart(2, "0")}T${String(Math.floor(rng() * 24)).padStart(2, "0")}:${String(Math.floor(rng() * 60)).padStart(2, "0")}:${String(Math.floor(rng() * 60)).padStart(2, "0")}.${String(Math.floor(rng() * 1000)).padStart(3, "0")}Z`;
const uuid = (rng) => [8, 4, 4, 4, 12].map((n) => letters(rng, HEX, n)).join("-");
const phrase = (rng, n) => Array.from({ length: n }, () => pick(rng, WORDS)).join(" ");
const sgr = (rng) =>
  `\u001b[${pick(
    rng,
    ["0", "1", "2", "22", "31", "32", "33", "36", "39", "90", "1;31", "38;5;208", "38;2;255;120;0", "48;5;16", "K"].map(
      (c) => (c === "K" ? c : `${c}m`),
    ),
  )}`;

/** The names of languages, countries and currencies in a language, from the runtime's own Unicode data. */
function names(code) {
  return portable((set) => {
    const out = [];
    const types = {
      language:
        "aa ab af am ar as az be bg bn br bs ca cs cy da de dz el en eo es et eu fa fi fr ga gl gu ha he hi hr hu hy id is it ja ka kk km kn ko ky lo lt lv mk ml mn mr ms my nb ne nl or pa pl ps pt ro ru sd si sk sl sq sr sv sw ta te tg th tr uk ur uz vi yo zh zu",
      region:
        "AD AE AF AR AT AU BE BG BR CA CH CL CN CO CZ DE DK EG ES ET FI FR GB GE GR HU ID IE IL IN IQ IR IT JP KE KR KZ LA LK MA MM MX MY NG NL NO NP NZ PE PK PL PT RO RS RU SA SE SG SY TH TR TW TZ UA US UY UZ VE VN YE ZA",
      currency: "USD EUR JPY CNY INR GBP RUB BRL ETB KES NGN ZAR TRY IRR ILS THB VND KRW",
    };
    for (const [type, codes] of Object.entries(types)) {
      const of = new Intl.DisplayNames([code], { type, fallback: "none" });
      codes.split(" ").forEach((c, i) => (i % 3 === 0) === (set === "held") && out.push(of.of(c) ?? ""));
    }
    for (const month of [0, 3, 7, 10])
      for (let day = set === "held" ? 1 : 3; day < 28; day += 5)
        out.push(new Intl.DateTimeFormat(code, { dateStyle: "full" }).format(new Date(2026, month, day)));
    const text = out.join(" ");
    return /[^\p{sc=Latin}\P{L}]/u.test(text) ? text.repeat(Math.ceil(5000 / (text.length + 1))) : "";
  });
}

/** Every kind, by name. */
export const KINDS = {
  "prose en": files(["/usr/share/man/man1", "/usr/share/man/man7", "/usr/share/man/man8"], /\.gz$/, {
    turn: proseOfMan,
    skip: 9,
  }),
  markdown: portable(files([nm], /\.md$/i, { skip: 5 })),
  de: language("de", { ts: "de" }),
  fr: language("fr", { ts: "fr", readme: "fr" }),
  es: language("es", { ts: "es" }),
  it: language("it", { ts: "it" }),
  pt: language("pt_BR", { ts: "pt-br", readme: "pt-BR" }),
  pl: language("pl", { ts: "pl", readme: "pl" }),
  cs: language("cs", { ts: "cs" }),
  tr: language("tr", { ts: "tr" }),
  vi: language("vi"),
  hu: language("hu"),
  fi: language("fi"),
  sv: language("sv"),
  ru: language("ru", { ts: "ru", readme: "ru" }),
  uk: language("uk", { readme: "uk" }),
  bg: language("bg"),
  el: language("el"),
  ar: language("ar"),
  fa: language("fa"),
  he: language("he"),
  hi: language("hi", { readme: "hi" }),
  bn: language("bn"),
  ta: language("ta"),
  te: language("te"),
  th: language("th"),
  ka: language("ka"),
  hy: language("hy"),
  am: language("am"),
  my: language("my"),
  km: language("km"),
  ...Object.fromEntries(
    [
      "si",
      "gu",
      "ml",
      "kn",
      "pa",
      "lo",
      "mr",
      "ne",
      "ur",
      "ug",
      "dz",
      "or",
      "as",
      "nl",
      "da",
      "nb",
      "ro",
      "sk",
      "hr",
      "lt",
      "lv",
      "et",
      "id",
      "eo",
      "az",
      "is",
      "ca",
      "eu",
      "ga",
      "kk",
      "sr",
      "mk",
      "be",
      "tg",
      "mn",
    ].map((code) => [code, language(code)]),
  ),
  "zh-CN": language("zh_CN", { ts: "zh-cn", readme: "zh-CN" }),
  "zh-TW": language("zh_TW", { ts: "zh-tw", readme: "zh-TW" }),
  ja: language("ja", { ts: "ja", readme: "ja" }),
  ko: language("ko", { ts: "ko", readme: "kr" }),
  ...Object.fromEntries(
    [
      "am",
      "ti",
      "chr",
      "my",
      "km",
      "lo",
      "si",
      "ii",
      "zgh",
      "vai",
      "sat",
      "mni",
      "ff-Adlm",
      "nqo",
      "sd",
      "ps",
      "ckb",
      "yi",
      "kok",
      "dz",
      "bo",
      "ml",
      "kn",
      "ka",
      "hy",
      "mn",
      "ky",
    ].map((code) => [`names ${code}`, names(code)]),
  ),
  typescript: portable(files([nm], /\.d\.ts$/, { skip: 40 })),
  "typescript source": files([join(nm, "zod/src"), join(root, "src"), join(root, "test"), nm], /(?<!\.d)\.tsx?$/, {
    skip: 4,
  }),
  javascript: portable(files([nm], /(?<!\.min)\.m?js$/, { skip: 60 })),
  python: files(["/usr/lib/python3.11"], /\.py$/, { skip: 12 }),
  rust: files([join(process.env.HOME ?? "/", ".rustup/toolchains")], /src\/.*\.rs\.html$/, {
    skip: 40,
    turn: (text) =>
      text
        .replace(/<[^>]*>/g, "")
        .replace(/&lt;/g, "<")
        .replace(/&gt;/g, ">")
        .replace(/&amp;/g, "&"),
  }),
  c: files(["/usr/include"], /\.h$/, { skip: 15 }),
  perl: files(["/usr/share/perl"], /\.p[ml]$/, { skip: 5 }),
  shell: files(
    ["/usr/bin", "/usr/share/bash-completion", "/etc"],
    /\/(?:bash-completion\/completions\/.*|init\.d\/.*|.*\.sh)$/,
    { skip: 3 },
  ),
  html: files([rustup], /std\/.*\.html$/, { skip: 200 }),
  css: files([rustup, nm, "/usr/share"], /\.css$/, { skip: 2 }),
  minified: files([join(nm, "vite"), nm, "/usr/share", "/usr/lib/python3"], /\.min\.js$|llama3-tokenizer|iife\.js$/, {
    skip: 1,
  }),
  "minified code": files([nm], /(?:tsgo|index\.umd|chunk-[^/]*)\.js$/, {
    turn: (text) => text.replace(/\n\s*/g, "").replace(/ *([=+{}();,:<>]) */g, "$1"),
  }),
  json: portable(files([nm], /package\.json$/, { skip: 3 })),
  "json dense": portable(
    files([nm], /package\.json$/, {
      skip: 3,
      turn: (text) => {
        try {
          return JSON.stringify(JSON.parse(text));
        } catch {
          return "";
        }
      },
    }),
  ),
  "lock file": portable((set) => {
    const text = read(join(root, "package-lock.json"));
    const half = Math.floor(text.length / 2);
    return set === "held" ? text.slice(half, half + SIZE) : text.slice(0, half).slice(0, SIZE);
  }),
  "yarn lock": made(101, (r) => {
    const n = phrase(r, 1);
    const v = `${Math.floor(r() * 9)}.${Math.floor(r() * 30)}.${Math.floor(r() * 12)}`;
    return `"@${pick(r, WORDS)}/${n}@^${v}":\n  version "${v}"\n  resolved "https://registry.yarnpkg.com/@x/${n}/-/${n}-${v}.tgz#${letters(r, HEX, 40)}"\n  integrity sha512-${letters(r, B64, 86)}==\n\n`;
  }),
  "source map": portable(files([nm], /\.map$/, { skip: 3 })),
  yaml: files([nm, "/usr/share"], /\.ya?ml$/, { skip: 2 }),
  base64: made(1, (r) => letters(r, B64, 4000)),
  "base64 wrapped": made(2, (r) => `${letters(r, B64, 76)}\n`),
  base64url: made(3, (r) => `${letters(r, B64.replace("+/", "-_"), 200)}.`),
  "base64 of text": (set) => Buffer.from(KINDS["prose en"](set).slice(0, 50_000)).toString("base64"),
  hex: made(4, (r) => letters(r, HEX, 4000)),
  "hex upper": made(5, (r) => `${letters(r, HEX.toUpperCase(), 64)}\n`),
  "sha256 list": made(
    6,
    (r) =>
      `${letters(r, HEX, 64)}  ${pick(r, ["dist", "src", "lib"])}/${pick(r, WORDS)}-${pick(r, WORDS)}.${pick(r, ["js", "ts", "map", "tar.gz"])}\n`,
  ),
  "git log": output("git", ["log", "--stat"], { cwd: root }),
  uuid: made(7, (r) => `${uuid(r)}\n`),
  hexdump: (set) =>
    output("hexdump", ["-C", "-n", "80000", "-s", set === "held" ? "200000" : "20000", process.execPath])(set),
  xxd: (set) => output("xxd", ["-l", "80000", "-s", set === "held" ? "900000" : "500000", process.execPath])(set),
  "hex bytes": made(8, (r) => `${Array.from({ length: 16 }, () => letters(r, HEX, 2)).join(" ")}\n`),
  "random letters": made(9, (r) => letters(r, LOWER, 4000)),
  "random words": made(10, (r) => `${letters(r, LOWER, 2 + Math.floor(r() * 9))} `),
  "random letters upper": made(11, (r) => `${letters(r, LOWER.toUpperCase(), 5 + Math.floor(r() * 60))} `),
  "random alphanumeric": made(12, (r) => letters(r, B64.slice(0, 62), 3000)),
  "random ascii": made(13, (r) => String.fromCharCode(32 + Math.floor(r() * 95))),
  replacement: made(14, (r) =>
    pick(r, ["\ufffd", "\ufffd\ufffd", "\ufffd\ufffd\ufffd", letters(r, LOWER, 1), "\u0001", "\u0010", "A"]),
  ),
  "control characters": made(15, (r) =>
    pick(r, ["\u0000", "\u0001", "\u0002", "\u0007", "\u001f", letters(r, LOWER, 2), "\u007f"]),
  ),
  "json log": made(
    16,
    (r) =>
      `${JSON.stringify({ level: pick(r, ["info", "warn", "error", "debug"]), time: stamp(r), pid: Math.floor(r() * 40000), hostname: `web-${Math.floor(r() * 20)}`, reqId: uuid(r), msg: phrase(r, 5), durationMs: Math.floor(r() * 9000) / 10, ok: r() < 0.5 })}\n`,
  ),
  "access log": made(
    17,
    (r) =>
      `${Math.floor(r() * 255)}.${Math.floor(r() * 255)}.${Math.floor(r() * 255)}.${Math.floor(r() * 255)} - - [30/Nov/2026:15:${10 + Math.floor(r() * 49)}:00 +0000] "${pick(r, ["GET", "POST"])} /${phrase(r, 2).replace(" ", "/")}?id=${Math.floor(r() * 1e6)} HTTP/1.1" ${pick(r, [200, 301, 404, 500])} ${Math.floor(r() * 90000)} "-" "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36"\n`,
  ),
  syslog: made(
    18,
    (r) =>
      `Nov 30 ${10 + Math.floor(r() * 13)}:${10 + Math.floor(r() * 49)}:${10 + Math.floor(r() * 49)} host${Math.floor(r() * 9)} ${pick(r, ["sshd", "kernel", "systemd", "cron"])}[${Math.floor(r() * 32768)}]: ${phrase(r, 7)}\n`,
  ),
  logfmt: made(
    19,
    (r) =>
      `ts=${stamp(r)} level=${pick(r, ["info", "warn"])} caller=${pick(r, WORDS)}.go:${Math.floor(r() * 900)} msg="${phrase(r, 4)}" ${pick(r, WORDS)}=${Math.floor(r() * 1e5)} id=${letters(r, HEX, 16)}\n`,
  ),
  "stack traces node": made(
    20,
    (r) =>
      `TypeError: Cannot read properties of undefined (reading '${pick(r, WORDS)}')\n${Array.from({ length: 8 }, () => `    at ${r() < 0.3 ? "async " : ""}${pick(r, ["Object", "Module", "Array", "Server", "process"])}.${pick(r, WORDS)}${pick(r, ["", "Internal", "Sync"])} (${pick(r, ["node:internal/modules/cjs/loader", "/home/dev/app/src/server/handler.ts", "file:///srv/app/dist/index.js", "/home/dev/app/node_modules/express/lib/router/layer.js"])}:${Math.floor(r() * 2000)}:${Math.floor(r() * 90)})\n`).join("")}`,
  ),
  "stack traces java": made(
    21,
    (r) =>
      `Exception in thread "main" java.lang.${pick(r, ["NullPointerException", "IllegalStateException", "RuntimeException"])}: ${phrase(r, 4)}\n${Array.from({ length: 9 }, () => `\tat ${pick(r, ["org.springframework.beans.factory.support", "com.acme.billing.core", "java.base/java.util.concurrent", "org.apache.catalina.core"])}.${pick(r, ["AbstractBeanFactory", "ThreadPoolExecutor", "InvoiceService", "StandardWrapperValve"])}.${pick(r, WORDS)}(${pick(r, ["AbstractBeanFactory", "InvoiceService"])}.java:${Math.floor(r() * 3000)})\n`).join("")}`,
  ),
  "stack traces python": made(
    22,
    (r) =>
      `Traceback (most recent call last):\n${Array.from({ length: 6 }, () => `  File "/usr/lib/python3.11/${pick(r, ["asyncio/base_events", "site-packages/django/core/handlers/base", "concurrent/futures/thread"])}.py", line ${Math.floor(r() * 2000)}, in ${pick(r, WORDS)}_${pick(r, WORDS)}\n    ${pick(r, WORDS)} = self._${pick(r, WORDS)}(${pick(r, WORDS)}, *args, **kwargs)\n`).join("")}ValueError: ${phrase(r, 5)}\n`,
  ),
  "logs of failures": log(
    "java|mocha|vitest|ansible|lerna|node-agg|rspec|jest|ava|py-ch|sh-|git|playwright|gxx|gdb|npm|lua",
  ),
  pytest: shared("pytest"),
  cargo: shared("cargo"),
  "go test json": shared("go-test"),
  "test runner": shared("node-test|jest|mocha|vitest"),
  mypy: shared("mypy"),
  eslint: shared("eslint"),
  tsc: shared("tsc-"),
  tar: shared("enospc-tar"),
  ctest: shared("ctest"),
  prove: shared("perl-prove"),
  nx: shared("nx-"),
  minitest: shared("minitest"),
  "git diff": output("git", ["-C", root, "log", "-p", "-n", "30", "--", "src", "docs", "test"]),
  "diff of packages": (set) =>
    output("diff", ["-ru", join(nm, set === "held" ? "zod/v4/core" : "zod/v4/classic"), join(nm, "zod/v4/mini")])(set),
  "ls -l": output("ls", ["-lR", "/usr/lib/python3.11"]),
  "ls -la": output("ls", ["-la", "/usr/bin"]),
  paths: output("find", [nm, "-name", "*.js"]),
  "paths of system": output("find", ["/usr/share", "/etc"]),
  "ps aux": made(
    23,
    (r) =>
      `root      ${String(Math.floor(r() * 99999)).padStart(6)}  ${(r() * 9).toFixed(1)}  ${(r() * 9).toFixed(1)} ${String(Math.floor(r() * 999999)).padStart(7)} ${String(Math.floor(r() * 99999)).padStart(6)} ?        Ssl  15:${10 + Math.floor(r() * 49)}   0:0${Math.floor(r() * 9)} /usr/lib/${pick(r, WORDS)}/${pick(r, WORDS)} --${pick(r, WORDS)}=${Math.floor(r() * 100)}\n`,
  ),
  numbers: made(24, (r) => `${(r() * 10 ** Math.floor(r() * 8)).toFixed(Math.floor(r() * 5))} `),
  "numbers long": made(25, (r) => letters(r, "0123456789", 500)),
  "numbers lines": made(26, (r, i) => `${i}\n`),
  csv: made(
    27,
    (r, i) =>
      `${i},${pick(r, WORDS)},${(r() * 1000).toFixed(2)},${stamp(r).slice(0, 10)},"${phrase(r, 2)}",${Math.floor(r() * 1e6)}\n`,
  ),
  table: made(
    28,
    (r) =>
      `| ${pick(r, WORDS).padEnd(14)} | ${String(Math.floor(r() * 1e5)).padStart(9)} | ${(r() * 100).toFixed(2).padStart(7)} | ${pick(r, WORDS).padEnd(20)} |\n`,
  ),
  "coverage table": made(
    29,
    (r) =>
      ` ${`${pick(r, WORDS)}-${pick(r, WORDS)}.ts`.padEnd(28)}|   ${(r() * 100).toFixed(2).padStart(5)} |    ${(r() * 100).toFixed(2).padStart(5)} |   ${(r() * 100).toFixed(2).padStart(5)} | ${Math.floor(r() * 90)}-${Math.floor(r() * 300)},${Math.floor(r() * 900)}\n`,
  ),
  "box table": made(30, (r, i) =>
    i % 4 === 0
      ? `├${"─".repeat(16)}┼${"─".repeat(11)}┼${"─".repeat(11)}┤\n`
      : `│ ${pick(r, WORDS).padEnd(14)} │ ${String(Math.floor(r() * 1e6)).padStart(9)} │ ${pick(r, WORDS).padEnd(9).slice(0, 9)} │\n`,
  ),
  "box drawing": made(31, (r) =>
    pick(r, [
      "─",
      "│",
      "┌",
      "┐",
      "└",
      "┘",
      "├",
      "┤",
      "┬",
      "┴",
      "┼",
      "═",
      "║",
      "╔",
      "╗",
      "╚",
      "╝",
      "╠",
      "╣",
      "━",
      "┃",
      "╭",
      "╮",
      "╰",
      "╯",
    ]).repeat(r() < 0.4 ? 1 + Math.floor(r() * 30) : 1),
  ),
  "box frames": made(32, (r) => {
    const w = 20 + Math.floor(r() * 80);
    return `╭${"─".repeat(w)}╮\n│${phrase(r, 2).padEnd(w)}│\n╰${"─".repeat(w)}╯\n`;
  }),
  tree: made(
    33,
    (r) =>
      `${"│   ".repeat(Math.floor(r() * 5))}${pick(r, ["├── ", "└── "])}${pick(r, WORDS)}-${pick(r, WORDS)}.${pick(r, ["ts", "js", "md"])}\n`,
  ),
  "block bars": made(
    34,
    (r) =>
      `${"█".repeat(Math.floor(r() * 40))}${pick(r, ["▏", "▎", "▍", "▌", "▋", "▊", "▉", ""])}${"░".repeat(Math.floor(r() * 30))} ${Math.floor(r() * 100)}%\r`,
  ),
  progress: made(35, (r) => {
    const n = Math.floor(r() * 40);
    return `\r${pick(r, WORDS)} [${"=".repeat(n)}>${" ".repeat(40 - n)}] ${Math.floor(n * 2.5)}% ${(r() * 90).toFixed(1)} MB/s eta 0:0${Math.floor(r() * 9)}`;
  }),
  "progress hashes": made(36, (r) => {
    const n = Math.floor(r() * 50);
    return `\r${"#".repeat(n)}${pick(r, [".", "-", " "]).repeat(50 - n)} ${n * 2}%`;
  }),
  "curl progress": made(
    37,
    (r) =>
      `\r ${String(Math.floor(r() * 100)).padStart(2)}  ${Math.floor(r() * 999)}M   ${Math.floor(r() * 99)}  ${Math.floor(r() * 99)}M    0     0  ${Math.floor(r() * 99)}.${Math.floor(r() * 9)}M      0  0:00:${10 + Math.floor(r() * 49)}  0:00:0${Math.floor(r() * 9)}  0:00:${10 + Math.floor(r() * 49)} ${Math.floor(r() * 99)}.${Math.floor(r() * 9)}M`,
  ),
  spinners: made(38, (r, i) => `\r\u001b[K${"⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏".charAt(i % 10)} ${phrase(r, 2)}`),
  braille: made(39, (r) => String.fromCodePoint(0x2800 + Math.floor(r() * 256))),
  ansi: made(40, (r) => `${sgr(r)}${phrase(r, 1 + Math.floor(r() * 3))}${sgr(r)}${r() < 0.3 ? "\n" : " "}`),
  "ansi dense": made(41, (r) => `${sgr(r)}${letters(r, LOWER, 1)}`),
  "ansi cursor": made(
    42,
    (r) => `\u001b[${Math.floor(r() * 60)};${Math.floor(r() * 120)}H\u001b[2K${pick(r, WORDS)}\u001b[1A\u001b[?25l`,
  ),
  "ansi rgb": made(
    43,
    (r) => `\u001b[38;2;${Math.floor(r() * 256)};${Math.floor(r() * 256)};${Math.floor(r() * 256)}m█\u001b[0m`,
  ),
  emoji: made(44, (r) => pick(r, EMOJI)),
  "emoji text": made(45, (r) => `${pick(r, EMOJI)} ${phrase(r, 1 + Math.floor(r() * 4))}${r() < 0.3 ? "\n" : " "}`),
  "emoji joined": made(46, (r) =>
    pick(r, ["👨‍👩‍👧‍👦", "👩‍💻", "🏳️‍🌈", "👍🏽", "👋🏿", "🇩🇪", "🇺🇸", "🇯🇵", "❤️", "1️⃣", "🧑🏻‍🚀", "🤦‍♂️"]),
  ),
  "emoji any": made(47, (r) =>
    String.fromCodePoint(
      pick(
        r,
        [
          [0x1f300, 0x400],
          [0x1f600, 0x50],
          [0x1f680, 0x80],
          [0x1f900, 0x100],
          [0x2600, 0x100],
          [0x2700, 0xc0],
        ].map(([from, n]) => from + Math.floor(r() * n)),
      ),
    ),
  ),
  "test marks": made(
    48,
    (r) =>
      `  ${pick(r, ["✓", "✔", "✗", "✖", "×", "●", "○", "◯", "▶", "❯", "›", "→", "ℹ", "⚠", "•", "…"])} ${phrase(r, 4)} (${Math.floor(r() * 90)} ms)\n`,
  ),
  mathematics: made(49, (r) =>
    pick(r, [
      "∀",
      "∃",
      "∈",
      "ℝ",
      "→",
      "⇒",
      "∑",
      "∏",
      "∫",
      "√",
      "≤",
      "≥",
      "≠",
      "≈",
      "α",
      "β",
      "γ",
      "λ",
      "π",
      "σ",
      "ω",
      "x",
      "y",
      " ",
      " ",
      "₁",
      "²",
      "·",
      "∞",
      "⟨",
      "⟩",
      "⊂",
      "∪",
    ]),
  ),
  powerline: made(50, (r) => pick(r, ["\ue0b0", "\ue0b2", "\uf07b", "\uf121", " ", phrase(r, 1), "\ue718"])),
  spaces: made(51, (r) => `${" ".repeat(Math.floor(r() * 400))}${pick(r, ["x", "\n", "end\n", "."])}`),
  "spaces only": made(52, () => " ".repeat(1000)),
  tabs: made(53, (r) => `${"\t".repeat(1 + Math.floor(r() * 40))}${pick(r, ["x", "\n", "42"])}`),
  "blank lines": made(54, (r) => `${"\n".repeat(1 + Math.floor(r() * 60))}${pick(r, ["", "x", "  "])}`),
  "mixed whitespace": made(55, (r) =>
    pick(r, [" ", "\t", "\n", "\r\n", "  ", "    ", "\n\n"]).repeat(1 + Math.floor(r() * 6)),
  ),
  crlf: made(56, (r) => `${phrase(r, 1 + Math.floor(r() * 3))}\r\n`),
  indented: made(
    57,
    (r) =>
      `${" ".repeat(2 * Math.floor(r() * 20))}${pick(r, ["}", "});", "return x;", "],", "<div>", "</div>", "- a", phrase(r, 1)])}\n`,
  ),
  dashes: made(58, (r) => `${"-".repeat(20 + Math.floor(r() * 150))}${pick(r, ["\n", " ", "+"])}`),
  "dashes only": made(59, () => "-".repeat(1000)),
  dots: made(60, (r) => `${".".repeat(1 + Math.floor(r() * 200))}${pick(r, ["\n", "F", " [ 50%]\n", "s"])}`),
  rulers: made(
    61,
    (r) =>
      `${pick(r, ["=", "*", "#", "_", "~", "-", "+", "/", "\\", "^", "<>", "-=", "%", "!", "|"]).repeat(10 + Math.floor(r() * 90))}\n`,
  ),
  punctuation: made(62, (r) => letters(r, "!@#$%^&*()_+-=[]{};':\",./<>?|`~\\", 1)),
  "one letter": made(63, (r) => pick(r, ["a", "x", "A", "0", "z", "=", " ", "é"]).repeat(200 + Math.floor(r() * 800))),
  "dots of tests": made(64, (r) => (r() < 0.985 ? "." : pick(r, ["F", "s", "E", "x", "\n"]))),
  identifiers: made(
    65,
    (r) =>
      `${pick(r, WORDS)}${pick(r, WORDS).replace(/^./, (c) => c.toUpperCase())}${pick(r, ["Id", "Service", "_count", "", "2"])}${pick(r, [", ", "\n", "(", ".", " = "])}`,
  ),
  constants: made(
    66,
    (r) =>
      `${pick(r, WORDS).toUpperCase()}_${pick(r, WORDS).toUpperCase()}=${pick(r, ["1", "true", pick(r, WORDS)])}\n`,
  ),
  urls: made(
    67,
    (r) =>
      `https://${pick(r, ["example.com", "github.com", "registry.npmjs.org", "api.acme.io"])}/${pick(r, WORDS)}/${pick(r, WORDS)}?${pick(r, WORDS)}=${letters(r, B64.slice(0, 62), 8)}&page=${Math.floor(r() * 99)}\n`,
  ),
  jwt: made(
    68,
    (r) =>
      `eyJhbGciOiJIUzI1NiJ9.${letters(r, B64.replace("+/", "-_"), 120)}.${letters(r, B64.replace("+/", "-_"), 43)}\n`,
  ),
  "percent encoded": made(69, (r) => (r() < 0.6 ? `%${letters(r, HEX.toUpperCase(), 2)}` : letters(r, LOWER, 3))),
  "unicode escapes": made(70, (r) => `\\u${letters(r, HEX, 4)}`),
  sql: made(
    71,
    (r) =>
      `INSERT INTO ${pick(r, WORDS)} (id, ${pick(r, WORDS)}, created_at) VALUES (${Math.floor(r() * 1e5)}, '${phrase(r, 2)}', '${stamp(r)}');\n`,
  ),
  versions: made(
    72,
    (r) =>
      `${pick(r, WORDS)}@${Math.floor(r() * 30)}.${Math.floor(r() * 30)}.${Math.floor(r() * 30)}${pick(r, ["", "-rc.1", "-beta.3"])}\n`,
  ),
  docker: made(
    73,
    (r) =>
      `#${Math.floor(r() * 30)} ${(r() * 99).toFixed(3)} ${pick(r, ["Get:", "Unpacking", "Setting up", "sha256:"])}${letters(r, HEX, 12)} ${phrase(r, 2)} ${(r() * 99).toFixed(2)}MB / ${(r() * 99).toFixed(2)}MB ${(r() * 9).toFixed(1)}s done\n`,
  ),
  terraform: made(
    74,
    (r) =>
      `${pick(r, ["  + ", "  - ", "  ~ "])}${pick(r, WORDS)}_${pick(r, WORDS)}${" ".repeat(Math.floor(r() * 12))} = ${pick(r, ['"(known after apply)"', `"${pick(r, WORDS)}"`, "true", "443"])}\n`,
  ),
  xml: made(
    75,
    (r) =>
      `<testcase classname="${pick(r, WORDS)}.${pick(r, WORDS)}" name="${phrase(r, 3)}" time="${(r() * 3).toFixed(3)}"/>\n`,
  ),
  "latin accents": made(76, (r) => letters(r, "abcdefghiàâäçéèêëîïôöùûüñáíóúãõåæøßœ eartnsi ", 1)),
};
