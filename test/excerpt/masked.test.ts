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

  it("in one line is masked where the line is cut inside it", () => {
    const line = `{"type":"service_account","private_key":"${pem.replaceAll("\n", "\\n")}","client_email":"a@b"}`;
    for (const lines of [
      [`Error: ${"it broke ".repeat(12)}${line}`, ...steps],
      [...steps, `Error: ${"it broke ".repeat(12)}${line}`, ...steps],
      [...steps, `${line} Error: it broke`, ...steps],
    ]) {
      const parts = secrets.map((row) => row.slice(0, 16));
      expect(parts.some((part) => shown(lines).includes(part))).toBe(true);
      expect(parts.filter((part) => shown(lines, redact).includes(part))).toEqual([]);
    }
  });
});

describe("a secret of which a part is shown", () => {
  const secret = ["ghp", "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC3"].join("_");
  const parts = Array.from({ length: secret.length - 12 }, (_, i) => secret.slice(i + 4, i + 12));
  const isTold = (text: string): boolean => parts.some((part) => text.includes(part));

  it("is masked where a line is cut before, in and behind it", () => {
    let told = 0;
    for (let pad = 0; pad < 330; pad += 5) {
      for (const line of [
        `Error: ${"ab ".repeat(pad / 5 + 40)}${secret}${" cd".repeat(300)}`,
        `${"ab ".repeat(500)}${secret} ${"cd ".repeat(pad / 5)}Error: it broke${" ef".repeat(300)}`,
      ]) {
        if (isTold(shown([...steps, line, ...steps]))) told++;
        expect(isTold(shown([...steps, line, ...steps], redact))).toBe(false);
      }
    }
    expect(told).toBeGreaterThan(20);
  });

  it("is masked where a ceiling cuts the only line that is left", () => {
    for (let pad = 0; pad < 140; pad++) {
      const log = `Error: ${"ab ".repeat(pad)}${secret} is not accepted\n`.repeat(3);
      for (const [maxBytes, maxTokens] of [
        [256, 64],
        [300, 70],
        [400, 100],
        [600, 160],
      ] as const) {
        const limits = { maxBytes, maxLines: 6, maxTokens };
        const request = { exitCode: 1, command: null, limits, headRatio: 0.2, mask: redact };
        expect(isTold(excerptOfBytes(Buffer.from(log), request).text)).toBe(false);
      }
    }
  });

  it("is masked where lines are told of by what they differ in", () => {
    const keys = ["m7rXjPJavZVr", "SMgqyTpBxBs2", "qT7W6E6eewWr", "WzVrM9vRdk4X", "k2GqLw8ZbT5n"];
    const lines = keys.map((key) => `Error: login refused for token: "${key}" by host`);
    const isKeyTold = (text: string): boolean => keys.slice(1).some((key) => text.includes(key));
    expect(isKeyTold(shown([...steps, ...lines, ...steps]))).toBe(true);
    const text = shown([...steps, ...lines, ...steps], redact);
    expect(text).toContain("(×5)");
    expect(isKeyTold(text)).toBe(false);
  });

  it("does not hide the message behind it", () => {
    const line = `Authorization: Bearer ${"aB3d".repeat(200)} ${"cd ".repeat(100)}Error: it broke${" ef".repeat(300)}`;
    expect(shown([...steps, line, ...steps], redact)).toContain("Error: it broke");
  });
});
