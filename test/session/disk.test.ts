/** A full disk, a read-only one, and too many open files: said as such on the runs they hit; the others go on. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { connect } from "proctor";
import { afterEach, beforeEach, expect, test } from "vitest";
import { isRoot } from "../privilege.ts";
import { eventually, killSeen, livingProcesses, processesOf } from "./processes.ts";

const CLI = fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url));

let base: string;
let disk: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), "disk-"));
  disk = join(base, "disk");
  mkdirSync(disk);
});
afterEach(() => {
  for (const left of processesOf(base)) killSeen(left);
  execFileSync("umount", ["-l", disk]);
  rmSync(base, { recursive: true, force: true });
});

const mount = (options: string): void => void execFileSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", disk]);

test.runIf(isRoot)(
  "a run that fills the disk is stopped, says why, and keeps what was captured; its end is on record",
  async () => {
    mount("size=2m,mode=700");
    const session = await connect({ dir: join(disk, "s") });
    const other = await session.bash("sleep 2; exit 6", { background: true });
    const result = await session.bash("trap '' PIPE; yes filling");
    expect(result.cause).toBe("log_limit");
    expect(result.message).toContain("ENOSPC");
    expect(statSync(result.log.path).size).toBeGreaterThan(1_000_000);
    expect(readFileSync(result.log.path, "latin1").startsWith("filling\nfilling\n")).toBe(true);
    // The disk is full now: the other run's end must be recorded all the same, and survive the host.
    const { run } = await session.wait(other.id, { timeoutMs: 10_000 });
    expect(run).toMatchObject({ exitCode: 6, cause: "completed" });
    for (const host of livingProcesses().filter(
      (p) => p.command.includes("host-main.js") && p.command.includes(disk) && !p.command.includes("guardian.sh"),
    ))
      killSeen(host);
    await eventually("the record of both under the next host", async () => {
      const views = await session.list();
      return views.length === 2 && views.every((v) => v.state === "ended");
    });
    expect((await session.status(other.id)).exitCode).toBe(6);
    expect((await session.status(result.id)).cause).toBe("log_limit");
    await session.end();
    expect(existsSync(join(disk, "s"))).toBe(false);
  },
);

test.runIf(isRoot)(
  "a start on a full disk is refused by name, and the session serves on once there is room",
  async () => {
    mount("size=1m,mode=700");
    const session = await connect({ dir: join(disk, "s") });
    expect((await session.bash("echo fits")).output).toBe("fits");
    const ballast = join(disk, "ballast");
    try {
      writeFileSync(ballast, Buffer.alloc(2 << 20));
    } catch {
      // As full as it gets.
    }
    await expect(session.bash("echo more")).rejects.toMatchObject({
      code: "ERR_HOST_DISK",
      message: expect.stringContaining("no space left"),
    });
    expect(await session.list()).toHaveLength(1);
    rmSync(ballast);
    expect((await session.bash("echo again")).output).toBe("again");
    await session.end();
  },
);

test.runIf(isRoot)("a session on a read-only disk is refused by name", async () => {
  mount("size=1m,mode=700");
  execFileSync("mount", ["-o", "remount,ro", disk]);
  await expect(connect({ dir: join(disk, "s") })).rejects.toMatchObject({
    code: "ERR_HOST_DISK",
    message: expect.stringContaining("read-only"),
  });
});

test.runIf(isRoot)("a session directory that can't be written is what doctor names", () => {
  const doctor = (): { code: number | null; out: string } => {
    const { status, stdout } = spawnSync(process.execPath, [CLI, "doctor", "--session", join(disk, "s")], {
      encoding: "utf8",
    });
    return { code: status, out: stdout };
  };
  mount("size=64k,mode=700");
  expect(doctor()).toMatchObject({ code: 0, out: expect.stringContaining("Commands can be run here.") as string });
  try {
    writeFileSync(join(disk, "ballast"), Buffer.alloc(1 << 20));
  } catch {
    // As full as it gets.
  }
  expect(doctor()).toMatchObject({ code: 1, out: expect.stringMatching(/missing +directory .*ENOSPC/) as string });
  execFileSync("mount", ["-o", "remount,ro", disk]);
  expect(doctor()).toMatchObject({ code: 1, out: expect.stringMatching(/missing +directory .*EROFS/) as string });
});
