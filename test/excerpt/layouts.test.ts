/** Layouts that say what is wrong without a word for it: by where a row stands, not by what it is called. */
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
    expect(of([...steps(200), ...traceback(exception), ...steps(40)]).text).toContain(exception);
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
