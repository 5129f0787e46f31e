/** The formats of output that a filter knows how to shorten, by the filter's name. */
export type FilterName = "cargo-test" | "pytest" | "git-diff" | "grep" | "go-test" | "ruff-check";
