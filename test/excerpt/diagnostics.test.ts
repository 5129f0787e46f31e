/** A message is shown with its place, a failed test with its own reason, and a count means what is not shown elsewhere. */
import { describe, expect, it } from "vitest";
import { type Excerpt, excerptOfBytes, FAILURE_LIMITS, SUCCESS_LIMITS } from "../../src/excerpt/index.ts";

const steps = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `  compiled module_${i} of the tree`);

function of(lines: readonly string[], exitCode = 1): Excerpt {
  return excerptOfBytes(Buffer.from(`${lines.join("\n")}\n`), {
    exitCode,
    command: null,
    limits: exitCode === 0 ? SUCCESS_LIMITS : FAILURE_LIMITS,
    headRatio: 0.2,
  });
}

/** Which lines of the excerpt hold a text. */
function lineWith(text: string, part: string): number {
  return text.split("\n").findIndex((line) => line.includes(part));
}

describe("a message below its source", () => {
  it("is shown with the place above the source", () => {
    const { text } = of([
      ...steps(150),
      'File "lib/automata.ml", line 501, characters 15-25:',
      "501 |       red_tr ((Cset.union s1 s2, st1) :: rem)",
      "                     ^^^^^^^^^^",
      "Error: This function has type Re__.Cset.t list -> Re__.Cset.t",
      "       It is applied to too many arguments; maybe you forgot a `;'.",
      'File "lib/cset.ml", line 74, characters 14-19:',
      "74 | let add c l = union (single c) l",
      "                   ^^^^^",
      "Error: This function has type (int * int) list list -> (int * int) list",
      "       It is applied to too many arguments; maybe you forgot a `;'.",
    ]);
    for (const place of ["lib/automata.ml", "lib/cset.ml"]) {
      const at = lineWith(text, place);
      expect(at).toBeGreaterThanOrEqual(0);
      expect(
        text
          .split("\n")
          .slice(at, at + 4)
          .join("\n"),
      ).toContain("Error: This function has type");
    }
  });

  it("is shown although nothing in it is a word of severity", () => {
    const { text } = of([
      ...steps(150),
      "",
      "  We've found a bug for you!",
      "  /home/dev/src/Main.res:1:92-95",
      "",
      "  1 │ let cart: Cart.t = {lines: [{qty: 2, cents: 80.5}]}",
      "  2 │ Console.log(Receipt.render(cart))",
      "",
      "  This has type: float",
      "  But the record field cents is expected to have type: int",
      "",
      "  You can convert float to int with Float.toInt.",
      "",
      "Failed to Compile. See Errors Above",
    ]);
    for (const part of ["Main.res:1:92-95", "This has type: float", "expected to have type: int"])
      expect(text).toContain(part);
  });

  it("has other places joined when it is said again word for word", () => {
    const names = ["Badge", "Card", "Mini", "Row"];
    const { text } = of([
      ...steps(150),
      ...names.flatMap((name) => [
        `/home/dev/src/lib/Track${name}.svelte:7:35`,
        "Error: 'track.artist' is possibly 'undefined'. (ts)",
        "  <em>{track.artist.toUpperCase()}</em>",
        "",
      ]),
      "svelte-check found 4 errors in 4 files",
    ]);
    expect(text).toContain("/home/dev/src/lib/TrackBadge.svelte:7:35\nError: 'track.artist'");
    expect(text).toContain("(×4) [TrackCard.svelte:7:35|TrackMini.svelte:7:35|TrackRow.svelte:7:35]");
  });
});

describe("a message above its place", () => {
  it("is shown with that place, not with the one of the message before", () => {
    const { text } = of(
      [
        "Warning: SPDX license identifier not provided in source file.",
        "--> contracts/Pool.sol",
        "",
        "",
        ...["Unnamed return variable can remain unassigned.", "Function state mutability can be restricted."].flatMap(
          (message, i) => [
            `Warning: ${message}`,
            `  --> contracts/Token.sol:${10 + i}:64:`,
            "   |",
            `${10 + i} |  function pay(address to, uint256 v) external returns (bool) { fee; bal[msg.sender] -= v; }`,
            "   |                                         ^^^^",
            "",
            "",
          ],
        ),
        ...steps(40),
      ],
      0,
    );
    expect(text).toMatch(/Unnamed return.*\n {2}--> contracts\/Token\.sol:10:64:/);
    expect(text).toMatch(/state mutability.*\n {2}--> contracts\/Token\.sol:11:64:/);
  });
});

describe("a message with its place set in below", () => {
  it("is not shown with the place of the message before", () => {
    const message = (said: string, line: number): string[] => [
      `✘ [ERROR] ${said}`,
      "",
      `    src/app/cart.component.html:${line}:4:`,
      `      ${line} │ <app-badge [count]="items.length"></app-badge>`,
      "        ╵ ~~~~~~~~~~~",
      "",
    ];
    const { text } = of([
      ...steps(150),
      ...message("NG8001: 'app-badge' is not a known element:", 4),
      ...message("NG2: Object is possibly 'undefined'.", 5),
      ...message("NG8001: 'app-badge' is not a known element:", 6),
    ]);
    const shown = text.split("\n").filter((line) => /ERROR|component\.html/.test(line));
    expect(shown.slice(0, 4).map((line) => line.replace(/ \(×\d\)$/, ""))).toEqual([
      "✘ [ERROR] NG8001: 'app-badge' is not a known element:",
      "    src/app/cart.component.html:4:4:",
      "✘ [ERROR] NG2: Object is possibly 'undefined'.",
      "    src/app/cart.component.html:5:4:",
    ]);
  });
});

describe("a status in a numbered list", () => {
  it("is shown with what the test printed, whatever follows of its exit status", () => {
    const { text } = of([
      ...Array.from({ length: 60 }, (_, i) => `${i + 1}/64 Unit${i}   OK              0.3${i % 10}s`),
      "61/64 CapRTL_implicit   FAIL            0.47s   exit status 1",
      ">>> MALLOC_PERTURB_=24 /home/dev/build/test-runner",
      "―――――――――――――――――――――――――――――――――――――― ✀  ――――――――――――――――――――――――――――――――――――――",
      "stdout:",
      "failure on line 103: expected levels 1 2 2 2",
      "―――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――――",
      "62/64 BidiTest          FAIL            1.13s   (exit status 220 or signal 92 SIGinvalid)",
      "―――――――――――――――――――――――――――――――――――――― ✀  ――――――――――――――――――――――――――――――――――――――",
      "failure on line 497233: expected levels 1 1 2",
      "63/64 Other             OK              0.13s",
      "Ok:                 62",
      "Fail:               2",
    ]);
    for (const part of ["CapRTL_implicit   FAIL", "line 103", "BidiTest          FAIL", "line 497233"])
      expect(text).toContain(part);
    expect(text).not.toContain("✀");
  });
});

describe("warnings that a tool stops for", () => {
  it("are shown as causes, each with its kind and place", () => {
    const kinds = ["WIDTH", "UNUSEDSIGNAL", "CASEINCOMPLETE"];
    const { text } = of([
      ...steps(150),
      ...kinds.flatMap((kind, i) => [
        `%Warning-${kind}: tb.v:${i + 4}:63: ${["Operator expects 4 bits", "Signal is not used: 'irq'", "Case values incompletely covered"][i]}`,
        `    ${i + 4} |   wire [31:0] result_${i};`,
        "      |                 ^~~",
      ]),
      "%Error: Exiting due to 3 warning(s)",
    ]);
    for (const [i, kind] of kinds.entries()) expect(text).toContain(`%Warning-${kind}: tb.v:${i + 4}:63`);
  });
});

describe("a line of source", () => {
  it("is never shown without its message", () => {
    const { text } = of(
      [
        ...Array.from({ length: 30 }, (_, i) => `cc -c src/part_${i}.c -o build/part_${i}.o`),
        "heat.f90:24:47:",
        "",
        "   24 |     allocate(u(0:n), v(0:n))",
        "      |               1",
        ...Array.from({ length: 30 }, (_, i) => `cc -c src/last_${i}.c -o build/last_${i}.o`),
      ],
      0,
    );
    if (text.includes("allocate(")) expect(text).toContain("heat.f90:24:47:");
    const first = of([
      "heat.f90:24:47:",
      "",
      "   24 |   u = 0",
      "      |   1",
      ...steps(300),
      "Error: index 153 is above 152",
    ]);
    expect(first.text).not.toMatch(/^heat\.f90:24:47:\n… /);
  });
});

describe("a few failed tests", () => {
  it("are each shown with what they say, where titles stand below it", () => {
    const passed = Array.from({ length: 60 }, (_, i) => `  [OK] mean of 1..${i}`);
    const failures = [
      ["unsorted", "median(@[9.0, 1.0, 5.0]) was 1.0"],
      ["of one", "variance(@[4.0]) was nan"],
      ["empty", "mean(newSeq[float]()) was nan"],
    ];
    const { text } = of([
      ...passed,
      ...failures.flatMap(([name, reason], i) => [
        `    /home/dev/tstats.nim(${15 + i}, 50): Check failed: case ${i}`,
        `    ${reason}`,
        `  [FAILED] ${name}`,
      ]),
      "Error: execution of an external program failed: '/home/dev/tstats '",
    ]);
    for (const [name, reason] of failures) {
      const at = lineWith(text, `[FAILED] ${name}`);
      expect(text.split("\n").slice(0, at).at(-1)).toContain(reason);
    }
    expect(text).not.toContain("×");
  });

  it("are each shown with what they got and wanted, though they say the same", () => {
    const tests = [
      ["slug makes creme-brulee", "'crme-brle'", "'creme-brulee'"],
      ["words counts an apostrophe", "'2 words'", "'1 word'"],
      ["pairs reads dashes", "'x'", "'x-1'"],
    ];
    const { text } = of([
      ...Array.from({ length: 80 }, (_, i) => `ok ${i + 1} - words counts ${i}`),
      ...tests.flatMap(([name, got, wanted], i) => [
        `not ok ${81 + i} - ${name}`,
        `# spec/slug_spec.lua @ ${4 + i}`,
        `# Failure message: spec/slug_spec.lua:${4 + i}: Expected objects to be equal.`,
        "# Passed in:",
        `# (string) ${got}`,
        "# Expected:",
        `# (string) ${wanted}`,
      ]),
      "1..83",
    ]);
    for (const part of tests.flat()) expect(text).toContain(part);
  });

  it("are not all shown when they are many, but one from each place is", () => {
    const failure = (i: number, line: number): string[] => [
      "--------------------",
      `parse > money > ${i}.5`,
      "FAILURE",
      "name:        check-equal?",
      `location:    money-test.rkt:${line}:27`,
      `actual:      ${i}05`,
      `expected:    ${i}50`,
      "--------------------",
    ];
    const { text, tokens } = of([
      ...Array.from({ length: 40 }, (_, i) => failure(i, 7)).flat(),
      ...Array.from({ length: 10 }, (_, i) => failure(i, 10)).flat(),
      "69 success(es) 50 failure(s) 0 error(s) 119 test(s) run",
    ]);
    for (const part of ["money-test.rkt:7:27", "money-test.rkt:10:27"]) expect(text).toContain(part);
    expect(tokens).toBeLessThan(300);
  });
});

describe("what a runner tells twice", () => {
  it("is shown once", () => {
    const { text } = of([
      ...Array.from({ length: 80 }, (_, i) => `listing line ${i}`),
      "PAYROLL.cob:43: error: 'EMP-RAT' is not defined",
      "PAYROLL.cob:49: error: 'EMP-DEPT' is not defined",
      ...Array.from({ length: 80 }, (_, i) => `0000${i}             ADD 1 TO WS-T-COUNT`),
      "error: 'EMP-RAT' is not defined",
      ...Array.from({ length: 20 }, (_, i) => `0001${i}             ADD 1 TO WS-T-COUNT`),
      "error: 'EMP-DEPT' is not defined",
      "5 errors in compilation group",
    ]);
    expect(text.match(/'EMP-RAT' is not defined/g)).toHaveLength(1);
    expect(text).not.toMatch(/error ×/);
  });
});

describe("the number behind a line", () => {
  it("does not count what is shown by itself", () => {
    const { text, ranges } = of([
      ...Array.from({ length: 100 }, (_, i) => `po/${i}.po`),
      'rsync: send_files failed to open "/srv/tree/po/nl.po": Permission denied (13)',
      ...Array.from({ length: 100 }, (_, i) => `tests/${i}.test`),
      'rsync: send_files failed to open "/srv/tree/tests/parse.expected": Permission denied (13)',
      ...Array.from({ length: 100 }, (_, i) => `web/${i}.html`),
      "rsync error: some files were not transferred (code 23)",
    ]);
    expect(text).toContain("nl.po");
    expect(text).toContain("parse.expected");
    expect(text).not.toContain("×");
    expect(Math.max(...ranges.map((range) => range.count))).toBe(1);
  });

  it("and those shown by themselves make up all there are", () => {
    const lines = Array.from({ length: 500 }, (_, i) => `src/m${i}.ts(3,1): error TS2304: Cannot find name 'q${i}'.`);
    const { ranges } = of(lines);
    expect(ranges.reduce((sum, range) => sum + range.count, 0)).toBe(500);
  });
});

describe("under a low ceiling", () => {
  it("what had to be dropped is counted where it is left out", () => {
    const kinds = ["Cannot find name", "Unused label", "Duplicate identifier", "Not assignable to type", "No overload"];
    const lines = kinds.flatMap((kind, i) => [...steps(20), `src/m${i}.ts(3,1): error TS23${i}4: ${kind} 'q${i}'.`]);
    const { text } = excerptOfBytes(Buffer.from(lines.join("\n")), {
      exitCode: 1,
      command: null,
      limits: { maxBytes: 4000, maxLines: 5, maxTokens: 1000 },
      headRatio: 0.2,
    });
    const shown = text.match(/error TS/g)?.length ?? 0;
    const left = [...text.matchAll(/error ×(\d+)/g)].reduce((sum, [, count]) => sum + Number(count), 0);
    expect(shown).toBeLessThan(kinds.length);
    expect(shown + left).toBe(kinds.length);
  });
});

describe("a message set in below its place", () => {
  it("is told with the place, and of others with theirs", () => {
    const place = (line: number): string => `src/Split.hs:${line}:22: error: [GHC-83865]`;
    const message = (type: string): string[] => [
      `    • Couldn't match expected type: ${type}`,
      "                  with actual type: Text",
      "    • In the expression: xs",
      "",
    ];
    const { text } = of([
      ...steps(150),
      ...Array.from({ length: 20 }, (_, i) => [place(i + 10), ...message("SplitList Int")]).flat(),
      place(77),
      ...message("Map Key Int"),
    ]);
    expect(text).toContain(`${place(10)} (×`);
    const lines = text.split("\n");
    expect(lines[lines.indexOf(place(77)) + 1]).toBe("    • Couldn't match expected type: Map Key Int");
  });
});

describe("a message that is said again of another place", () => {
  const said = (file: string, line: number): string[] => [
    `File "lib/${file}.ml", line ${line}, characters 15-25:`,
    `${line} |       red_tr (union s1 s2)`,
    "                     ^^^^^^^^^^",
    "Error: This function has type Cset.t list -> Cset.t",
  ];

  it("names the line of that place, too", () => {
    const { text } = of([
      ...steps(150),
      ...said("automata", 501),
      ...said("core", 359),
      ...Array.from({ length: 40 }, (_, i) => `  linked module_${i} of the tree`),
    ]);
    expect(text).toMatch(/Cset\.t list -> Cset\.t \(×2\) \[core\.ml:359\]/);
  });

  it("has its own place above it, though that of the next one stands right below it", () => {
    const { text } = of([...steps(150), ...said("automata", 501), ...said("core", 359)]);
    expect(text).toContain('File "lib/automata.ml", line 501');
    expect(text).toContain('File "lib/core.ml", line 359');
  });
});

describe("a title with a rule below it", () => {
  it("is shown with the difference that stands below the rule, not again where it stands alone", () => {
    const { text } = of([
      ...steps(150),
      "PASS: tests/hello-1",
      "FAIL: tests/traditional-1",
      "==================================",
      "   GNU Hello : ./test-suite.log",
      "==================================",
      "",
      "# TOTAL: 5",
      "# FAIL:  1",
      "",
      "SKIP: tests/greeting-2",
      "======================",
      "",
      "./tests/greeting-2: Skipping test: not a full moon night",
      "SKIP tests/greeting-2 (exit status: 77)",
      "",
      "FAIL: tests/traditional-1",
      "=========================",
      "",
      "1c1",
      "< hello, world",
      "---",
      "> hello world",
      "FAIL tests/traditional-1 (exit status: 1)",
      "",
      "make: *** [Makefile:2034: test-suite.log] Error 1",
    ]);
    for (const part of ["FAIL: tests/traditional-1", "< hello, world", "> hello world"]) expect(text).toContain(part);
    expect(text).not.toContain("full moon");
  });
});

describe("what is said of how grave a message is", () => {
  const style = Array.from(
    { length: 30 },
    (_, i) =>
      `src/part${i}.c:${70 + i}:5: style: The expression 'x${i}' will never be negative. [unsignedLessThanZero]`,
  );

  it("puts warnings before remarks, whatever words the remarks use", () => {
    const lines = [
      ...steps(30),
      ...style,
      "src/chkfont.c:202:5: warning: Uninitialized variable: lead [uninitvar]",
      ...style,
    ];
    const { text } = of([...lines, ...steps(60)], 0);
    expect(text).toContain("warning: Uninitialized variable: lead");
  });

  it("is what the marker calls it", () => {
    const { text } = of([...steps(60), ...style, ...steps(60), "error: 1 file could not be read", ...steps(60)]);
    expect(text).toMatch(/remark ×30/);
    expect(text).not.toMatch(/(?:error|warning) ×/);
  });

  it("counts no warning as an error for the words of its message", () => {
    const warnings = ["runAll", "Missing.thing", "old", "Worker", "Opts", "Hidden", "Backoff"].map(
      (name) => `[warning] Failed to resolve link to "${name}" in comment for once`,
    );
    const { text } = of([...steps(60), ...warnings, ...steps(60), "[warning] Found 0 errors and 7 warnings"], 0);
    expect(text).not.toMatch(/error ×|kinds of error/);
  });
});

describe("a success with many warnings", () => {
  const progress = ["class", "file", "page", "module", "member", "concept", "example", "namespace", "group", "topic"];

  it("shows one of each kind rather than what was being done at the end", () => {
    const { text } = of(
      [
        ...Array.from({ length: 60 }, (_, i) => `src/list.h:${i + 3}: warning: Compound list_${i} is not documented.`),
        "src/list.h:41: warning: parameters of member list_new are not documented",
        "src/list.h:88: warning: unable to resolve reference to `list_free' for \\ref command",
        "src/list.h:90: warning: unexpected end of comment block while looking for the end command",
        ...progress.map((name) => `Generating ${name} index...`),
        "finished...",
      ],
      0,
    );
    for (const part of ["is not documented", "parameters of member", "unable to resolve", "unexpected end of comment"])
      expect(text).toContain(part);
    expect(text.match(/^Generating .* index/gm) ?? []).toHaveLength(1);
  });
});

describe("a row of a kind that is rare", () => {
  it("is shown with how many there are, though nothing in it is a word of severity", () => {
    const lines = Array.from({ length: 9000 }, (_, i) =>
      i >= 3800 && i % 50 === 0
        ? `cycle ${i} rd ${(i * 7).toString(16)} queue had ${i.toString(16)}  <-- not in order`
        : `cycle ${i} wr ${(i * 31).toString(16)} full=${i % 2} empty=0`,
    );
    const { text } = of([...lines, "soak done: 5173 words read"], 0);
    expect(text).toMatch(/cycle 3800 rd .* not in order \(×104\)/);
  });
});

describe("a message that holds a line feed", () => {
  it("is counted with its rule", () => {
    const finding = (i: number): string[] =>
      i % 5 === 0
        ? [`  ${i + 9}:77  error  "is`, 'released" may be passive voice   write-good']
        : [`  ${i + 9}:7   error  "be used" may be passive voice   write-good`];
    const { text } = of([
      "docs/json-c.md",
      ...Array.from({ length: 80 }, (_, i) => finding(i + 1)).flat(),
      "",
      "✖ 80 problems (80 errors, 0 warnings, 0 infos)",
    ]);
    expect(text).not.toMatch(/"is$/m);
    expect(text).toContain("(×80)");
  });
});

describe("tests that failed in one file", () => {
  it("are each shown with their own reason, right below the file's title", () => {
    const titles = ["rounds", "adds", "throws", "waits"];
    const reasons = ["Expected: 192", "Expected: 7", "TypeError: x is null", "upstream 503"];
    const { text } = of([
      "FAIL __tests__/vat.test.js",
      "  vat",
      ...titles.map((title) => `    ✕ ${title} (2 ms)`),
      "",
      ...titles.flatMap((title, i) => [
        `  ● vat › ${title}`,
        "",
        `    ${reasons[i]}`,
        "",
        ...Array.from(
          { length: 6 },
          (_, row) => `      ${120 + row} |   test('case ${row} of ${title}', () => vat(${row}));`,
        ),
        "",
        `      at Object.${title} (__tests__/vat.test.js:12${i}:42)`,
        "",
      ]),
      "Test Suites: 1 failed, 1 total",
      "Tests:       4 failed, 4 total",
    ]);
    for (const reason of reasons) expect(text).toContain(reason);
    for (const title of titles) expect(text).toContain(`● vat › ${title}`);
  });
});
