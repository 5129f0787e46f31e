import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { newWorld } from "./command-line.ts";
import type { World } from "./command-line.ts";

/** A project in the world's working directory; gives the path of its settings. */
function project(world: World, text: string): { readonly file: string; readonly inside: string } {
  const inside = join(world.work, "src");
  mkdirSync(inside);
  mkdirSync(join(world.work, ".git"));
  const file = join(world.work, ".proctor.json");
  writeFileSync(file, text);
  return { file, inside };
}

describe("trust", () => {
  it("lets the nearest file count, shows what it says, and warns of what in it does not count", async () => {
    const world = newWorld();
    const { file, inside } = project(world, '{"maxResultLines": 6, "hooks": ["x"]}');
    const before = await world.run(["seq 1 300; exit 3"], { cwd: inside });
    expect(before.notes).toEqual([expect.stringContaining(`${file} is not used: it is not trusted`)]);
    const trusted = await world.call(["trust"], { cwd: inside });
    expect([trusted.code, trusted.out]).toEqual([0, `Trusted: ${file}\n  maxResultLines: 6\n  hooks: ["x"]\n`]);
    expect(trusted.err).toMatch(/^proctor: settings: "hooks" in .* no such setting.*\n$/);
    const after = await world.run(["seq 1 300; exit 3"], { cwd: inside });
    expect(after.exitCode).toBe(3);
    expect(after.output.split("\n").length).toBeLessThanOrEqual(6);
    expect(after.notes).toEqual([expect.stringContaining("hooks")]);
  });

  it("holds for a log that exists already, as for a run", async () => {
    const world = newWorld();
    const { file } = project(world, '{"maxResultLines": 6}');
    const log = join(world.root, "log");
    writeFileSync(log, Array.from({ length: 300 }, (_, i) => `line ${i}\n`).join(""));
    const before = await world.call(["excerpt", log]);
    expect(before.err).toContain(`${file} is not used: it is not trusted`);
    await world.call(["trust", file]);
    const after = await world.call(["excerpt", log]);
    expect([after.code, after.err]).toEqual([0, ""]);
    expect(after.out.trimEnd().split("\n").length).toBeLessThanOrEqual(6);
  });

  it("says on plain output that a file does not count, also when the command succeeded", async () => {
    const world = newWorld();
    const { file } = project(world, "{}");
    const answer = await world.call(["run", "echo fine"]);
    expect(answer.out).toContain(`${file} is not used`);
    expect(answer.out).toMatch(/^fine$/m);
    expect(answer.code).toBe(0);
  });

  it("--list tells what changed since; untrust ends it, and twice is no error", async () => {
    const world = newWorld();
    const { file } = project(world, "{}");
    const empty = await world.call(["trust", "--list"]);
    expect([empty.code, empty.out]).toEqual([0, ""]);
    await world.json(["trust", file]);
    const list = (): Promise<{ files: readonly unknown[] }> => world.json(["trust", "--list"]);
    expect((await list()).files).toMatchObject([{ path: file, state: "trusted" }]);
    writeFileSync(file, '{"maxResultLines": 9}');
    expect((await list()).files).toMatchObject([{ path: file, state: "changed" }]);
    expect((await world.call(["trust", "--list"])).out).toMatch(/^STATE .*FILE\nchanged +\S+ +\S+\.proctor\.json\n$/);
    expect(await world.json(["untrust", file])).toMatchObject({ path: file, wasTrusted: true, answer: { code: 0 } });
    expect(await world.json(["untrust"])).toMatchObject({ path: file, wasTrusted: false, answer: { code: 0 } });
    expect((await list()).files).toEqual([]);
  });

  it("is refused for what can't be settings, and nothing is trusted then", async () => {
    const world = newWorld();
    const none = await world.call(["trust"]);
    expect([none.code, none.err]).toEqual([125, expect.stringContaining("there is no .proctor.json")]);
    const { file } = project(world, "{");
    const linked = join(world.work, "src", ".proctor.json");
    symlinkSync(file, linked);
    writeFileSync(join(world.work, "settings.json"), "{}");
    for (const [operand, why] of [
      [file, "is not JSON"],
      [linked, "is a symbolic link"],
      ["settings.json", "is not named .proctor.json"],
      [join(world.root, "nowhere", ".proctor.json"), "can't be read (ENOENT)"],
    ] as const) {
      const answer = await world.json<{ error: { code: string; message: string } }>(["trust", operand]);
      expect([operand, answer.answer.code, answer.error.code]).toEqual([operand, 125, "ERR_INPUT_FILE"]);
      expect(answer.error.message).toContain(why);
    }
    writeFileSync(file, "[]");
    expect((await world.call(["trust"])).err).toContain("is not a JSON object");
    expect((await world.json<{ files: unknown }>(["trust", "--list"])).files).toEqual([]);
  });
});
