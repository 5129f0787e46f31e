/**
 * Control groups as they can be found: the files' formats on a tree of plain files, and scopes of a service manager's
 * with a stand-in for systemd-run, which does what systemd-run(1) says of `--scope`: makes the unit's group, moves
 * itself into it and becomes the command. With a real manager: `npm run test:cgroup-v2`.
 */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  rmdirSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { limitMechanisms } from "../../src/engine/limit-evidence.ts";
import { NO_LIMITS } from "../../src/model/index.ts";
import {
  enableControllers,
  put,
  unifiedHierarchy,
  unifiedMount,
  writableHierarchies,
} from "../../src/os/cgroup-hierarchies.ts";
import { sweepCgroups, systemCgroups } from "../../src/os/cgroups.ts";
import { SystemdScope } from "../../src/os/index.ts";
import { bareEngine } from "../engine/bare-engine.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "proctor-cgroups-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Writes files below a new directory; gives its path. */
function tree(files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(root, "tree-"));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(dir, name, ".."), { recursive: true });
    writeFileSync(join(dir, name), text);
  }
  return dir;
}

/** A machine with version 2 alone, on which this process is in `own`. */
function unified(own: string, files: Readonly<Record<string, string>>): { proc: string; mount: string } {
  const dir = tree(Object.fromEntries(Object.entries(files).map(([name, text]) => [`c g/${name}`, text])));
  const mount = join(dir, "c g");
  mkdirSync(join(dir, "proc"));
  writeFileSync(join(dir, "proc", "cgroup"), `0::${own}\n`);
  writeFileSync(join(dir, "proc", "mounts"), `cgroup2 ${mount.replaceAll(" ", "\\040")} cgroup2 rw,nosuid 0 0\n`);
  return { proc: join(dir, "proc"), mount };
}

const LIMITS = { memoryBytes: 1 << 28, cpuTimeMs: null, processes: null };

describe("where groups can be made", () => {
  test("a group whose children have a memory controller", () => {
    const { proc, mount } = unified("/user/own", {
      "user/own/cgroup.procs": "",
      "user/own/cgroup.type": "domain\n",
      "user/own/cgroup.controllers": "cpu memory pids\n",
      "user/own/cgroup.subtree_control": "memory pids\n",
    });
    expect(writableHierarchies(proc)).toEqual([
      { version: 2, controller: null, base: `${mount}/user/own`, controllers: ["memory", "pids"], name: "cgroup v2" },
    ]);
    expect(systemCgroups(null, proc).description).toMatch(/memory limits by version 2/);
  });

  test("a group that holds processes itself can't have limited ones below it", () => {
    const { proc } = unified("/own", {
      "own/cgroup.procs": "1\n",
      "own/cgroup.type": "domain\n",
      "own/cgroup.controllers": "memory pids\n",
      "own/cgroup.subtree_control": "\n",
    });
    expect(writableHierarchies(proc)[0]?.controllers).toEqual([]);
    expect(systemCgroups(null, proc).description).toMatch(/watched, not enforced/);
  });

  test("the root can, and is told to", () => {
    const { proc, mount } = unified("/", {
      "cgroup.procs": "1\n",
      "cgroup.controllers": "cpuset cpu io memory pids\n",
      "cgroup.subtree_control": "",
    });
    expect(writableHierarchies(proc)[0]?.controllers).toEqual(["memory", "pids"]);
    enableControllers(mount);
    expect(readFileSync(join(mount, "cgroup.subtree_control"), "utf8")).toMatch(/\+pids/);
  });

  test("what can't be written is not there", () => {
    expect(writableHierarchies(tree({}))).toEqual([]);
    expect(systemCgroups(null, tree({ mounts: "" })).create("r", LIMITS)).toBeNull();
  });

  test("a file that the kernel has not is never made", () => {
    const dir = tree({ "memory.max": "max\n" });
    expect(put(join(dir, "memory.swap.max"), "0")).toBe(false);
    expect(readdirSync(dir)).toEqual(["memory.max"]);
  });
});

describe("what a group's counters say", () => {
  const group = (version: 1 | 2): ReturnType<ReturnType<typeof systemCgroups>["find"]> => {
    if (version === 2) {
      const { proc } = unified("/", {
        "cgroup.procs": "",
        "cgroup.controllers": "memory",
        "proctor-run-1/cgroup.procs": "41\n0\n42\n",
        "proctor-run-1/memory.max": "104857600\n",
        "proctor-run-1/memory.swap.max": "0\n",
        "proctor-run-1/pids.max": "max\n",
        "proctor-run-1/memory.events": "low 0\nhigh 0\nmax 1413\noom 1\noom_kill 3\noom_group_kill 1\n",
        "proctor-run-1/cpu.stat": "usage_usec 1234567\nuser_usec 1000000\nsystem_usec 234567\n",
        "proctor-run-1/pids.events": "max 2\n",
      });
      return systemCgroups(null, proc).find("run-1");
    }
    const dir = tree({
      "memory/own/cgroup.procs": "",
      "memory/own/proctor-run-1/cgroup.procs": "41\n",
      "memory/own/proctor-run-1/memory.limit_in_bytes": "104857600\n",
      "memory/own/proctor-run-1/memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 2\n",
      "cpuacct/own/proctor-run-1/cgroup.procs": "41\n",
      "cpuacct/own/proctor-run-1/cpuacct.usage": "2500000000\n",
      "proc/cgroup": "4:memory:/own\n2:cpu,cpuacct:/own\n",
    });
    writeFileSync(
      join(dir, "proc", "mounts"),
      `cgroup ${dir}/memory cgroup rw,memory 0 0\ncgroup ${dir}/cpuacct cgroup rw,cpu,cpuacct 0 0\n`,
    );
    return systemCgroups(null, join(dir, "proc")).find("run-1");
  };

  test("version 2", () => {
    const found = group(2);
    expect(found?.evidence()).toEqual({ oomKills: 3, cpuMs: 1234.567, forkRefusals: 2 });
    expect(found?.pids()).toEqual([41, 42]);
    expect([found?.memoryBy, found?.limitsSwap, found?.processesBy, found?.cpuBy]).toEqual([
      "cgroup v2",
      true,
      null,
      "cgroup v2",
    ]);
  });

  test("version 1", () => {
    const found = group(1);
    expect(found?.evidence()).toEqual({ oomKills: 2, cpuMs: 2500, forkRefusals: 0 });
    expect([found?.memoryBy, found?.limitsSwap, found?.processesBy, found?.cpuBy]).toEqual([
      "cgroup v1 (memory)",
      false,
      null,
      "cgroup v1 (cpuacct)",
    ]);
  });

  test("swap that this kernel does not count is not passed off as limited", () => {
    const limits = { ...NO_LIMITS, memoryBytes: 1 };
    expect(limitMechanisms(limits, group(1))).toEqual(["memory: cgroup v1 (memory), swap not counted by this kernel"]);
    expect(limitMechanisms(limits, group(2))).toEqual(["memory: cgroup v2, swap included"]);
  });
});

describe("a scope of the service manager's", () => {
  const mount = unifiedMount() ?? "/sys/fs/cgroup";
  const canMake = isWritable(mount) && isWritable(join(mount, "cgroup.procs"));
  const slice = join(mount, `proctor-test-${process.pid}`);
  afterAll(() => {
    for (const dir of deepestFirst(slice)) rmdirSync(dir);
  });

  /** A directory with a systemd-run in it that writes its arguments down and does what `body` says. */
  function standIn(body: string): { PATH: string; XDG_RUNTIME_DIR: string; argvFile: string } {
    const dir = tree({});
    const argvFile = join(dir, "argv");
    writeFileSync(
      join(dir, "systemd-run"),
      `#!/bin/bash\nprintf '%s\\n' "$@" > ${argvFile}\nenv > ${argvFile}.env\n${body}\n`,
      { mode: 0o755 },
    );
    return { PATH: `${dir}:${process.env["PATH"] ?? ""}`, XDG_RUNTIME_DIR: "/run/user/7", argvFile };
  }

  const GRANTS = `
while [ "$1" != -- ]; do case $1 in --unit=*) unit=\${1#--unit=};; esac; shift; done; shift
mkdir -p ${slice}/$unit && echo $$ > ${slice}/$unit/cgroup.procs || exit 1
exec "$@"`;

  /** An engine on a machine that has no group of its own to make others in, and a systemd-run. */
  function engineWith(env: NodeJS.ProcessEnv): ReturnType<typeof bareEngine> {
    return bareEngine((dir) => {
      const scope = new SystemdScope({ name: "proctor-s1", recordPath: join(dir, "scopes"), env });
      return { scope, cgroups: systemCgroups(scope, tree({ mounts: "" })) };
    });
  }

  test("is asked for in so many words, once, and only when a limit needs it", async () => {
    const env = standIn(GRANTS);
    const engine = engineWith(env);
    try {
      await engine.endOf("true", { openFiles: 64 });
      expect(existsSync(env.argvFile)).toBe(false);

      const view = await engine.endOf("cat /proc/self/cgroup", { memoryBytes: 1 << 28 });
      const argv = readFileSync(env.argvFile, "utf8").split("\n");
      expect(argv.slice(0, 8)).toEqual([
        "--user",
        "--scope",
        "--quiet",
        "--collect",
        expect.stringMatching(/^--unit=proctor-s1-\d+-\d+\.scope$/),
        "-p",
        "Delegate=yes",
        "--",
      ]);
      expect(readFileSync(`${env.argvFile}.env`, "utf8")).toContain("XDG_RUNTIME_DIR=/run/user/7");
      const told = readFileSync(view.log.path, "utf8");
      const inScope = `/proctor-test-${process.pid}/${argv[4]?.slice("--unit=".length)}/proctor-${view.id}`;
      expect(told.includes(inScope)).toBe(canMake);
      expect(view.mechanisms?.join()).toMatch(
        canMake ? /^memory: (cgroup v2 \(systemd-run --user --scope\)|watched)/ : /^memory: watched/,
      );

      writeFileSync(env.argvFile, "not again");
      await engine.endOf("true", { memoryBytes: 1 << 28 });
      expect(readFileSync(env.argvFile, "utf8")).toBe("not again");
    } finally {
      await engine.close();
    }
  });

  test("counts the CPU time of all processes together", async () => {
    const engine = engineWith(standIn(GRANTS));
    try {
      const burn = `${process.execPath} -e 'for(const e=process.cpuUsage();;){const c=process.cpuUsage(e);if(c.user+c.system>600000)break}'`;
      const view = await engine.endOf(`for i in 1 2 3 4 5 6; do ${burn}; done; sleep 60`, { cpuTimeMs: 1500 });
      expect(view).toMatchObject({ cause: "resource_limit", resource: "cpu_time" });
      expect(view.mechanisms?.join()).toContain(
        canMake ? "cgroup v2 (systemd-run --user --scope) counts all processes" : "watched every 250 ms",
      );
    } finally {
      await engine.close();
    }
  });

  test.each([
    ["there is no manager", "echo 'Failed to connect to bus: No medium found' >&2; exit 1"],
    ["the manager gives none", 'exec "$(command -v true)"'],
  ])("%s: the limit is watched, and said to be soft", async (_, body) => {
    const engine = engineWith(standIn(body));
    try {
      const view = await engine.endOf("exit 3", { memoryBytes: 1 << 28 });
      expect(view).toMatchObject({ cause: "completed", exitCode: 3 });
      expect(view.mechanisms?.join()).toMatch(/^memory: watched every 250 ms \(soft/);
    } finally {
      await engine.close();
    }
  });

  test("root without a manager of its own asks the system's, beside its own slice", () => {
    const scope = new SystemdScope({ name: "n", recordPath: join(root, "none"), env: { PATH: "" } });
    const isRoot = process.getuid?.() === 0;
    expect(scope.wrap(["x"]).slice(1, 3)).toEqual(isRoot ? ["--scope", "--slice-inherit"] : ["--user", "--scope"]);
  });

  test("a scope that an earlier host opened is found again, one that is gone is not", () => {
    const dir = tree({ "old.scope/cgroup.procs": "" });
    const recordPath = join(dir, "scopes");
    writeFileSync(recordPath, `${dir}/gone.scope\n${dir}/old.scope\n`);
    expect(new SystemdScope({ name: "n", recordPath, env: {} }).bases).toEqual([`${dir}/old.scope`]);
    expect(unifiedHierarchy(`${dir}/old.scope`, "x").controllers).toEqual([]);
  });
});

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A group's directories, each before the one that it is in: the files in them are the kernel's. */
function deepestFirst(dir: string): string[] {
  if (!existsSync(dir)) return [];
  const inner = readdirSync(dir, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [...inner.flatMap((entry) => deepestFirst(join(dir, entry.name))), dir];
}

test("empty groups of the dead are swept; what is young, holds something or is not ours stays", () => {
  const { proc, mount } = unified("/own", {
    "own/cgroup.procs": "",
    "own/cgroup.type": "domain\n",
    "own/cgroup.controllers": "\n",
    "own/cgroup.subtree_control": "\n",
    "own/proctor-busy/cgroup.procs": "77\n",
  });
  const names = ["proctor-session-dead", "proctor-run", "proctor-session-young", "others"];
  for (const name of names) mkdirSync(join(mount, "own", name));
  for (const name of ["proctor-session-dead", "proctor-run", "proctor-busy", "others"])
    utimesSync(join(mount, "own", name), 1, 1);
  expect(sweepCgroups(proc)).toBe(2);
  expect(readdirSync(join(mount, "own")).filter((name) => !name.startsWith("cgroup."))).toEqual([
    "others",
    "proctor-busy",
    "proctor-session-young",
  ]);
});
