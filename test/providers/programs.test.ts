/** Agents' programs: found or refused, asked for their version, and given arguments for one prompt. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { PROVIDER_NAMES, detect, providerNamed } from "../../src/providers/index.ts";

const dir = mkdtempSync(join(tmpdir(), "proctor-programs-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A directory for PATH that holds one program. */
function pathWith(name: string, text: string, mode: number = 0o755): { PATH: string } {
  const bin = mkdtempSync(join(dir, "bin-"));
  writeFileSync(join(bin, name), text, { mode });
  return { PATH: `${bin}:/usr/bin:/bin` };
}

describe("detect", () => {
  test.each([
    ["claude", "2.1.332 (Claude Code)", "2.1.332"],
    ["codex", "codex-cli 0.171.0", "0.171.0"],
    ["copilot", "GitHub Copilot CLI 1.0.102.\nCommit: abc", "1.0.102"],
    ["pi", "1.6.0-beta.2", "1.6.0-beta.2"],
    ["qwen", "no number at all", null],
  ])("%s says %j", async (name, printed, version) => {
    const env = pathWith(name, `#!/bin/bash\n[ "$1" = --version ] && printf '%s\\n' ${JSON.stringify(printed)}\n`);
    const found = await detect(providerNamed(name), env);
    expect(found).toEqual({ path: join(env.PATH.split(":")[0] ?? "", name), version });
  });

  test("one that is not there, may not be executed, or fails is refused by name", async () => {
    const claude = providerNamed("claude");
    const refused = (message: RegExp): object => ({
      code: "ERR_HOST_PROVIDER",
      message: expect.stringMatching(message),
      details: { field: "binary", value: "claude" },
    });
    await expect(detect(claude, { PATH: dir })).rejects.toMatchObject(refused(/was not found on PATH/));
    await expect(detect(claude, pathWith("claude", "", 0o644))).rejects.toMatchObject(refused(/may not be executed/));
    await expect(detect(claude, pathWith("claude", "#!/bin/bash\nexit 3\n"))).rejects.toMatchObject(
      refused(/could not tell its version/),
    );
    await expect(detect(claude, { PATH: "" })).rejects.toMatchObject(refused(/which is empty/));
  });

  test("an entry of PATH that can't be looked into is passed over", async () => {
    const loop = join(dir, "loop");
    symlinkSync(loop, loop);
    const { PATH } = pathWith("claude", "#!/bin/bash\necho 1.2.3\n");
    const long = join(dir, "x".repeat(300));
    expect((await detect(providerNamed("claude"), { PATH: `${loop}:${long}:${PATH}` })).version).toBe("1.2.3");
    await expect(detect(providerNamed("claude"), { PATH: `${loop}:${long}` })).rejects.toThrow(/not found on PATH/);
  });

  test("a directory of its name is no program, and a relative entry of PATH is not looked at", async () => {
    await expect(detect({ ...providerNamed("claude"), binary: "." }, { PATH: "/" })).rejects.toThrow(/may not be/);
    await expect(detect(providerNamed("claude"), { PATH: "bin:." })).rejects.toThrow(/not found/);
  });
});

describe("arguments for one prompt", () => {
  const prompt = "fix 'it'\n$(now)";

  test.each(PROVIDER_NAMES.filter((name) => name !== "lines"))("%s: the prompt is one of them, untouched", (name) => {
    const args = providerNamed(name).buildArgs?.({ prompt }) ?? [];
    expect(args.filter((arg) => arg === prompt)).toHaveLength(1);
    expect(args.join(" ")).toMatch(/json/);
  });

  test.each(PROVIDER_NAMES.filter((name) => name !== "lines"))("%s: a model and a session to resume", (name) => {
    const args = providerNamed(name).buildArgs?.({ prompt, model: "m-1", sessionId: "s-1" }) ?? [];
    expect(args).toContain("m-1");
    expect(args).toContain("s-1");
  });

  test("as the programs' own documents have them", () => {
    const of = (name: string): readonly string[] | undefined => providerNamed(name).buildArgs?.({ prompt: "p" });
    expect(of("claude")).toEqual(["-p", "p", "--output-format", "stream-json", "--verbose"]);
    expect(of("codex")).toEqual(["exec", "--json", "--skip-git-repo-check", "p"]);
    expect(of("gemini")).toEqual(["-p", "p", "-o", "stream-json"]);
    expect(of("opencode")).toEqual(["run", "--format", "json", "p"]);
    expect(of("pi")).toEqual(["--mode", "json", "p"]);
    expect(of("qwen")).toEqual(["p", "--output-format", "stream-json"]);
    expect(of("copilot")).toEqual(["-p", "p", "--output-format", "json", "--no-color"]);
    expect(of("lines")).toBeUndefined();
  });
});

test("an unknown provider is refused, with those that are known", () => {
  expect(() => providerNamed("claud")).toThrow(/"claud" is not known.*claude, codex, gemini/);
  expect(() => providerNamed("toString")).toThrow(/is not known/);
});
