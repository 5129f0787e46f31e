/**
 * What a run's terminal answers when its program asks it something. The terminal is the one that screens are made of,
 * without a display, so the answers fit what is seen: played from the log, on demand, and kept while the run lives,
 * because a program that asks where its cursor stands asks at every prompt. Always the run's own terminal answers,
 * whoever has joined it: once, and in the order in which it was asked.
 */
import type { QueryAnswers } from "../ports/index.ts";
import { LogScreen } from "./screen-replay.ts";

/** XTVERSION, and colours that programs choose readable ones for: light on dark, in the notation of XParseColor. */
const VERSION = "\x1bP>|proctor\x1b\\";
const COLOURS: Readonly<Record<number, string>> = {
  10: "rgb:e5e5/e5e5/e5e5",
  11: "rgb:0000/0000/0000",
  12: "rgb:e5e5/e5e5/e5e5",
};

/** The answers of the terminal whose output is this log. */
export function queryAnswers(logPath: string): QueryAnswers {
  let screen: LogScreen | null = null;
  let said = "";
  const open = async (): Promise<LogScreen> => {
    const opened = await LogScreen.open(logPath, 0);
    const { terminal } = opened;
    const say = (text: string): void => {
      said += text;
    };
    terminal.onData(say);
    terminal.parser.registerCsiHandler({ prefix: ">", final: "q" }, () => {
      say(VERSION);
      return true;
    });
    for (const [number, colour] of Object.entries(COLOURS)) {
      terminal.parser.registerOscHandler(Number(number), (given) => {
        if (given === "?") say(`\x1b]${number};${colour}\x1b\\`);
        return true;
      });
    }
    return opened;
  };
  return {
    async answersFrom(from) {
      screen ??= await open();
      await screen.playTo(from);
      said = ""; // answered before, by a former host maybe
      const to = await screen.logBytes();
      await screen.playTo(to);
      return { bytes: Buffer.from(said, "utf8"), to: screen.to };
    },
    async close() {
      const opened = screen;
      screen = null;
      opened?.terminal.dispose();
      await opened?.close();
    },
  };
}
