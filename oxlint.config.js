/**
 * The linter's one configuration. What each floor may import is read from its tsconfig.json, so that the
 * compiler's project references and the linter can't disagree: a file imports lower floors only, and
 * another folder only through its door, index.ts. `npm run lint` runs it.
 */
import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";

const SRC = join(import.meta.dirname, "src");

/** Doors besides index.ts: parts of a folder that few users need and every other would pay for at its start. */
const SIDE_DOORS = {
  protocol: ["messages.ts"],
  session: ["access.ts", "connect.ts"],
  os: ["cgroups.ts", "path-search.ts", "private-files.ts", "process-table.ts", "rtk.ts"],
};

/** Floors of pure functions: nothing of Node's, so that they can be tested and moved anywhere. */
const PURE = new Set(["text", "excerpt", "machine", "shell", "ports", "sandbox"]);

const floors = readdirSync(SRC, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => entry.name);

/** The folders that a floor may import from. */
function allowed(floor) {
  const { references = [] } = JSON.parse(readFileSync(join(SRC, floor, "tsconfig.json"), "utf8"));
  return references.map((reference) => basename(reference.path));
}

/** Everything in a folder but its doors, in the words of gitignore(5). */
function behindDoors(floor) {
  const doors = ["index.ts", ...(SIDE_DOORS[floor] ?? [])];
  return [`../**/${floor}/**`].concat(doors.map((file) => `!../**/${floor}/${file}`));
}

function floorRule(floor) {
  const open = allowed(floor);
  const shut = floors.filter((other) => other !== floor && !open.includes(other));
  const patterns = [
    {
      regex: `^(\\.\\./)+(src/)?(${shut.join("|")})/`,
      message: `src/${floor} may import from ${open.length === 0 ? "no other floor" : open.join(", ")} only (see src/${floor}/tsconfig.json).`,
    },
  ];
  if (open.length > 0) {
    patterns.push({
      group: open.flatMap(behindDoors),
      message: "Another folder is entered through its door, index.ts.",
    });
  }
  if (PURE.has(floor))
    patterns.push({ regex: "^node:", message: `src/${floor} is pure: it imports nothing of Node's.` });
  return { files: [`src/${floor}/**/*.ts`], rules: { "no-restricted-imports": ["error", { patterns }] } };
}

export default {
  plugins: ["typescript", "import", "unicorn", "oxc", "promise", "node", "vitest"],
  categories: { correctness: "error", suspicious: "error", perf: "error" },
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: "error" },
  env: { node: true, es2024: true },
  ignorePatterns: ["dist", "node_modules", "**/fixtures"],
  rules: {
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-non-null-assertion": "error",
    "typescript/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
    "typescript/only-throw-error": "error",
    "typescript/consistent-type-imports": "error",
    eqeqeq: "error",
    "prefer-const": "error",
    "no-var": "error",

    // Off, each for a reason.
    "no-await-in-loop": "off", // one after the other is what most of our loops are for
    "import/no-named-as-default-member": "off", // fast-check is written fc.property by everybody
    "no-underscore-dangle": ["error", { allow: ["_meta"] }], // a field of MCP's
    "no-control-regex": "off", // terminal output is our material
    "no-unmodified-loop-condition": "off", // an AbortSignal changes while we wait
    "oxc/no-map-spread": "off", // lists of ten objects
    "promise/always-return": "off", // a then() that only acts returns nothing
    "typescript/consistent-return": "off", // the compiler's noImplicitReturns knows about exhaustive switches
    "typescript/no-misused-spread": "off", // spreading a string into its code points is what is meant
    "typescript/no-unnecessary-boolean-literal-compare": "off", // isTTY has the type boolean and the value undefined
    "typescript/no-unsafe-type-assertion": "off", // can't tell a cast that was checked at run time from one that was not
    "unicorn/no-array-sort": "off", // in place is right for a list that was just made
    "unicorn/consistent-function-scoping": "off", // a closure stands where it is read
    "unicorn/require-module-specifiers": "off", // a floor's door that is still empty
    "unicorn/prefer-set-has": "off", // lists of ten names
  },
  overrides: [
    ...floors.map(floorRule),
    {
      // Without a compiler's eye on them, types are guesses.
      files: ["**/*.{js,mjs}"],
      rules: { "typescript/restrict-template-expressions": "off" },
    },
    {
      files: ["test/**/*.ts"],
      rules: {
        "vitest/no-focused-tests": "error",
        "vitest/no-disabled-tests": "error",
        "vitest/no-identical-title": "error",
        "vitest/expect-expect": ["error", { assertFunctionNames: ["expect", "expect*", "eventually", "fc.assert"] }],
        "vitest/valid-expect": ["error", { maxArgs: 2 }], // the second argument tells the story of a round
        "vitest/no-standalone-expect": "off", // what is left is looked at when all tests are over
        "vitest/no-conditional-expect": "off", // property tests and tables of cases have both
        "vitest/require-to-throw-message": "off", // some errors are the system's
      },
    },
  ],
};
