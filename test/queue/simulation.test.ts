/**
 * The queue under fire: sessions in many processes, killed at random. `QUEUE_SIMULATION=full` runs 10,000
 * commands in 20 processes; `QUEUE_SEED=N` repeats the choices of a run.
 */
import { expect, test } from "vitest";
import { simulate } from "./simulation.ts";

const IS_FULL = process.env["QUEUE_SIMULATION"] === "full";
const SEED = Number(process.env["QUEUE_SEED"] ?? "1");

test(
  "whoever is killed, never more than the limit run, nobody is overtaken, and no slot is lost",
  async () => {
    const limit = 2;
    const { seen, kills, left, causes } = await simulate(
      IS_FULL
        ? { jobs: 10_000, processes: 20, inFlight: 5, limit, killEvery: 20, jobMs: 3, seed: SEED }
        : { jobs: 120, processes: 4, inFlight: 4, limit, killEvery: 8, jobMs: 10, seed: SEED },
    );
    if (IS_FULL) process.stderr.write(`${seen.length} commands, ${kills} kills, ends: ${JSON.stringify(causes)}\n`);
    expect(kills).toBeGreaterThan(0);
    expect(seen.filter(({ active }) => active > limit)).toEqual([]);
    expect(seen.filter(({ inFront }) => inFront >= limit)).toEqual([]);
    expect(new Set(seen.map(({ run }) => run)).size).toBe(seen.length);
    expect(left).toEqual([]);
  },
  IS_FULL ? 7_200_000 : 300_000,
);
