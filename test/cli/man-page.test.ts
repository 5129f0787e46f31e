import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { COMMANDS } from "../../src/cli/command-table.ts";
import { manPage } from "../../src/cli/man-page.ts";

function fileOf(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
}

describe("the manual page", () => {
  it("is the one that the tables make: after a change, npm run man", () => {
    const { version } = JSON.parse(fileOf("package.json")) as { version: string };
    expect(fileOf("man/proctor.1")).toBe(manPage(version));
  });

  it("names every command and every option, and begins no line of text like a request", () => {
    const page = manPage("0.0.0");
    for (const command of COMMANDS) {
      expect(page).toContain(`.SS proctor ${command.name.replaceAll("-", "\\-")}`);
      for (const { long } of command.options) expect(page).toContain(`\\-\\-${long.replaceAll("-", "\\-")}`);
    }
    for (const line of page.split("\n")) expect(line).toMatch(/^(?:\.(?:TH|SH|SS|TP|PP|B|I)(?: |$)|[^.']|$)/);
  });
});
