/** Runs that ended with status 0: short, but what went wrong in spite of it is told like a failure. */
import { describe, expect, it } from "vitest";
import { type Excerpt, excerptOfBytes, SUCCESS_LIMITS } from "../../src/excerpt/index.ts";

function of(lines: readonly string[]): Excerpt {
  return excerptOfBytes(Buffer.from(`${lines.join("\n")}\n`), {
    exitCode: 0,
    command: null,
    limits: SUCCESS_LIMITS,
    headRatio: 0.2,
  });
}

const rows = <Row>(count: number, row: (i: number) => Row): Row[] => Array.from({ length: count }, (_, i) => row(i));

describe("a failure that did not change the status", () => {
  it("of a test comes with its values and its place", () => {
    const { text, tokens } = of([
      "TAP version 13",
      ...rows(240, (i) => `ok ${i + 1} sums ${i} items`),
      "not ok 241 should be deeply equivalent",
      "  ---",
      "    operator: deepEqual",
      "    expected: |-",
      "      { sum: 3000, lines: [ 'z x 12' ] }",
      "    actual: |-",
      "      { sum: 2250, lines: [ 'z x 12' ] }",
      "    at: Test.<anonymous> (/home/dev/app/ta/m17.cjs:2:4748)",
      "  ...",
      ...rows(240, (i) => `ok ${i + 242} sums ${i} items`),
      "",
      "1..481",
      "# tests 481",
      "# pass  480",
      "# fail  1",
    ]);
    for (const row of ["not ok 241", "sum: 3000", "sum: 2250", "m17.cjs:2:4748", "# fail  1"])
      expect(text).toContain(row);
    expect(tokens).toBeLessThan(260);
  });

  it("that was logged comes with its exception", () => {
    const { text } = of([
      ...rows(300, (i) => `2026-12-01 14:38:34,925 INFO [etl] batch ${i}: ${900 + (i % 90)} rows upserted, 0 errors`),
      "2026-12-01 14:38:34,928 ERROR [etl] row 48112 of orders.csv skipped",
      "Traceback (most recent call last):",
      '  File "/app/etl.py", line 6, in <module>',
      '    int("12,5")',
      "ValueError: invalid literal for int() with base 10: '12,5'",
      ...rows(200, (i) => `2026-12-01 14:38:34,929 INFO [etl] batch ${i}: ${900 + (i % 90)} rows upserted, 0 errors`),
      "2026-12-01 14:38:34,932 INFO [etl] done: 500 batches ok, 1 row skipped",
    ]);
    for (const row of ["row 48112 of orders.csv", "'12,5'", '"/app/etl.py", line 6', "done: 500 batches ok"])
      expect(text).toContain(row);
  });

  it("that a playbook ignores comes with its message", () => {
    const { text } = of([
      "[WARNING]: No inventory was parsed, only implicit localhost is available",
      ...rows(40, (i) => `changed: [web1] => {"changed": true, "dest": "/srv/site${i}", "mode": "0644"}`),
      "TASK [Old module] **************************************************************",
      'fatal: [web1]: FAILED! => {"changed": false, "msg": "Unsupported parameters for (command) module: warn. Supported parameters include: argv, chdir, creates, executable, removes, stdin."}',
      "...ignoring",
      "PLAY RECAP *********************************************************************",
      "web1 : ok=42   changed=40   unreachable=0    failed=0    skipped=0    rescued=0    ignored=1",
    ]);
    expect(text).toContain("Unsupported parameters for (command) module: warn");
    expect(text).toContain("ignored=1");
  });

  it("is a leak that valgrind found, with the project's own frame", () => {
    const { text } = of([
      "==2187== Memcheck, a memory error detector",
      ...rows(200, (i) => `case ${i}: ok`),
      "==2187== HEAP SUMMARY:",
      "==2187==     in use at exit: 40 bytes in 1 blocks",
      "==2187==   total heap usage: 2 allocs, 1 frees, 4,136 bytes allocated",
      "==2187== ",
      "==2187== 40 bytes in 1 blocks are definitely lost in loss record 1 of 1",
      "==2187==    at 0x48417B4: malloc (in /usr/libexec/valgrind/vgpreload_memcheck-amd64-linux.so)",
      "==2187==    by 0x109189: cart_new (cart.c:31)",
      "==2187== ",
      "==2187== LEAK SUMMARY:",
      "==2187==    definitely lost: 40 bytes in 1 blocks",
      "==2187==    indirectly lost: 0 bytes in 0 blocks",
      "==2187== ERROR SUMMARY: 1 errors from 1 contexts (suppressed: 0 from 0)",
    ]);
    expect(text).toContain("40 bytes in 1 blocks are definitely lost");
    expect(text).toContain("cart_new (cart.c:31)");
    expect(text).not.toContain("vgpreload");
  });
});

describe("warnings", () => {
  it("of a compiler are one group for each option that asked for them, and one that stands alone is shown", () => {
    const named = rows(120, (i) => [
      `dict.c:${i}:12: warning: conversion to 'int' from 'T${i}' may change the sign of ${"n".repeat(i % 7)} [-Wsign-conversion]`,
      `  ${i} |     return h;`,
      "     |            ^",
    ]).flat();
    const { text } = of([
      "cc -c dict.c",
      ...named.slice(0, 180),
      "hiredis.c:56:5: warning: initialization from incompatible pointer type [-Wincompatible-pointer-types]",
      "   56 |     createArrayObject,",
      "      |     ^",
      ...named.slice(180),
      "ar rcs libhiredis.a dict.o hiredis.o",
    ]);
    expect(text).toContain("incompatible pointer type");
    expect(text).toMatch(/\[-Wsign-conversion\] \(×120\)/);
  });

  it("of a bundler are shown with what they are about", () => {
    const { text } = of([
      "",
      "src/index.js → dist...",
      ...rows(80, (i) => `transforming (${i}) src/page${i}.js`),
      "(!) Unresolved dependencies",
      "https://rollupjs.org/troubleshooting/#warning-treating-module-as-external-dependency",
      'react (imported by "src/index.js")',
      "(!) Circular dependency",
      "src/cart.js -> src/rates.js -> src/cart.js",
      "created dist in 70ms",
    ]);
    for (const row of ["react (imported by", "src/cart.js -> src/rates.js", "created dist in 70ms"])
      expect(text).toContain(row);
    expect(text).not.toContain("https://");
  });

  it("are no options of a compiler that a makefile prints", () => {
    const { text } = of([
      "cd src && make all",
      "make[1]: Entering directory '/home/dev/redis/src'",
      "echo STD=-std=c11 >> .make-settings",
      "echo WARN=-Wall -W -Wno-missing-field-initializers >> .make-settings",
      ...rows(90, (i) => `    CC part${i}.o`),
      "    LINK redis-server",
      "Hint: It's a good idea to run 'make test' ;)",
      "make[1]: Leaving directory '/home/dev/redis/src'",
    ]);
    expect(text).not.toContain("WARN=-Wall");
    expect(text).toContain("LINK redis-server");
  });

  it("are told beside what the run came to", () => {
    const { text, tokens } = of([
      "   Compiling ledger v0.3.0 (/home/dev/ledger)",
      ...rows(5, (i) => [
        "warning: unused variable: `unused`",
        `  --> src/lib.rs:${20 + i * 50}:32`,
        "   |",
        `${20 + i * 50} | pub fn f${i}(a: i64) -> i64 { let unused = 3; a + ${i} }`,
        "   |                                ^^^^^^ help: if this is intentional, prefix it with an underscore: `_unused`",
        "",
      ]).flat(),
      "warning: comparison is useless due to type limits",
      "   --> src/lib.rs:251:66",
      "",
      "warning: `ledger` (lib) generated 6 warnings (run `cargo fix --lib -p ledger` to apply 5 suggestions)",
      "    Finished `test` profile [unoptimized + debuginfo] target(s) in 1.12s",
      "     Running unittests src/lib.rs (target/debug/deps/ledger-0f3a)",
      "running 81 tests",
      ...rows(81, (i) => `test tests::error_case_${i} ... ok`),
      "test result: ok. 81 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.09s",
      "   Doc-tests ledger",
      "running 50 tests",
      ...rows(50, (i) => `test src/lib.rs - f${i} (line ${i * 5}) ... ok`),
      "test result: ok. 50 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 2.45s",
    ]);
    for (const row of ["unused variable: `unused` (×5)", "useless due to type limits", "81 passed", "50 passed"])
      expect(text).toContain(row);
    expect(tokens).toBeLessThan(230);
  });
});

describe("what a run came to", () => {
  it.each([
    [
      "cmake",
      ["[100%] Built target shop", "gmake[1]: Leaving directory '/home/dev/shop/b'"],
      "[100%] Built target shop",
    ],
    [
      "sphinx",
      ["build succeeded, 26 warnings.", "", "The HTML pages are in _build/html."],
      "build succeeded, 26 warnings",
    ],
    [
      "rsync",
      ["", "sent 136,091 bytes  received 8,941 bytes  290,064.00 bytes/sec", "total size is 105,480  speedup is 0.73"],
      "sent 136,091 bytes",
    ],
  ])("is known of %s, and not filled up with rows that say nothing", (_, end, outcome) => {
    const { text, tokens } = of([...rows(300, (i) => `part ${i} of the work: file${i}.txt`), ...end]);
    expect(text).toContain(outcome);
    expect(tokens).toBeLessThan(90);
  });
});
