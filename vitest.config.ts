/**
 * Two projects: floors that are pure run in parallel; whatever starts real processes runs one file at a
 * time, so that a test's processes compete with nothing but themselves.
 */
import { defineConfig } from "vitest/config";

const PURE = ["model", "text", "excerpt", "machine", "shell"].map((floor) => `test/${floor}/**/*.test.ts`);

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    pool: "forks",
    globalSetup: ["test/own-state.ts"],
    projects: [
      { extends: true, test: { name: "pure", include: PURE, maxWorkers: 2, sequence: { groupOrder: 0 } } },
      {
        extends: true,
        test: {
          name: "process",
          include: ["test/**/*.test.ts"],
          exclude: PURE,
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
