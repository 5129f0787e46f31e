/**
 * Names of package scripts, recipes and targets: `test:unit` says that it tests, `dev` that it
 * serves, `migrate` nothing. A name counts as heavy when one of its words says so and no other word
 * speaks against it.
 */
import { heavy, light, UNKNOWN, waits, type Finding } from "./finding.ts";

const HEAVY = new Set(
  (
    "build rebuild compile bundle transpile test tests spec specs e2e integration unit coverage cov lint eslint oxlint stylelint typecheck types tsc " +
    "check checks ci verify validate clippy mypy pytest ruff jest vitest mocha playwright assemble smoke regression bench benchmark"
  ).split(" "),
);
const WAITS = new Set(
  "watch dev develop development serve server start preview ui open debug inspect interactive repl console shell studio headed live hot tdd daemon up".split(
    " ",
  ),
);
const LIGHT = new Set(
  (
    "list ls help version clean clear reset init setup install uninstall deps dependencies outdated update updates upgrade bump publish release deploy push pull " +
    "migrate seed db docker format fmt prettier generate gen codegen report show print info status staged links licenses license size env docs"
  ).split(" "),
);

/** What the name of a script says that it does. */
export function scriptName(name: string): Finding {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1:$2")
    .toLowerCase()
    .replace(/type[-_]?check(?:ing|er)?/g, "typecheck")
    .split(/[^a-z0-9]+/)
    .map((word) => word.replace(/^(?:pre|post)(?=build|test|lint)/, ""))
    .filter((word) => word !== "");
  const isHeavy = words.some((word) => HEAVY.has(word));
  const waiting = words.find((word) => WAITS.has(word));
  if (waiting !== undefined) return waits(`"${name}" is named as something that goes on until it is stopped`);
  if (words.includes("storybook") && !words.includes("build")) return waits(`"${name}" serves`);
  if (!isHeavy)
    return words.some((word) => LIGHT.has(word))
      ? light(`"${name}" is not named as a build, test, lint or type check`)
      : UNKNOWN;
  // `build:docs` builds, `list:tests` lists: the word that comes first leads, and what it is done to follows.
  const first = words.findIndex((word) => HEAVY.has(word) || LIGHT.has(word));
  const leads = words[first] ?? "";
  if (LIGHT.has(leads) && leads !== "docs" && leads !== "docker")
    return light(`"${name}" is not named as a build, test, lint or type check`);
  if (
    words.some((word) =>
      [
        "list",
        "help",
        "updates",
        "outdated",
        "update",
        "clean",
        "deps",
        "licenses",
        "staged",
        "report",
        "open",
        "publish",
        "deploy",
        "install",
      ].includes(word),
    )
  ) {
    return light(`"${name}" is not only a build, test, lint or type check`);
  }
  return heavy(`"${name}" is named as a build, test, lint or type check`);
}

/** What several names say together: one that waits makes all wait; all must be known for it to be heavy. */
export function scriptNames(names: readonly (string | null)[]): Finding {
  let found: Finding = UNKNOWN;
  for (const name of names) {
    if (name === null) return UNKNOWN;
    const one = scriptName(name);
    if (one.kind === "waits") return one;
    if (one.kind === "unknown") return UNKNOWN;
    if (found.kind !== "heavy") found = one;
  }
  return found;
}
