// The rows of the table in docs/tokens.md: which kinds of text each of them stands for. A kind without text on a machine
// is named in no row.

const one = (title, ...kinds) => ({ kinds, title: () => title });
/** Named by the languages that have text. */
const languages = (names) => ({
  kinds: Object.keys(names),
  title: (present) => present.map((kind) => names[kind]).join(", "),
});
/** Named by what they have in common, and the codes of those that have text. */
const family = (title, codes) => ({
  kinds: codes.split(" "),
  title: (present) => `${title} (${present.join(" ")})`,
});

const ROWS = [
  one("English prose", "prose en"),
  family("Western European prose", "de fr es it pt nl da sv nb"),
  family("Eastern European and Turkish", "pl cs hu fi tr ro sk hr lt lv et"),
  languages({ vi: "Vietnamese", id: "Indonesian" }),
  languages({ ru: "Russian" }),
  languages({ uk: "Ukrainian", bg: "Bulgarian", sr: "Serbian", be: "Belarusian", mk: "Macedonian" }),
  languages({ el: "Greek" }),
  languages({ ar: "Arabic", fa: "Persian", ur: "Urdu" }),
  languages({ he: "Hebrew" }),
  languages({ hi: "Hindi", mr: "Marathi", ne: "Nepali" }),
  languages({
    bn: "Bengali",
    gu: "Gujarati",
    ta: "Tamil",
    te: "Telugu",
    ml: "Malayalam",
    kn: "Kannada",
    pa: "Punjabi",
  }),
  languages({ th: "Thai", lo: "Lao", km: "Khmer", my: "Burmese" }),
  languages({ ka: "Georgian", hy: "Armenian", am: "Amharic" }),
  one("Chinese", "zh-CN", "zh-TW"),
  languages({ ja: "Japanese" }),
  languages({ ko: "Korean" }),
  { kinds: [], every: /^names /, title: (present) => `names in ${present.length} languages` },
  one("Markdown", "markdown"),
  one("TypeScript, JavaScript", "typescript", "typescript source", "javascript"),
  one("Python, Rust, C, Perl, shell", "python", "rust", "c", "perl", "shell"),
  one("HTML, CSS", "html", "css"),
  one("minified", "minified", "minified code"),
  {
    kinds: ["json", "json dense", "yaml", "lock file", "yarn lock", "source map"],
    title: (present) => `JSON, ${present.includes("yaml") ? "YAML, " : ""}lock files, source maps`,
  },
  one("base64", "base64", "base64 wrapped", "base64url", "base64 of text", "jwt"),
  one("hex, UUIDs, checksums, dumps", "hex", "hex upper", "hex bytes", "uuid", "sha256 list", "hexdump", "xxd"),
  one(
    "random letters and words",
    "random letters",
    "random letters upper",
    "random words",
    "random alphanumeric",
    "random ascii",
  ),
  one("logs: JSON, access, syslog, logfmt", "json log", "access log", "syslog", "logfmt"),
  one("stack traces", "stack traces node", "stack traces java", "stack traces python"),
  one(
    "pytest, cargo, go test -json, eslint, tsc, mypy, node:test, jest",
    "pytest",
    "cargo",
    "go test json",
    "eslint",
    "tsc",
    "mypy",
    "test runner",
  ),
  one("logs of failures of many tools", "logs of failures"),
  one("diffs", "git diff", "diff of packages"),
  one("ls -l, paths, ps", "ls -l", "ls -la", "paths", "paths of system", "ps aux"),
  one("numbers, tables, CSV", "numbers", "numbers long", "numbers lines", "table", "coverage table", "csv"),
  one("box drawing, trees, block bars", "box table", "box drawing", "box frames", "tree", "block bars"),
  one("progress bars, spinners", "progress", "progress hashes", "curl progress", "spinners", "braille"),
  one("ANSI", "ansi", "ansi dense", "ansi cursor", "ansi rgb"),
  one("emoji", "emoji", "emoji text", "emoji joined", "emoji any"),
  one("white space floods", "spaces", "spaces only", "tabs", "mixed whitespace", "blank lines", "crlf", "indented"),
  one(
    "rulers, dots, punctuation, one letter",
    "rulers",
    "dots",
    "dots of tests",
    "dashes",
    "dashes only",
    "punctuation",
    "one letter",
  ),
  one("control characters, bytes that are no text", "control characters", "replacement"),
];

/** The rows for the kinds that have text: title and kinds. What is in no row of its own is in the last. */
export function rowsOf(kinds) {
  const left = new Set(kinds);
  const rows = [];
  for (const { kinds: wanted, every, title } of ROWS) {
    const present = [...wanted, ...(every === undefined ? [] : kinds.filter((kind) => every.test(kind)))].filter(
      (kind) => left.delete(kind),
    );
    if (present.length > 0) rows.push({ title: title(present), kinds: present });
  }
  if (left.size > 0) rows.push({ title: `${left.size} other kinds`, kinds: [...left] });
  return rows;
}
