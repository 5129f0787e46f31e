/** Kinds of logs that no tool's layout tells of: records, long server logs, grouped exceptions, users' patterns. */
import { describe, expect, it } from "vitest";
import { type Excerpt, type ExcerptRequest, excerptOfBytes, FAILURE_LIMITS } from "../../src/excerpt/index.ts";

function of(lines: readonly string[], more: Partial<ExcerptRequest> = {}): Excerpt {
  return excerptOfBytes(Buffer.from(`${lines.join("\n")}\n`), {
    exitCode: 1,
    command: null,
    limits: FAILURE_LIMITS,
    headRatio: 0.2,
    ...more,
  });
}
const times = (n: number, line: (i: number) => string): string[] => Array.from({ length: n }, (_, i) => line(i));

describe("a log of records", () => {
  it("shows what the error's record says of it, though the record is long", () => {
    const lines = times(4000, (i) =>
      JSON.stringify({
        ts: "2026-01-02T03:04:05Z",
        level: "info",
        logger: "controller.reconcile",
        msg: "reconciled",
        object: { kind: "Deployment", name: `web-${i % 40}`, ns: "prod" },
        durationMs: i % 50,
        errors: 0,
      }),
    );
    lines[2711] = JSON.stringify({
      ts: "2026-01-02T03:04:05Z",
      level: "error",
      logger: "controller.reconcile",
      msg: "reconcile failed",
      object: { kind: "Deployment", name: "web-31", ns: "prod" },
      durationMs: 49,
      error: "admission webhook policy.example denied the request: image registry.local/api:1.9 has no signature",
      stacktrace: "sigs.k8s.io/controller-runtime/pkg/internal.(*Controller).reconcile\n\t/go/pkg/mod/x.go:329",
    });
    const { text, tokens } = of(lines);
    expect(text).toContain("image registry.local/api:1.9 has no signature");
    expect(tokens).toBeLessThan(400);
  });
});

describe("a server's log", () => {
  it("shows the one stack trace with its cause and the frame of the project", () => {
    const lines = times(
      30_000,
      (i) => `2026-01-02T03:04:05Z ${i % 50 === 0 ? "WARN  slow query" : "INFO  GET"} /cart/${i} 200`,
    );
    lines.splice(
      17_342,
      0,
      "2026-01-02T03:04:05Z ERROR [cart] CartController - request 8f3a failed",
      "org.springframework.dao.CannotAcquireLockException: could not execute statement",
      ...times(14, (i) => `\tat org.springframework.orm.jpa.Vendor${i}.translate(Vendor${i}.java:${200 + i})`),
      "\tat com.example.shop.CartService.addItem(CartService.java:88)",
      ...times(30, (i) => `\tat org.springframework.aop.Proxy${i}.invoke(Proxy${i}.java:${100 + i})`),
      "Caused by: org.postgresql.util.PSQLException: ERROR: deadlock detected",
      "  Detail: Process 4411 waits for ShareLock; blocked by process 4409.",
      "\t... 45 more",
    );
    const { text } = of(lines);
    for (const needed of [
      "request 8f3a failed",
      "could not execute statement",
      "CartService.java:88",
      "deadlock detected",
      "blocked by process 4409",
    ])
      expect(text).toContain(needed);
    expect(text).not.toContain("Vendor7");
  });
});

describe("lines of which a user's pattern matches one", () => {
  it("are told apart though they differ in numbers only", () => {
    const seen = of(
      times(1000, (i) => String(i + 1)),
      { errorPatterns: [/^17$/] },
    );
    expect(seen.text.split("\n")).toContain("17");
    expect(seen.ranges.find((range) => range.fromLine <= 17 && range.toLine >= 17)?.why).toBe("error");
  });

  it("are one group when many match", () => {
    const seen = of(
      times(1000, (i) => `tick ${i}`),
      { errorPatterns: [/^tick \d*7$/] },
    );
    expect(seen.text).toContain("tick 7 (×100)");
    expect(seen.tokens).toBeLessThan(300);
  });
});
