/** Layouts that say what is wrong without a word for it: by where a row stands, not by what it is called. */
import { describe, expect, it } from "vitest";
import { type Excerpt, excerptOfBytes, FAILURE_LIMITS, SUCCESS_LIMITS } from "../../src/excerpt/index.ts";

const SYLLABLES = "ba di ko lu ma no pu ra si tu".split(" ");
const word = (n: number): string => [...String(n)].map((digit) => SYLLABLES[Number(digit)]).join("");

/** Rows that say nothing and of which no two are alike, so that none stands out. */
const steps = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => `  ${word(1000 + i * 37)} ${word(7000 + i * 11)} of ${word(90 + i)}`);

function of(lines: readonly string[], exitCode = 1): Excerpt {
  return excerptOfBytes(Buffer.from(`${lines.join("\n")}\n`), {
    exitCode,
    command: null,
    limits: exitCode === 0 ? SUCCESS_LIMITS : FAILURE_LIMITS,
    headRatio: 0.2,
  });
}

describe("a traceback", () => {
  const traceback = (exception: string): string[] => [
    "Traceback (most recent call last):",
    '  File "/app/shop/views.py", line 12, in <module>',
    "    from .models import Cart",
    '  File "/usr/lib/python3/site-packages/orm/conf.py", line 61, in _setup',
    "    raise Misconfigured(",
    exception,
  ];

  it.each([
    "orm.core.exceptions.Misconfigured: Requested DATABASES before the settings were there.",
    "shop.stock.SoldOut: nothing left of article 17",
    "StopIteration",
  ])("ends in its exception, whatever that is called: %s", (exception) => {
    const { text } = of([...steps(200), ...traceback(exception), ...steps(40), "error: deploy was not done"]);
    expect(text).toContain(exception);
    expect(text).toContain('"/app/shop/views.py", line 12');
  });

  it("is told of to its end where a test could not be loaded", () => {
    const { text } = of([
      ...steps(200),
      "======================================================================",
      "ERROR: shop.tests (unittest.loader._FailedTest.shop.tests)",
      "----------------------------------------------------------------------",
      "ImportError: Failed to import test module: shop.tests",
      ...traceback("orm.core.exceptions.Misconfigured: Requested DATABASES before the settings were there."),
      "",
      "----------------------------------------------------------------------",
      "Ran 1 test in 0.000s",
      "",
      "FAILED (errors=1)",
    ]);
    expect(text).toContain("Requested DATABASES before the settings");
    expect(text).toContain('"/app/shop/views.py", line 12');
  });
});

describe("a rule with its place and its source below it", () => {
  it("is evidence whatever its words, and the help below the source is not its message", () => {
    const { text } = of([
      ...steps(200),
      "F401 [*] `os.path` imported but unused",
      " --> shop/views.py:1:8",
      "  |",
      "1 | import os.path",
      "  |        ^^^^^^^",
      "2 |",
      "help: Remove unused import: `os.path`",
      "",
      ...steps(40),
      "lint of 4 parts is over",
    ]);
    expect(text).toContain("F401 [*] `os.path` imported but unused\n --> shop/views.py:1:8");
  });
});

describe("a debugger's backtrace", () => {
  it("is shown from the first frame of the project on, not from the C library's", () => {
    const { text } = of([
      ...Array.from({ length: 40 }, (_, i) => `[New Thread 0x7ffff7dca6c0 (LWP ${32398 + i})]`),
      "",
      'Thread 15 "served" received signal SIGSEGV, Segmentation fault.',
      "[Switching to Thread 0x7ffff7dca6c0 (LWP 32411)]",
      "__strlen_evex () at ../sysdeps/x86_64/multiarch/strlen-evex.S:79",
      "",
      'Thread 15 (Thread 0x7ffff7dca6c0 (LWP 32411) "served"):',
      "#0  __strlen_evex () at ../sysdeps/x86_64/multiarch/strlen-evex.S:79",
      "No locals.",
      "#1  0x0000555555555185 in name_length (job=0x7fffffffe5a0) at queue.c:5",
      "No locals.",
      "#2  0x00005555555551da in work (arg=0x7fffffffe5a0) at queue.c:61",
      "        job = 0x7fffffffe5a0",
      "#3  0x00007ffff7e571f5 in start_thread (arg=<optimized out>) at ./nptl/pthread_create.c:442",
      "        ret = <optimized out>",
      ...Array.from({ length: 40 }, (_, i) => `k${i}             0x0                 0`),
    ]);
    expect(text).toContain("in name_length (job=0x7fffffffe5a0) at queue.c:5");
    expect(text).toContain("in work (arg=0x7fffffffe5a0) at queue.c:61");
    expect(text).not.toContain("start_thread");
  });
});

describe("numbers of messages", () => {
  it("tell pylint's errors from its warnings and remarks", () => {
    const { text } = of([
      ...Array.from({ length: 90 }, (_, i) => [
        `shop/m${i}.py:${i}:0: C0116: Missing function or method docstring (missing-function-docstring)`,
        `shop/m${i}.py:${i}:4: W0622: Redefining built-in 'id' (redefined-builtin)`,
        ...(i === 50 ? ["shop/m50.py:61:14: E1101: Instance of 'Cart' has no 'totl' member (no-member)"] : []),
      ]).flat(),
      "-----------------------------------",
      "Your code has been rated at 4.02/10",
    ]);
    expect(text).toContain("E1101: Instance of 'Cart' has no 'totl' member");
    expect(text).toMatch(/warning ×\d+, remark ×\d+/);
    expect(text).toContain("rated at 4.02/10");
  });
});

describe("a success", () => {
  it("tells what failed on the way, with its details, cut where it is long", () => {
    const told = of(
      [
        ...Array.from({ length: 200 }, (_, i) => `ok: [web1] => (item=site${i})`),
        "TASK [Old cache is gone] *******************************************************",
        `fatal: [web1]: FAILED! => {"changed": true, "cmd": ["rm", "/srv/cache"], "msg": "non-zero return code", "start": "${"2026-12-01 04:09:27.531041 ".repeat(9)}"}`,
        "...ignoring",
        "PLAY RECAP *********************************************************************",
        "web1                       : ok=5    changed=4    unreachable=0    failed=0    skipped=0    rescued=0    ignored=1",
      ],
      0,
    );
    expect(told.text).toContain("fatal: [web1]: FAILED!");
    expect(told.text).toContain("ignored=1");
    expect(told.tokens).toBeLessThan(200);
  });

  it("of a search for the commit that broke something is that commit", () => {
    const hash = "2d15c5b836b786216b8f0114f2d9f5b3086f1543";
    const { text } = of(
      [
        ...Array.from({ length: 30 }, (_, i) => `Bisecting: ${60 - i} revisions left to test after this`),
        `${hash} is the first bad commit`,
        `commit ${hash}`,
        "Author: A. Turing <a@example.org>",
        "Date:   Tue Dec 1 04:26:11 2026 +0000",
        "",
        "    round the total",
        "",
        " calc.txt | 1 +",
        " 1 file changed, 1 insertion(+)",
        "bisect found first bad commit",
      ],
      0,
    );
    expect(text).toContain(`${hash} is the first bad commit`);
  });
});

describe("messages of cmake with the same words", () => {
  it("are each shown with what they are about", () => {
    const { text } = of([
      ...steps(200),
      ...["googletest", "benchmark", "crc32c"].flatMap((name, i) => [
        `CMake Error at CMakeLists.txt:${299 + i * 5} (add_subdirectory):`,
        "  The source directory",
        "",
        `    /src/third_party/${name}`,
        "",
        "  does not contain a CMakeLists.txt file.",
        "",
        "",
      ]),
      ...steps(60),
      "-- Configuring incomplete, errors occurred!",
    ]);
    expect(text).toContain("/src/third_party/googletest");
    expect(text).toContain("/src/third_party/benchmark");
    expect(text).toContain("/src/third_party/crc32c");
  });
});

describe("what is set in below a warning", () => {
  it("is no evidence by itself, whatever its words", () => {
    const { text } = of([
      ...Array.from({ length: 30 }, (_, i) => [
        `src/Box${i}.java:${i}: warning: [rawtypes] found raw type: Box${i}`,
        `    Box${i} box = open();`,
        "    ^",
        `  missing type arguments for generic class Box${i}<T>`,
      ]).flat(),
      "src/Pair.java:113: error: incompatible types: L cannot be converted to R",
      "        return new Pair<R, L>(left, right);",
      "                              ^",
      "1 error",
      "30 warnings",
    ]);
    expect(text).toContain("incompatible types: L cannot be converted to R");
    expect(text).not.toContain("missing type arguments");
  });
});

describe("a row of bars or carets between two that are shown", () => {
  it("is shown, since to tell of it costs more", () => {
    const { text } = of([
      ...steps(200),
      "╷",
      "│ Error: join failed",
      "│ ",
      '│   with node["d"],',
      "│   on main.tf line 9:",
      "╵",
    ]);
    expect(text).toContain('│ Error: join failed\n│\n│   with node["d"],');
  });
});

describe("a failed test of a runner that prints bare places", () => {
  it("is shown with the place where it was thrown", () => {
    const { text } = of([
      ...steps(200),
      "There were 40 errors:",
      ...Array.from({ length: 40 }, (_, i) => [
        "",
        `${i + 1}) CartTest::test${word(i)} with data set "${word(i * 7)}" (array('apple', 'orange'), '${word(i * 3)}')`,
        'ParseError: syntax error, unexpected token ","',
        "",
        "/srv/shop/src/Extension/Core.php:861",
        "/srv/shop/src/Environment.php:122",
        `/srv/shop/tests/CartTest.php:${26 + i}`,
      ]).flat(),
      "",
      "ERRORS!",
      "Tests: 170, Assertions: 5, Errors: 40.",
    ]);
    expect(text).toContain("/srv/shop/src/Extension/Core.php:861");
  });
});

describe("head and tail", () => {
  it("do not say a row again and again", () => {
    const { text } = of(
      ["CREATE TABLE", ...Array.from({ length: 300 }, () => "INSERT 0 1"), "CREATE INDEX", "ANALYZE"],
      0,
    );
    expect(text.split("\n").filter((line) => line === "INSERT 0 1").length).toBeLessThanOrEqual(6);
    expect(text).toContain("ANALYZE");
  });
});

describe("a test that passed on another worker", () => {
  it("is no failure, whatever its name", () => {
    const { text } = of([
      "gw0 [92] / gw1 [92]",
      ...Array.from(
        { length: 90 },
        (_, i) => `[gw${i % 2}] [ ${i}%] PASSED tests/test_cycles.py::test_bound_error_${i}`,
      ),
      "[gw0] [ 91%] FAILED tests/test_cart.py::test_total",
      "[gw1] [ 92%] PASSED tests/test_cycles.py::test_bound_error",
      "=================================== FAILURES ===================================",
      "__________________________________ test_total __________________________________",
      ">       assert total(3) == 4",
      "E       assert 3 == 4",
      "tests/test_cart.py:11: AssertionError",
      "=========================== short test summary info ============================",
      "FAILED tests/test_cart.py::test_total - assert 3 == 4",
      "========================= 1 failed, 91 passed in 1.02s =========================",
    ]);
    expect(text).toContain("E       assert 3 == 4");
    expect(text).not.toContain("PASSED");
  });
});

describe("names of streams that are set to the right", () => {
  it("are taken off before a row is read", () => {
    const { text } = of([
      "Buildfile: build.xml",
      ...Array.from({ length: 90 }, (_, i) => `    [junit] checking failure path ${i}: no error`),
      "    [junit] Testcase: trims took 0.002 sec",
      "    [junit] Testcase: capitalizes took 0.002 sec",
      "    [junit] \tFAILED",
      "    [junit] expected:<Ca[t]> but was:<Ca[]>",
      "    [junit] Test WordsTest FAILED",
      "",
      "BUILD FAILED",
      "build.xml:3: Tests failed; see above",
    ]);
    expect(text).toContain("Testcase: capitalizes");
    expect(text).toContain("expected:<Ca[t]> but was:<Ca[]>");
    expect(text).not.toContain("no error");
  });
});

describe("the other half of a compiler's message", () => {
  it("is shown where it is a place of the project", () => {
    const { text } = of([
      ...steps(200),
      "src/queue.cpp:34:64: error: 'p' used after it was moved [bugprone-use-after-move]",
      "int g(std::unique_ptr<int> p) { auto q = std::move(p); return *p; }",
      "                                                               ^",
      "src/queue.cpp:34:42: note: move occurred here",
      ...steps(60),
      "1 error generated.",
    ]);
    expect(text).toContain("queue.cpp:34:42: note: move occurred here");
  });
});

describe("a name that the linker did not find", () => {
  it("is shown with the warning that the compiler gave of it", () => {
    const { text } = of([
      ...Array.from({ length: 60 }, (_, i) => `part${i}.c:3:9: warning: unused variable 'x${i}' [-Wunused-variable]`),
      "tally.c:3:98: warning: implicit declaration of function 'ScalarDouble' [-Wimplicit-function-declaration]",
      ...steps(100),
      "Error: package or namespace load failed for 'tally':",
      "  /tmp/tally.so: undefined symbol: ScalarDouble",
      "Execution halted",
    ]);
    expect(text).toContain("undefined symbol: ScalarDouble");
    expect(text).toContain("tally.c:3:98: warning: implicit declaration");
  });
});

describe("a coverage below what was asked for", () => {
  it("names the files that lack most of it", () => {
    const row = (name: string, branches: string): string =>
      ` ${name.padEnd(12)} |     100 | ${branches.padStart(8)} |     100 |     100 | `;
    const { text } = of([
      ...Array.from({ length: 60 }, (_, i) => `  ✓ maps article ${i}`),
      "--------------|---------|----------|---------|---------|-------------------",
      "File          | % Stmts | % Branch | % Funcs | % Lines | Uncovered Line #s ",
      row("All files", "91.66"),
      ...Array.from({ length: 20 }, (_, i) => row(`alpha${i}.js`, "100")),
      row("gamma.js", "66.66"),
      ...Array.from({ length: 20 }, (_, i) => row(`zeta${i}.js`, "100")),
      'Jest: Coverage for branches (91.66%) does not meet "global" threshold (95%)',
      "Tests:       60 passed, 60 total",
    ]);
    expect(text).toContain("gamma.js");
    expect(text).not.toContain("zeta9.js");
  });

  it("does so for Python, too", () => {
    const { text } = of([
      ...steps(60),
      "Name              Stmts   Miss  Cover   Missing",
      "shop/cart.py         40     10    75%   3-9, 17-19",
      ...Array.from({ length: 20 }, (_, i) => `shop/m${i}.py           40      0   100%`),
      "TOTAL               840     10    99%",
      "FAIL Required test coverage of 100% not reached. Total coverage: 98.81%",
      "============================== 61 passed in 0.25s ==============================",
    ]);
    expect(text).toContain("shop/cart.py         40     10    75%   3-9, 17-19");
  });
});

describe("a data race", () => {
  const access = (kind: string, line: number): string[] => [
    `${kind} at 0x00c0000e2000 by goroutine ${line}:`,
    "  example.org/tally.(*T).Add()",
    `      /src/tally/tally.go:${line} +0xf4`,
    "  example.org/tally.TestParallel.func1()",
    "      /src/tally/tally_test.go:28 +0x26",
    "",
  ];

  it("is named, with both of the places that race", () => {
    const { text } = of([
      ...Array.from({ length: 40 }, (_, i) => [`=== RUN   TestAdd${i}`, `--- PASS: TestAdd${i} (0.00s)`]).flat(),
      "=== RUN   TestParallel",
      "==================",
      "WARNING: DATA RACE",
      ...access("Read", 35),
      ...access("Previous write", 61),
      "Goroutine 35 (running) created at:",
      "  example.org/tally.TestParallel()",
      "      /src/tally/tally_test.go:28 +0xc9",
      "==================",
      "    testing.go:1319: race detected during execution of test",
      "--- FAIL: TestParallel (0.00s)",
      "FAIL",
      "FAIL\texample.org/tally\t0.018s",
      "FAIL",
    ]);
    expect(text).toContain("WARNING: DATA RACE");
    expect(text).toContain("/src/tally/tally.go:35 +0xf4");
    expect(text).toContain("Previous write at");
    expect(text).toContain("--- FAIL: TestParallel");
  });
});

describe("a title that is printed again above its details", () => {
  it("is known although a word of it looks like evidence, and its difference belongs to it", () => {
    const { text } = of([
      ...Array.from({ length: 90 }, (_, i) => `  ✔ two › two handles error ${i}`),
      "  ✘ [fail]: two › two handles error 91",
      ...Array.from({ length: 90 }, (_, i) => `  ✔ three › three handles error ${i}`),
      "  ─",
      "",
      "  two › two handles error 91",
      "  two.test.js:15",
      "",
      "   14: test('two handles error 90', async t => {",
      "   15: test('two handles error 91', async t => {",
      "   16: test('two handles error 92', async t => {",
      "",
      "  Difference (- actual, + expected):",
      "",
      "    {",
      "  -   n: 14,",
      "  +   n: 15,",
      "    }",
      "",
      "  › file://two.test.js:15:64",
      "",
      "  ─",
      "",
      "  1 test failed",
    ]);
    expect(text).toContain("two.test.js:15");
    expect(text).toContain("  -   n: 14,\n  +   n: 15,");
  });
});

describe("what went wrong and did not matter", () => {
  it("is no cause where the tool says that it goes on", () => {
    const { text } = of([
      ...Array.from({ length: 200 }, (_, i) => `ok: [web1] => (item=site${i})`),
      "TASK [Old cache is gone] *******************************************************",
      'fatal: [web1]: FAILED! => {"changed": true, "cmd": ["rm", "/srv/cache"], "msg": "non-zero return code"}',
      "...ignoring",
      "TASK [Validate] ****************************************************************",
      'failed: [web1] (item=eta) => {"cmd": ["grep", "-q", "^listen ", "/srv/eta.conf"], "rc": 1}',
      "PLAY RECAP *********************************************************************",
      "web1                       : ok=5    changed=4    unreachable=0    failed=1    skipped=0    rescued=0    ignored=1",
    ]);
    expect(text).toContain("(item=eta)");
    expect(text).not.toContain('"/srv/cache"');
  });

  it("is none where the test that logged it passed", () => {
    const { text } = of([
      ...Array.from({ length: 60 }, (_, i) => [`=== RUN   TestRow${i}`, `--- PASS: TestRow${i} (0.00s)`]).flat(),
      "=== RUN   TestMissingKey",
      '    exec_test.go:1330: executing "t1": nil data; no entry for key "x"',
      "--- PASS: TestMissingKey (0.00s)",
      "=== RUN   TestCompare",
      "    exec_test.go:1274: lt 1.5 1.5: want false; got true",
      "--- FAIL: TestCompare (0.07s)",
      ...Array.from({ length: 60 }, (_, i) => [`=== RUN   TestCol${i}`, `--- PASS: TestCol${i} (0.00s)`]).flat(),
      "FAIL",
      "FAIL\texample.org/tmpl\t0.784s",
    ]);
    expect(text).toContain("want false; got true");
    expect(text).not.toContain("no entry for key");
  });
});

describe("head and tail of a log that much is known of", () => {
  it("have no row of what is well, but the checks that came to nothing", () => {
    const { text } = of([
      ...Array.from({ length: 200 }, (_, i) => `checking for function_${i}... yes`),
      "checking for libssh2.h... no",
      "configure: error: libSSH2 was not found where specified!",
    ]);
    expect(text).toContain("checking for libssh2.h... no");
    expect(text).not.toContain("function_199");
  });
});

describe("the trace of a shell", () => {
  it("is shown by its end, where the command stands that failed", () => {
    const { text, tokens } = of([
      ...Array.from({ length: 40 }, (_, i) => [
        `+ mkdir -p out/part${i}`,
        `++ stat -c %s out/part${i}`,
        `+ size=${i}`,
      ]).flat(),
      "+ grep -q signed out/riscv64/bin.txt",
    ]);
    expect(text.endsWith("+ size=39\n+ grep -q signed out/riscv64/bin.txt")).toBe(true);
    expect(tokens).toBeLessThan(250);
  });
});

describe("an exception in a group of exceptions", () => {
  it("is shown with its frame, although it has a plain name and stands behind bars", () => {
    const { text } = of([
      ...Array.from(
        { length: 120 },
        (_, i) => `2026-12-01 05:01:50,${100 + i} INFO loader: row ${i} parsed without error`,
      ),
      "  + Exception Group Traceback (most recent call last):",
      '  |   File "/app/load.py", line 12, in main',
      "  |     async with asyncio.TaskGroup() as g:",
      "  | ExceptionGroup: unhandled errors in a TaskGroup (1 sub-exception)",
      "  +-+---------------- 1 ----------------",
      "    | Traceback (most recent call last):",
      '    |   File "/app/load.py", line 6, in parse',
      "    |     return json.loads(line)",
      "    | json.decoder.JSONDecodeError: Expecting property name enclosed in double quotes",
      "    | ",
      "    | The above exception was the direct cause of the following exception:",
      "    | ",
      "    | Traceback (most recent call last):",
      '    |   File "/app/load.py", line 7, in parse',
      "    |     raise Rejected(line) from e",
      "    | Rejected: row 31 is no JSON",
      "    +------------------------------------",
    ]);
    expect(text).toContain("    | Rejected: row 31 is no JSON");
    expect(text).toContain('"/app/load.py", line 7, in parse');
  });
});

describe("a message at a place of the project", () => {
  it("comes before those of a library, although it names the library", () => {
    const words = "alpha beta gamma delta zeta theta iota kappa lambda sigma omega tau".split(" ");
    const library = words.map(
      (name, i) => `/usr/include/c++/12/bits/${name}.h:${i}:7: error: the ${name} is ill-formed`,
    );
    const { text } = of([
      ...library,
      "cart.cpp:8:139: error: no match for call to '(const std::ranges::__sort_fn) (std::vector<Key>&)'",
      ...steps(60),
      "13 errors",
    ]);
    expect(text).toContain("cart.cpp:8:139: error: no match for call");
  });
});

describe("one of several programs at once that failed", () => {
  it("is named by the row that tells of its end, not by the end of another", () => {
    const lines = [
      ...Array.from({ length: 60 }, (_, i) => [`[money] ok ${i}`, `[cart] ok ${i}`]).flat(),
      "[cart] AssertionError: 8 !== 7",
      ...Array.from({ length: 60 }, (_, i) => `[money] ok ${i + 60}`),
      "[cart] npm test -w cart exited with code 1",
      ...Array.from({ length: 60 }, (_, i) => `[mail] ok ${i}`),
      "[money] npm test -w money exited with code 0",
      "[mail] npm test -w mail exited with code 0",
    ];
    const end = lines.indexOf("[cart] npm test -w cart exited with code 1") + 1;
    expect(of(lines).ranges.find((range) => range.fromLine <= end && end <= range.toLine)?.why).toBe("outcome");
  });
});

describe("an error in a box", () => {
  it("is shown with what stands in the box, whatever stands above it", () => {
    const { text } = of([
      ...steps(200),
      "",
      "",
      "╷",
      "│ Error: No value for required variable",
      "│ ",
      "│   on main.tf line 5:",
      '│    5: variable "region" { type = string }',
      "│ ",
      '│ The root module input variable "region" is not set, and has no default value.',
      "╵",
    ]);
    expect(text).toContain("│   on main.tf line 5:");
    expect(text).toContain('variable "region" is not set');
  });
});

describe("results in brackets", () => {
  const results = (status: string): string[] =>
    steps(150).map((step, i) => `[${i === 90 ? status : "pass"}] ${step.trim()} error [${i}]`);

  it.each(["fail", "FAIL", "FAILED"])("those that passed are no evidence, [%s] is", (status) => {
    const { text } = of([...results(status), "Pass 149, Fail 1", "make: *** [Makefile:45: test] Error 1"], 2);
    expect(text).toContain(`[${status}] `);
    expect(text.match(/\[pass\]/g) ?? []).toHaveLength(1); // the first row of the log
    expect(text).toContain("Pass 149, Fail 1");
  });
});

describe("a message about a header", () => {
  it("is shown with the place where the project uses it, which clang prints below", () => {
    const { text } = of([
      ...steps(200),
      "In file included from main.cc:2:",
      "/usr/include/c++/12/map:175:23: error: no matching constructor for initialization of 'std::pair<int, Item>'",
      "        { ::new((void *)__p) _Up(std::forward<_Args>(__args)...); }",
      "                             ^   ~~~~~~~~~~~~~~~~~~~~~~~~~~~",
      "/usr/include/c++/12/map:516:8: note: in instantiation of member function 'std::allocator::construct' requested here",
      "          __a.construct(__p, std::forward<_Args>(__args)...);",
      "              ^",
      "main.cc:10:34: note: in instantiation of member function 'std::map<int, Item>::emplace' requested here",
      "  for (const auto& i : items) by.emplace(i.sku, i);",
      "                                 ^",
      "1 error generated.",
    ]);
    expect(text).toContain("main.cc:10:34: note: in instantiation");
    expect(text).not.toContain("map:516:8");
  });
});

describe("a record that is too long to be shown", () => {
  it("is cut to where it begins and to what it says went wrong", () => {
    const command = Array.from({ length: 60 }, (_, i) => `"--option-${i}"`).join(", ");
    const { text } = of([
      ...steps(200),
      `fatal: [web17]: FAILED! => {"changed": false, "cmd": [${command}], "msg": "non-zero return code", "rc": 1, ` +
        `"stderr": "cat: /srv/keys/eu.pem: No such file or directory", "stdout": ""}`,
      ...steps(20),
    ]);
    expect(text).toContain("fatal: [web17]: FAILED!");
    expect(text).toContain("cat: /srv/keys/eu.pem: No such file or directory");
    expect(text).not.toContain("--option-30");
  });

  it("is cut to its one error among a thousand warnings, where eslint writes JSON", () => {
    const message = (severity: number, i: number): string =>
      `{"ruleId":"max-len","severity":${severity},"message":"Line ${i} is too long.","line":${i},"column":1}`;
    const messages = Array.from({ length: 1000 }, (_, i) => message(1, i));
    messages[612] = '{"ruleId":"no-fallthrough","severity":2,"message":"Expected a \'break\'.","line":6,"column":5}';
    const { text } = of([`[{"filePath":"/app/src/state.ts","messages":[${messages.join(",")}]}]`]);
    expect(text).toContain("Expected a 'break'.");
  });
});

describe("what a run that succeeded hides", () => {
  it("is shown before where it began and ended", () => {
    const start = "11985:M 01 Dec 2026 09:29:09.412";
    const { text } = of(
      [
        ...steps(100).map((step) => `${start} *${step}`),
        `${start} # Bad file format reading the append only file appendonly.aof.1: make a backup of it, then fix it`,
        ...steps(40).map((step) => `${start} *${step}`),
        "restart 3",
      ],
      0,
    );
    expect(text).toContain("Bad file format reading the append only file");
    expect(text).toContain("restart 3");
  });
});

describe("stacks of one message", () => {
  it("are each told by the first frame of the project: of the use, and of the release before it", () => {
    const { text } = of([
      ...steps(200),
      "==24989==ERROR: AddressSanitizer: heap-use-after-free on address 0x604000006730 at pc 0x5572263536d2",
      "READ of size 4 at 0x604000006730 thread T0",
      "    #0 0x5572263536d1 in sum /home/dev/c/uaf.cc:8",
      "    #1 0x557226353ba0 in main /home/dev/c/uaf.cc:9",
      "",
      "0x604000006730 is located 32 bytes inside of 40-byte region [0x604000006710,0x604000006738)",
      "freed by thread T0 here:",
      "    #0 0x7f8fbacba3c8 in operator delete(void*, unsigned long) ../../../../src/libsanitizer/asan/new.cpp:164",
      "    #1 0x557226353485 in close_order /home/dev/c/uaf.cc:7",
      "",
      "previously allocated by thread T0 here:",
      "    #0 0x7f8fbacb94c8 in operator new(unsigned long) ../../../../src/libsanitizer/asan/new.cpp:95",
      "    #1 0x557226353851 in open_order /home/dev/c/uaf.cc:6",
      "",
      "SUMMARY: AddressSanitizer: heap-use-after-free /home/dev/c/uaf.cc:8 in sum",
    ]);
    for (const frame of ["in sum /", "in close_order /", "in open_order /"]) expect(text).toContain(frame);
    expect(text).not.toContain("operator delete");
  });

  it("leave out the C library below the project's call", () => {
    const { text } = of([
      ...steps(200),
      "==6207== Invalid write of size 1",
      "==6207==    at 0x48D42FC: __vsprintf_internal (iovsprintf.c:98)",
      "==6207==    by 0x48B4D60: sprintf (sprintf.c:30)",
      "==6207==    by 0x109232: label (inventory.c:5)",
      "==6207==  Address 0x4a5348a is 0 bytes after a block of size 10 alloc'd",
      "==6207== ",
      ...steps(50),
    ]);
    expect(text).toContain("label (inventory.c:5)");
    expect(text).not.toContain("sprintf.c:30");
  });
});

describe("a failure that is told of below noise", () => {
  it("is a block of its own behind a blank row, however many errors a program logs around it", () => {
    const logged = (i: number): string[] => [
      `  * test sum of ${word(100 + i)}`,
      "",
      `09:52:06.384 [error] expected error ${i}`,
      "",
    ];
    const { text } = of([
      ...Array.from({ length: 41 }, (_, i) => logged(i)).flat(),
      "  1) test sum of boxes (ShopTest)",
      "     test/shop_test.exs:295",
      "     Assertion with == failed",
      "     left:  0",
      "     right: 287",
      "",
      ...Array.from({ length: 41 }, (_, i) => logged(i)).flat(),
      "160 tests, 1 failure",
    ]);
    for (const row of ["1) test sum of boxes", "left:  0", "right: 287"]) expect(text).toContain(row);
  });

  it("stands above the result, where go test prints what a test logs first", () => {
    const { text } = of([
      ...Array.from({ length: 80 }, (_, i) => [`=== RUN   Test${word(i)}`, `--- PASS: Test${word(i)} (0.00s)`]).flat(),
      "=== RUN   TestCause",
      "    errors_test.go:104: test 5: got <nil>, want EOF",
      "--- FAIL: TestCause (0.00s)",
      ...Array.from({ length: 14 }, (_, i) => [
        `=== RUN   TestOf${word(i)}`,
        `--- FAIL: TestOf${word(i)} (0.00s)`,
      ]).flat(),
      "FAIL",
      "FAIL\texample.org/ledger\t0.005s",
    ]);
    expect(text).toContain("errors_test.go:104: test 5: got <nil>, want EOF");
    expect(text).toContain("--- FAIL: TestCause");
  });
});

describe("an example of a docstring", () => {
  it("is shown with its place, what was expected and what came", () => {
    const passed = Array.from({ length: 60 }, (_, i) => ["Trying:", `    total(${i})`, "Expecting:", `    ${i}`, "ok"]);
    const { text } = of([
      ...passed.flat(),
      "**********************************************************************",
      'File "/app/billing/rates.py", line 6, in rates.total',
      "Failed example:",
      "    total([(2, 3)])",
      "Expected:",
      "    5",
      "Got:",
      "    6",
      "***Test Failed*** 1 failures.",
    ]);
    for (const row of ['rates.py", line 6', "total([(2, 3)])", "Expected:\n    5", "Got:\n    6"])
      expect(text).toContain(row);
  });
});
