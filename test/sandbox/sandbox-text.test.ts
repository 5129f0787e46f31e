/** Policies as text for the tools that enforce them, and refusals recognised. */
import { describe, expect, test } from "vitest";
import type { SandboxPolicy } from "../../src/model/index.ts";
import {
  bubblewrapArgv,
  sandboxArgv,
  sandboxDenials,
  sandboxSummary,
  seatbeltProfile,
} from "../../src/sandbox/index.ts";

const POLICY: SandboxPolicy = {
  name: "test",
  readable: null,
  writable: ["/w"],
  protected: ["/w/.git/hooks"],
  denied: ["/home/u/.ssh/", "/etc/secret"],
  network: "none",
};
const PLACE = { cwd: "/w/sub", isRoot: false, tmpDir: "/s/runs/r/tmp", needed: ["/s/runs/r/command"], hidden: ["/s/"] };

/** Where some words stand one after the other. */
function indexOf(argv: readonly string[], ...words: readonly string[]): number {
  return argv.findIndex((_, i) => words.every((word, k) => argv[i + k] === word));
}

describe("bubblewrap", () => {
  const argv = bubblewrapArgv("/usr/bin/bwrap", POLICY, PLACE, ["prog", "a b", "--", "$x"]);

  test("the command stands behind --, untouched", () => {
    expect(argv[0]).toBe("/usr/bin/bwrap");
    expect(argv.slice(-5)).toEqual(["--", "prog", "a b", "--", "$x"]);
  });

  test("it dies with its parent", () => expect(argv).toContain("--die-with-parent"));

  test("no capability is left, and root keeps those that let it work with files", () => {
    expect(indexOf(argv, "--cap-drop", "ALL")).toBeGreaterThan(0);
    expect(argv).not.toContain("--cap-add");
    const asRoot = bubblewrapArgv("bwrap", POLICY, { ...PLACE, isRoot: true }, ["x"]);
    expect(indexOf(asRoot, "--cap-drop", "ALL")).toBeLessThan(indexOf(asRoot, "--cap-add", "CAP_DAC_OVERRIDE"));
    expect(asRoot.filter((word) => /SYS|NET|MKNOD|SETPCAP|DAC_READ/.test(word))).toEqual([]);
  });

  test("what is more specific is mounted later", () => {
    const order = [
      indexOf(argv, "--ro-bind", "/", "/"),
      indexOf(argv, "--bind", "/w", "/w"),
      indexOf(argv, "--ro-bind-try", "/w/.git/hooks", "/w/.git/hooks"),
      indexOf(argv, "--tmpfs", "/home/u/.ssh"),
      indexOf(argv, "--ro-bind-try", "/dev/null", "/etc/secret"),
      indexOf(argv, "--bind", "/s/runs/r/tmp", "/s/runs/r/tmp"),
      indexOf(argv, "--remount-ro", "/s"),
    ];
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  test("a hidden directory inside a hidden one is covered once", () => {
    const nested = bubblewrapArgv("bwrap", POLICY, { ...PLACE, hidden: ["/s/a/", "/s/"] }, ["x"]);
    expect(indexOf(nested, "--tmpfs", "/s/a")).toBe(-1);
    expect(indexOf(nested, "--tmpfs", "/s")).toBeGreaterThan(0);
  });

  test("the network", () => {
    expect(argv).toContain("--unshare-net");
    expect(bubblewrapArgv("bwrap", { ...POLICY, network: "full" }, PLACE, ["x"])).not.toContain("--unshare-net");
    expect(bubblewrapArgv("bwrap", { ...POLICY, network: "loopback" }, PLACE, ["x"])).toContain("--unshare-net");
  });

  test("only some paths readable", () => {
    const some = bubblewrapArgv("bwrap", { ...POLICY, readable: ["/data"] }, PLACE, ["x"]);
    expect(indexOf(some, "--ro-bind", "/", "/")).toBe(-1);
    expect(indexOf(some, "--ro-bind-try", "/data", "/data")).toBeGreaterThan(0);
    expect(indexOf(some, "--ro-bind-try", "/usr", "/usr")).toBeGreaterThan(0);
  });
});

describe("sandbox-exec", () => {
  test("the whole profile", () => {
    expect(seatbeltProfile(POLICY, PLACE)).toBe(`(version 1)
(allow default)
(deny file-write*)
(allow file-write*
  (subpath "/w")
)
(allow file-write* (literal "/dev/null") (literal "/dev/zero") (literal "/dev/tty") (regex #"^/dev/fd/"))
(deny file-write*
  (subpath "/w/.git/hooks")
)
(deny file-read* file-write*
  (subpath "/home/u/.ssh")
  (subpath "/etc/secret")
  (subpath "/s")
)
(allow file-read* file-write*
  (subpath "/s/runs/r/tmp")
)
(allow file-read*
  (subpath "/s/runs/r/command")
)
(deny network*)
`);
  });

  test("a path can't end its string", () => {
    expect(seatbeltProfile({ ...POLICY, writable: ['/a"b\\c'] }, PLACE)).toContain('(subpath "/a\\"b\\\\c")');
  });

  test("parentheses are balanced, whatever the policy", () => {
    for (const network of ["none", "loopback", "full"] as const) {
      for (const readable of [null, ["/data"]]) {
        const text = seatbeltProfile({ ...POLICY, network, readable }, PLACE);
        expect(text.split("(").length).toBe(text.split(")").length);
      }
    }
  });

  test("the command line", () => {
    const argv = sandboxArgv({ policy: POLICY, tool: { kind: "sandbox-exec", path: "/usr/bin/sandbox-exec" } }, PLACE, [
      "prog",
      "x",
    ]);
    expect(argv[0]).toBe("/usr/bin/sandbox-exec");
    expect(argv.slice(-3)).toEqual(["TMPDIR=/s/runs/r/tmp", "prog", "x"]);
  });
});

describe("refusals", () => {
  test.each([
    ["touch: cannot touch 'x': Read-only file system", "write"],
    ["Error: EROFS: read-only file system, open 'x'", "write"],
    ["curl: (6) Could not resolve host: example.org", "network"],
    ["Error: connect ENETUNREACH 1.1.1.1:443", "network"],
    ["curl: (56) CONNECT tunnel failed, response 403", "network"],
    ["OSError: Tunnel connection failed: 403 Forbidden", "network"],
    ["npm error tunneling socket could not be established, statusCode=403", "network"],
    ["Connection blocked by network allowlist", "network"],
  ] as const)("%s", (line, what) => {
    expect(sandboxDenials(`before\n${line}\nafter`, POLICY, false)).toEqual([{ what, line }]);
  });

  test("an open network is not blamed", () => {
    expect(sandboxDenials("Could not resolve host: x", { ...POLICY, network: "full" }, false)).toEqual([]);
  });

  test("other failures are none", () => {
    expect(sandboxDenials("Permission denied\nNo such file or directory", POLICY, false)).toEqual([]);
  });
});

test("what holds a run, for people", () => {
  expect(sandboxSummary({ policy: POLICY, tool: { kind: "bwrap", path: "/usr/bin/bwrap" } })).toBe(
    "sandbox: test by bubblewrap, network none",
  );
});
