/** What Pi's settings and its conversation make of a command. */
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { conversationEnvironment, shellCommands, shellSettings } from "../../src/pi/shell.ts";

const settings = (shellPath?: string, shellCommandPrefix?: string): ReturnType<typeof shellSettings> =>
  shellSettings({ getSettings: () => ({ shellPath, shellCommandPrefix }) });

describe("the shell", () => {
  it("is bash, with the text as it is", () => {
    expect(shellCommands(["ls", "pwd"], settings())).toEqual({ commands: ["ls", "pwd"] });
  });

  it("gets the prefix before every command", () => {
    const { commands } = shellCommands(["ls", "pwd"], settings("", "set -u"));
    expect(commands).toEqual(["set -u\nls", "set -u\npwd"]);
  });

  it("leaves a command's own settings in its first line", () => {
    const { commands } = shellCommands(['# @proctor: {"maxResultLines": 9}\nls'], settings("", "set -u"));
    expect(commands).toEqual(['# @proctor: {"maxResultLines": 9}\nset -u\nls']);
  });

  it("is another one where the settings say so, whatever the text holds", () => {
    const text = `printf '%s' "it's \\$0"`;
    expect(shellCommands([text], settings("/bin/sh"))).toEqual({ commands: [text], argv: ["/bin/sh", "-c", text] });
    const [first] = shellCommands([text, "true"], settings("/bin/sh")).commands;
    expect(execFileSync("/bin/bash", ["-c", first ?? ""], { encoding: "utf8" })).toBe("it's $0");
  });

  it("must be there", () => {
    expect(() => settings("/nowhere/zsh")).toThrow("shellPath: /nowhere/zsh can't be run");
  });
});

describe("the environment", () => {
  const ctx = {
    sessionManager: { getSessionId: () => "here", getSessionFile: () => undefined },
    model: { provider: "p", id: "m" },
    thinkingLevel: "high",
  };

  it("describes the conversation that the command runs in, not the one that Pi was started from", () => {
    const env = { PATH: "/usr/bin", PI_SESSION_ID: "outer", PI_SESSION_FILE: "/outer.jsonl", PI_OFFLINE: "1" };
    const { inherited, added } = conversationEnvironment(env, ctx);
    expect({ ...inherited, ...added }).toMatchObject({
      PI_SESSION_ID: "here",
      PI_PROVIDER: "p",
      PI_MODEL: "m",
      PI_REASONING_LEVEL: "high",
      PI_OFFLINE: "1",
    });
    expect({ ...inherited, ...added }).not.toHaveProperty("PI_SESSION_FILE");
  });

  it("finds Pi's own programs", () => {
    const env = { PATH: "/usr/bin", PI_CODING_AGENT_DIR: "/agent" };
    expect(conversationEnvironment(env, null)).toEqual({
      inherited: { ...env, PATH: "/agent/bin:/usr/bin" },
      added: {},
    });
  });
});
