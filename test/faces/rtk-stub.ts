/** A stand-in for rtk: it answers as rtk does, in every way that it may fail, and writes down what it was asked. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { install } from "./callers.ts";

/** How the stand-in behaves; each is a piece of sh. */
export interface Stub {
  /** Printed for --version. */
  readonly version?: string;
  /** Run for `pipe --help`. */
  readonly help?: string;
  /** Run for `pipe -f NAME`, with the log on its standard input. */
  readonly pipe?: string;
  /** The first line, for a program that the system can't start. */
  readonly interpreter?: string;
}

/** Puts the stand-in into `dir`; what it is asked goes to `dir`/calls, a line a call. */
export function installRtk(dir: string, stub: Stub = {}): void {
  install(
    dir,
    "rtk",
    `#!${stub.interpreter ?? "/bin/sh"}
echo "$*" >> '${join(dir, "calls")}'
case "$*" in
  --version) echo '${stub.version ?? "rtk 0.49.1"}' ;;
  "pipe --help") ${stub.help ?? "exit 0"} ;;
  "pipe -f "*) ${stub.pipe ?? "cat"} ;;
  *) touch '${join(dir, "ran-something-else")}'; exit 9 ;;
esac
`,
  );
}

/** What the stand-in was asked, in order; nothing but questions about itself and filters. */
export function callsOf(dir: string): readonly string[] {
  if (existsSync(join(dir, "ran-something-else"))) throw new Error("rtk was asked to run something");
  const file = join(dir, "calls");
  return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
}
