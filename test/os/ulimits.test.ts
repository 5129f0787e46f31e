/** Limits that a shell sets, for a system without numbers of ours for setrlimit(2). */
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { withUlimits } from "../../src/os/launcher.ts";

function outputOf(argv: readonly string[]): string {
  const [program = "", ...args] = argv;
  return execFileSync(program, args, { encoding: "utf8" });
}

test("the command gets its limits, soft below hard, and its arguments as they are", () => {
  const limits = [
    { resource: "nofile", soft: 64, hard: 65 },
    { resource: "cpu", soft: 7, hard: 12 },
  ] as const;
  const script = 'ulimit -Sn; ulimit -Hn; ulimit -St; ulimit -Ht; echo "$1"';
  expect(outputOf(withUlimits(["bash", "-c", script, "bash", "a 'b' $c"], limits))).toBe("64\n65\n7\n12\na 'b' $c\n");
});

test("a file size in the shell's own unit", () => {
  const limits = [{ resource: "fsize", soft: 1024 ** 2, hard: 1024 ** 2 + 4096 }] as const;
  const script = "head -c 1048576 /dev/zero | tee /dev/null | wc -c";
  expect(outputOf(withUlimits(["bash", "-c", `${script}; ulimit -Sf`], limits))).toBe("1048576\n1024\n");
});

test("without limits nothing stands before the command", () => {
  expect(withUlimits(["a", "b"], [])).toEqual(["a", "b"]);
});

test("a limit that is refused is no start", () => {
  const limits = [{ resource: "nofile", soft: 10 ** 15, hard: 10 ** 15 + 1 }] as const;
  expect(() => outputOf(withUlimits(["echo", "started"], limits))).toThrow(/ulimit/);
});
