/** Laws of retention: what goes, in which order, and what never does. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { GIVEN_MS, expiredLogs } from "../../src/machine/index.ts";

const NOW = 1_000_000_000;
const log = fc.record({
  id: fc.uuid(),
  bytes: fc.nat(1000),
  endedAt: fc.integer({ min: NOW - 10 * GIVEN_MS, max: NOW }),
  givenAt: fc.option(fc.integer({ min: NOW - 3 * GIVEN_MS, max: NOW })),
  isNeeded: fc.boolean(),
});
const logs = fc.uniqueArray(log, { selector: (one) => one.id, maxLength: 20 });
const limits = fc.record({ ttlMs: fc.integer({ min: 1, max: 8 * GIVEN_MS }), totalBytes: fc.nat(5000) });

test("never what is needed or was given lately; whatever else is too old goes", () => {
  fc.assert(
    fc.property(logs, limits, (all, kept) => {
      const gone = new Set(expiredLogs(all, NOW, kept).map(({ id }) => id));
      for (const one of all) {
        const isGiven = one.givenAt !== null && NOW - one.givenAt < GIVEN_MS;
        if (one.isNeeded || isGiven || one.bytes === 0) expect(gone.has(one.id)).toBe(false);
        else if (NOW - one.endedAt >= kept.ttlMs) expect(gone.has(one.id)).toBe(true);
      }
    }),
  );
});

test("for the sake of size the oldest go, and no more than it takes", () => {
  fc.assert(
    fc.property(logs, limits, (all, kept) => {
      const expired = expiredLogs(all, NOW, kept);
      const sum = (some: readonly { bytes: number }[]): number => some.reduce((total, { bytes }) => total + bytes, 0);
      const left = sum(all) - sum(expired);
      const forSize = expired.filter(({ why }) => why === "size");
      const last = forSize.at(-1);
      if (last !== undefined) expect(left + sum(expired.slice(expired.indexOf(last)))).toBeGreaterThan(kept.totalBytes);
      const ends = expired.map(({ id }) => all.find((one) => one.id === id)?.endedAt ?? 0);
      expect(ends).toEqual(ends.toSorted((a, b) => a - b));
      if (left > kept.totalBytes) {
        const gone = new Set(expired.map(({ id }) => id));
        const rest = all.filter((one) => !gone.has(one.id) && one.bytes > 0);
        expect(rest.every((one) => one.isNeeded || (one.givenAt !== null && NOW - one.givenAt < GIVEN_MS))).toBe(true);
      }
    }),
  );
});
