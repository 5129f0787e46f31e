import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ID_PATTERN, isIdOrPrefix, matchId, newId } from "../../src/model/index.ts";

const idText = fc.stringMatching(/^[a-z0-9][a-z0-9-]{4,20}$/);

describe("a new id", () => {
  it("has the shape of the contract, and its unique prefix is accepted", () => {
    for (let i = 0; i < 200; i += 1) {
      const id = newId();
      expect(id).toMatch(ID_PATTERN);
      expect(isIdOrPrefix(id.slice(0, 4))).toBe(true);
    }
  });

  it("is another one each time", () => {
    expect(new Set(Array.from({ length: 10_000 }, newId)).size).toBe(10_000);
  });
});

describe("what may name a run", () => {
  it.each(["abcd", "a-b-", "0123456789ab", "a".repeat(64)])("%j may", (text) => {
    expect(isIdOrPrefix(text)).toBe(true);
  });
  it.each(["", "abc", "-abcd", "ABCD", "ab/cd", "../../x", "abcd\n", "a".repeat(65), "abcd e"])(
    "%j may not",
    (text) => {
      expect(isIdOrPrefix(text)).toBe(false);
    },
  );
});

describe("finding an id", () => {
  const ids = ["abcd1111", "abcd2222", "efgh1111"];
  it("takes the whole id, also where it is a prefix of another", () => {
    expect(matchId("abcd1", ["abcd12", "abcd1"])).toEqual({ kind: "one", id: "abcd1" });
  });
  it("takes a unique prefix of four characters and no shorter one", () => {
    expect(matchId("efgh", ids)).toEqual({ kind: "one", id: "efgh1111" });
    expect(matchId("efg", ids)).toEqual({ kind: "none" });
  });
  it("names all that an ambiguous prefix could mean", () => {
    expect(matchId("abcd", ids)).toEqual({ kind: "many", ids: ["abcd1111", "abcd2222"] });
  });
  it("counts an id that is listed twice once", () => {
    expect(matchId("efgh", [...ids, ...ids])).toEqual({ kind: "one", id: "efgh1111" });
  });
  it("agrees with a search by hand", () => {
    fc.assert(
      fc.property(fc.uniqueArray(idText, { maxLength: 20 }), idText, fc.nat(20), (many, other, cut) => {
        const given = (many[0] ?? other).slice(0, Math.max(4, cut));
        const found = many.includes(given) ? [given] : many.filter((id) => id.startsWith(given));
        const match = matchId(given, many);
        if (found.length === 0) expect(match).toEqual({ kind: "none" });
        else if (found.length === 1) expect(match).toEqual({ kind: "one", id: found[0] });
        else expect(match).toEqual({ kind: "many", ids: found });
      }),
    );
  });
});
