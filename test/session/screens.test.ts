/** Screens of programs that have run for long: what was set long ago still holds, for eyes and for keys. */
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { renderedText } from "../../src/session/screen.ts";
import { eventually } from "./processes.ts";
import { Driven, terminalSession } from "./terminal-session.ts";
import type { TerminalSession } from "./terminal-session.ts";

let world: TerminalSession;
beforeAll(async () => {
  world = await terminalSession("built-in");
});
afterAll(async () => {
  await world[Symbol.asyncDispose]();
});
const start = (command: string): Promise<Driven> => Driven.start(world.session, command, world.base);
const log = (driven: Driven): string => readFileSync(driven.run.log.path, "latin1");

/** 12 MB of frames without a single newline, as full-screen programs draw them. */
const FRAMES = String.raw`for (my $i = 1; $i <= 60_000; $i++) { printf "\e[%d;1H\e[3%dmframe %06d\e[0m\e[K%s", 1 + $i % 20, $i % 8, $i, "\e[25;2H" . "." x 150 }`;

test("a full-screen program of long ago: its screen, title, hidden cursor, scrolling region, and the keys that it asked for", async () => {
  const driven = await start(
    String.raw`stty raw -echo; printf 'gone long ago\r\n\e[?1049h\e[?1h\e[?2004h\e[?25l\e]2;long-lived\a\e[1;22r'; perl -e '${FRAMES}'; printf '\e[22;1H\nscrolled'; head -c 15 | od -An -c -w15; sleep 60`,
  );
  await eventually("all frames", () => log(driven).endsWith("scrolled"));
  expect(log(driven).length).toBeGreaterThan(10_000_000);
  const screen = await driven.shows("scrolled");
  expect(screen).toMatchObject({
    fullScreen: true,
    title: "long-lived",
    cursor: { column: 8, row: 21, visible: false },
  });
  // The newline in the region's last row has moved the rows of the region up, and none below it.
  const rows = screen.text.split("\n");
  expect(rows[19 - 1]).toBe("frame 059999");
  expect(rows[20 - 2]).toBe("frame 059999");
  expect(rows[0]).toBe("frame 059981");
  expect(rows[24]).toMatch(/^ \.{119}$/);
  await driven.presses("Up");
  await driven.types("a\nb");
  await eventually("the keys", () => log(driven).includes("033   O   A 033   [   2   0   0   ~   a  \\r   b"));
  await world.session.stop(driven.run.id, { graceMs: 0 });
});

test("a program that has left its full screen long ago shows the plain one; text above it is whole lines", async () => {
  const driven = await start(
    String.raw`printf '\e[?1049h\e[?25ldrawn\e[?25h\e[?1049l'; seq -f 'line %08g of the text' 1 200000; printf '> '; read x`,
  );
  const screen = await driven.shows(/^> *$|^>$/m);
  expect(screen).toMatchObject({ fullScreen: false, cursor: { visible: true, column: 2 } });
  await driven.presses("Enter");
  expect(await driven.ends()).toBe(0);
  const { text, isWhole } = await renderedText(driven.run.log.path);
  expect(isWhole).toBe(false);
  expect(text.split("\n").at(-3)).toBe("line 00200000 of the text");
  for (const line of text.split("\n").slice(0, -2)) expect(line).toMatch(/^line \d{8} of the text$/);
});
