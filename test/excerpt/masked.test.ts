/** Private keys in a log: no row of one is shown, whichever of its rows are chosen. */
import { generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import { excerptOfBytes, FAILURE_LIMITS } from "../../src/excerpt/index.ts";
import { redact } from "../../src/text/index.ts";

const pem = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  publicKeyEncoding: { type: "spki", format: "pem" },
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
}).privateKey.trimEnd();
const rows = pem.split("\n");
const secrets = rows.slice(1, -1);
const steps = Array.from({ length: 400 }, (_, i) => `step ${i} done`);

function shown(lines: readonly string[], mask?: (text: string) => string): string {
  const request = { exitCode: 1, command: null, limits: FAILURE_LIMITS, headRatio: 0.2 };
  return excerptOfBytes(Buffer.from(`${lines.join("\n")}\n`), mask === undefined ? request : { ...request, mask }).text;
}

describe("a private key in a log", () => {
  it("is masked where its end is the end of the log", () => {
    const lines = [...steps, ...rows];
    expect(secrets.some((row) => shown(lines).includes(row))).toBe(true);
    for (const row of secrets) expect(shown(lines, redact)).not.toContain(row);
  });

  it("is masked where it was cut off, behind or before", () => {
    for (const lines of [
      [...steps, ...rows.slice(0, 12)],
      [...rows.slice(8), ...steps],
    ]) {
      expect(secrets.some((row) => shown(lines).includes(row))).toBe(true);
      for (const row of secrets) expect(shown(lines, redact)).not.toContain(row);
    }
  });

  it("is masked around an error, which is shown", () => {
    const text = shown([...steps, ...rows, "error: the key has no passphrase", ...steps], redact);
    expect(text).toContain("error: the key has no passphrase");
    for (const row of secrets) expect(text).not.toContain(row);
  });

  it("masks nothing but the key", () => {
    const text = shown([...steps, ...rows, "src/key.ts:3:1: error: cannot read the key", ...steps.slice(0, 3)], redact);
    expect(text).toContain("src/key.ts:3:1: error: cannot read the key");
    expect(text).toContain("step 0 done");
  });
});
