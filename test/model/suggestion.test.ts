import { describe, expect, it } from "vitest";
import { nearest } from "../../src/model/suggestion.ts";

const OPTIONS = ["timeout", "idle-timeout", "name", "session", "json", "background"];

describe("the word that was probably meant", () => {
  it.each([
    ["tiemout", "timeout"],
    ["timout", "timeout"],
    ["sesion", "session"],
    ["jsno", "json"],
    ["backgr", "background"],
    ["nane", "name"],
  ])("%s means %s", (given, meant) => {
    expect(nearest(given, OPTIONS)).toBe(meant);
  });

  it.each(["x", "zzzzzz", "quux"])("%s means none of them", (given) => {
    expect(nearest(given, OPTIONS)).toBeNull();
  });
});
