/** What is chosen of a log and how it is told: groups, causes, harmless lines, outcomes. */
import { describe, expect, it } from "vitest";
import {
  type Excerpt,
  type ExcerptRequest,
  excerptOfBytes,
  FAILURE_LIMITS,
  SUCCESS_LIMITS,
} from "../../src/excerpt/index.ts";

function of(lines: readonly string[], exitCode: number | null = 1, more: Partial<ExcerptRequest> = {}): Excerpt {
  const limits = exitCode === 0 ? SUCCESS_LIMITS : FAILURE_LIMITS;
  return excerptOfBytes(Buffer.from(`${lines.join("\n")}\n`), {
    exitCode,
    command: null,
    limits,
    headRatio: 0.2,
    ...more,
  });
}
const times = (n: number, line: (i: number) => string): string[] => Array.from({ length: n }, (_, i) => line(i));

describe("groups", () => {
  it("show a flood once, with its number and its variants", () => {
    const seen = of(times(300, (i) => `src/m${i}.ts(3,${i + 1}): error TS2304: Cannot find name 'q${i}'.`));
    expect(seen.text).toContain("src/m0.ts(3,1): error TS2304: Cannot find name 'q0'. (×299) [m1.ts q1|m2.ts q2|");
    // The last is shown by itself.
    expect(seen.ranges.find((range) => range.fromLine === 1)?.count).toBe(299);
    expect(seen.tokens).toBeLessThan(200);
  });

  it("join no more variants than they may", () => {
    const seen = of(
      times(300, (i) => `src/m${i}.ts(3,1): error TS2304: Cannot find name 'q'.`),
      1,
      { errorMaxVariantsJoined: 2 },
    );
    expect(seen.text).toContain("[m1.ts|m2.ts|…]");
  });

  it("join as many variants as there is room for where they may join more", () => {
    const lines = times(
      80,
      (i) => `src/a.ts(${i},4): error TS2304: Cannot find name 'the${"abcdefghij"[i % 10]}Thing${"klmnopqr"[i % 8]}'.`,
    );
    const joined = (most: number): number =>
      (/ \[(.*)\|…\]$/m.exec(of(lines, 1, { errorMaxVariantsJoined: most }).text)?.[1] ?? "").split("|").length;
    expect(joined(3)).toBe(3);
    expect(joined(50)).toBeGreaterThan(joined(6));
  });

  it("show the one that stands alone in a flood", () => {
    const lines = times(600, (i) => `src/m${i}.ts(3,1): error TS2304: Cannot find name 'T${i}'.`);
    lines.splice(411, 0, "src/cart.ts(9,5): error TS2552: Cannot find name 'totl'. Did you mean 'total'?");
    expect(of(lines).text).toContain("src/cart.ts(9,5): error TS2552: Cannot find name 'totl'.");
  });

  it("show no more distinct errors than they may", () => {
    const lines = times(
      40,
      (i) => `Error: ${"abcdefghijklmnopqrstuvwxyz"[i % 26]}${"abcdefghijklmnopqrstuvwxyz"[(i * 7) % 26]} went wrong`,
    );
    const seen = of([...times(200, (i) => `step ${i}`), ...lines, ...times(200, (i) => `step ${i}`)], 1, {
      errorMaxEntries: 3,
    });
    expect(new Set(seen.text.match(/\w+ went wrong/g)).size).toBe(3);
    expect(seen.text).toMatch(/kinds of error ×\d+/);
  });
});

describe("words that do not count", () => {
  it("are those in names, paths, options, counts of nothing and titles of what passed", () => {
    const harmless = [
      ...times(60, (i) => `  ✔ throws an error for case ${i}`),
      ...times(60, (i) => `Checking test/error-pages/${i}.js...`),
      ...times(60, (i) => `removed build-${i} (0 errors)`),
      ...times(60, (i) => `INFO o.a.b.ErrorHandler - invoice ${i} rendered (errors=0)`),
      "gcc -Werror -Wno-error=unused --error-format=json -c a.c",
    ];
    const seen = of([
      ...harmless.slice(0, 150),
      "cut: seeds/0117.csv: No such file or directory",
      ...harmless.slice(150),
    ]);
    expect(seen.text).toContain("cut: seeds/0117.csv: No such file or directory");
    expect(seen.ranges.filter((range) => range.why === "error").length).toBe(1);
  });

  it("count behind a timestamp, the name of a stream and a long path", () => {
    for (const prefix of [
      "2026-11-30T12:00:00.123Z ",
      "[api] ",
      "@shop/pricing:test: ",
      `${"/very/long".repeat(25)}/a.ts:3:4: `,
    ]) {
      const lines = times(400, (i) => `${prefix.includes("long") ? "" : prefix}handled ${i}`);
      lines.splice(200, 0, `${prefix}Error: no rate for AT`);
      expect(of(lines).text).toContain("Error: no rate for AT");
    }
  });
});

describe("causes", () => {
  it("come before what follows from them", () => {
    const seen = of([
      ...times(100, (i) => `compiling ${i}`),
      "a.c:3:5: error: 'x' undeclared (first use in this function)",
      ...times(100, (i) => `compiling ${i}`),
      "make: *** [Makefile:5: a.o] Error 1",
      "make: *** Waiting for unfinished jobs....",
      "npm error code 2",
      "npm error A complete log of this run can be found in: /root/.npm/_logs/x.log",
    ]);
    expect(seen.text).toContain("a.c:3:5: error: 'x' undeclared");
    expect(seen.ranges.filter((range) => range.why === "error").length).toBe(1);
  });

  it("keep the exception and the project's own frame of a stack", () => {
    const seen = of([
      ...times(300, (i) => `worker ${i} started`),
      "TypeError: rate is not a function",
      "    at handle (/app/node_modules/express/lib/layer.js:95:5)",
      "    at vat (/app/src/vat.js:9:14)",
      ...times(30, (i) => `    at next (/app/node_modules/express/lib/route.js:${i + 100}:7)`),
    ]);
    expect(seen.text).toContain("TypeError: rate is not a function");
    expect(seen.text).toContain("at vat (/app/src/vat.js:9:14)");
    expect(seen.text).not.toContain("layer.js:95");
  });

  it("are told without any severity word by what stands out", () => {
    const lines = times(300, (i) => `remote: check rule-${i} ........ ok`);
    lines.splice(120, 0, "remote:   config/production.yml:14 holds an access key");
    expect(of(lines).text).toContain("config/production.yml:14 holds an access key");
  });

  it("are found in other languages", () => {
    for (const line of [
      "mv: невозможно выполнить stat для 'a': Нет такого файла или каталога",
      "cp: 对 'a' 调用 stat 失败: 没有那个文件或目录",
      "ls: Zugriff auf 'a' nicht möglich",
      "エラー: ファイルが見つかりません",
      "erreur : fichier introuvable",
    ]) {
      const lines = times(400, (i) => `schritt ${i}`);
      lines.splice(200, 0, line);
      expect(of(lines).text).toContain(line);
    }
  });
});

describe("low ceilings", () => {
  it("leave the error, whatever else goes", () => {
    const lines = [
      ...times(200, (i) => `step ${i} of the whole`),
      "src/a.ts(10,5): error TS2345: bad type",
      ...times(200, (i) => `step ${i} of the rest`),
    ];
    for (const limits of [
      { maxBytes: 256, maxLines: 5, maxTokens: 64 },
      { maxBytes: 8192, maxLines: 5, maxTokens: 2048 },
      { maxBytes: 300, maxLines: 120, maxTokens: 2048 },
    ]) {
      expect(of(lines, 1, { limits }).text).toContain("src/a.ts(10,5): error TS2345: bad type");
    }
  });

  it("give errors no more than their share", () => {
    const letters = "ghijklmnopqrstuvwxyz";
    const lines = [
      ...times(300, (i) => `step ${i}`),
      ...times(20, (i) => `Error: the ${letters.slice(i)}${letters[i]} of this long sentence went wrong`),
      ...times(50, (i) => `step ${i}`),
    ];
    const shown = (more: Partial<ExcerptRequest>) => of(lines, 1, more).text.match(/went wrong/g)?.length ?? 0;
    expect(shown({})).toBeGreaterThanOrEqual(10);
    expect(shown({ errorBudgetRatio: 0.05 })).toBeLessThan(shown({}));
    expect(shown({ errorMaxEntries: 0 })).toBeLessThan(shown({ errorMaxEntries: 2 }));
  });
});

describe("markers", () => {
  it("say how many lines are missing, what they held and which line follows", () => {
    const lines = [
      ...times(500, (i) => `a${i}.c:3:1: warning: unused variable 'x${i}' [-Wunused-variable]`),
      "a.c:9:1: error: expected ';'",
      "1 error generated.",
    ];
    expect(of(lines).text).toMatch(/… \[498 lines left out: warning ×498; line 500:\] …/);
  });
});

describe("a success", () => {
  it("is its outcome and its warnings", () => {
    const seen = of(
      [
        ...times(200, (i) => `[INFO] migrated table_${i} (errors: 0)`),
        "[WARN] index idx_orders missing, created",
        ...times(200, (i) => `[INFO] verified table_${i}`),
        "[INFO] migration finished: 200 tables in 3.2s",
      ],
      0,
    );
    expect(seen.text).toContain("[WARN] index idx_orders missing, created");
    expect(seen.text).toContain("migration finished: 200 tables in 3.2s");
    expect(seen.tokens).toBeLessThan(130);
  });

  it("tells of what failed in spite of the exit status", () => {
    const seen = of(
      [
        ...times(200, (i) => `record ${i}`),
        "grep: /no/such/file: No such file or directory",
        "import complete: 200 records",
      ],
      0,
    );
    expect(seen.text).toContain("grep: /no/such/file: No such file or directory");
  });

  it("is as much as the ceilings allow when it is what was asked for", () => {
    const lines = times(60, (i) => `const part${i} = ${"abcdefgh"[i % 8]}(${i});`);
    const whole = of(lines.slice(0, 25), 0);
    expect(whole).toMatchObject({ truncated: false, shownLines: 25 });
  });
});

describe("among the errors that a header was made to give", () => {
  it("the one whose author wrote down what it means is shown", () => {
    const header = "/usr/include/c++/12/bits/hashtable_policy.h";
    const deleted = ["Hashtable", "Hash_code_base", "Map_base", "Rehash_base", "Ebo_helper", "Node_iterator"];
    const wrong = ["use of deleted function", "no matching function for call to", "invalid use of incomplete type"];
    const lines = [
      "a.cpp: In function 'int main()':",
      "a.cpp:8:64: error: use of deleted function 'std::unordered_map<_Key, _Tp>::unordered_map() [with _Key = Key]'",
      ...deleted.flatMap((name, i) =>
        wrong.flatMap((what, k) => [
          `${header}:${1600 + i * 31 + k}:7: error: ${what} 'std::__detail::${name}<_Key, _Value, _Hash>::${name}(const _Allocator&)'`,
          ` ${1600 + i * 31 + k} |       ${name}() noexcept(noexcept(_Tp())) = default;`,
        ]),
      ),
      `${header}:1268:23: error: static assertion failed: hash function must be invocable with an argument of key type`,
      " 1268 |         static_assert(__is_invocable<const _Hash&, const _Key&>{},",
      "make: *** [Makefile:3: a.o] Error 1",
    ];
    const { text } = excerptOfBytes(Buffer.from(lines.join("\n")), {
      exitCode: 2,
      command: "make",
      limits: FAILURE_LIMITS,
      headRatio: 0.2,
    });
    expect(text).toContain("hash function must be invocable");
    expect(text).toContain("a.cpp:8:64: error:");
  });
});
