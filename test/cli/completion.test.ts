import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/command-table.ts";
import { newWorld } from "./command-line.ts";
import type { World } from "./command-line.ts";

/** What bash offers behind these words; the last one is being typed. */
async function offered(world: World, words: readonly string[]): Promise<string[]> {
  const quoted = words.map((w) => `'${w}'`).join(" ");
  const answer = await world.shell(
    `proctor() { $PROCTOR "$@"; }; eval "$(proctor completion bash)"; COMP_WORDS=(proctor ${quoted}); COMP_CWORD=${words.length}; _proctor; printf '%s\\n' "\${COMPREPLY[@]}"`,
  );
  expect(answer.err).toBe("");
  return answer.out.split("\n").filter((line) => line !== "");
}

describe("completions", () => {
  it("bash offers commands, options, values and the ids of runs", async () => {
    const world = newWorld();
    const { id } = await world.run(["true"]);
    expect(await offered(world, ["st"])).toEqual(
      ["stop", "stop-all", "status"].toSorted((a, b) => ORDER.indexOf(a) - ORDER.indexOf(b)),
    );
    expect(await offered(world, ["session", ""])).toEqual(["end"]);
    expect(await offered(world, ["run", "--ti"])).toEqual(["--timeout"]);
    expect(await offered(world, ["run", "--promote-after", "n"])).toEqual(["never"]);
    expect(await offered(world, ["session", "end", "--gr"])).toEqual(["--grace"]);
    expect(await offered(world, ["status", ""])).toEqual([id]);
    expect(await offered(world, ["completion", "z"])).toEqual(["zsh"]);
  });

  it.each(["bash", "zsh", "fish"])("%s knows every command and every option", async (shell) => {
    const { out, code } = await newWorld().call(["completion", shell]);
    expect(code).toBe(0);
    for (const command of COMMANDS) {
      for (const word of command.name.split(" ")) expect(out).toContain(word);
      for (const option of command.options)
        expect(out).toContain(shell === "fish" ? `-l ${option.long}` : `--${option.long}`);
    }
  });
});

const ORDER = COMMANDS.map((c) => c.name);
