import { existsSync, readdirSync, readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LineRedactor, redact, REDACTED } from "../../src/text/index.ts";
import { SECRET_FORMS } from "../../src/text/secret-forms.ts";

/** Made-up characters of a secret; nothing here is one, and no prefix stands next to its body in this file. */
const alnum = (n: number): string => "aB3dE5gH7jK9mN1pQ2rS4tU6vW8xY0zA1bC3dE5f".repeat(4).slice(0, n);
const hex = (n: number): string => "0f1e2d3c4b5a69788796a5b4c3d2e1f0".repeat(4).slice(0, n);
const caps = (n: number): string => "A2B3C4D5E6F7G2H3".repeat(4).slice(0, n);

/** Prefix, the secret body. */
const EXAMPLES: readonly (readonly [string, string])[] = [
  ["sk-ant-api03-", alnum(95)],
  ["sk-ant-oat01-", alnum(60)],
  ["sk-ant-admin01-", alnum(60)],
  ["sk-proj-", `${alnum(40)}_${alnum(40)}`],
  ["sk-svcacct-", alnum(60)],
  ["sk-or-v1-", hex(64)],
  ["sk-", alnum(48)],
  ["AIza", alnum(35)],
  ["ya29.", `a0${alnum(60)}`],
  ["GOCSPX-", alnum(28)],
  ["1//0", `e${alnum(60)}`],
  ["hf_", alnum(34)],
  ["gsk_", alnum(52)],
  ["xai-", alnum(80)],
  ["pplx-", alnum(48)],
  ["r8_", alnum(37)],
  ["ghp_", alnum(36)],
  ["gho_", alnum(36)],
  ["ghs_", alnum(36)],
  ["github_pat_", `${alnum(22)}_${alnum(59)}`],
  ["glpat-", alnum(20)],
  ["glrt-", `t1_${alnum(20)}`],
  ["gloas-", hex(64)],
  ["npm_", alnum(36)],
  ["pypi-", `AgEIcHlwaS5vcmc${alnum(80)}`],
  ["rubygems_", hex(48)],
  ["dckr_pat_", alnum(27)],
  ["CCIPAT_", alnum(40)],
  ["bkua_", hex(40)],
  ["ATATT3", `xFfGF0${alnum(120)}`],
  ["sntrys_", alnum(80)],
  ["glsa_", `${alnum(32)}_${hex(8)}`],
  ["lin_api_", alnum(40)],
  ["ntn_", alnum(44)],
  ["figd_", alnum(40)],
  ["PMAK-", `${hex(24)}-${hex(34)}`],
  ["AKIA", caps(16)],
  ["ASIA", caps(16)],
  ["dapi", hex(32)],
  ["dop_v1_", hex(64)],
  ["hvs.", alnum(90)],
  ["dp.pt.", alnum(43)],
  [`${alnum(14)}.atlasv1.`, alnum(67)],
  ["pul-", hex(40)],
  ["sbp_", hex(40)],
  ["nfp_", alnum(36)],
  ["AGE-SECRET-KEY-1", caps(58)],
  ["xoxb-", `1234567890-${alnum(24)}`],
  ["xapp-1-", `A012-34-${hex(32)}`],
  ["sk_live_", alnum(24)],
  ["rk_test_", alnum(24)],
  ["whsec_", alnum(32)],
  ["SG.", `${alnum(22)}.${alnum(43)}`],
  ["SK", hex(32)],
  ["shpat_", hex(32)],
  ["sq0atp-", alnum(22)],
  ["123456789:AA", alnum(33)],
  ["key-", hex(32)],
  ["MTIzNDU2Nzg5MDEyMzQ1Njc.", `${alnum(6)}.${alnum(27)}`],
  ["MTIzNDU2Nzg5MDEyMzQ1Njc4.", `Gx-_3z.${alnum(38)}`],
  ["OTk5MDAwMTExMjIyMzMzNDQ0NQ.", `Gxy_3z.${alnum(20)}-_${alnum(16)}`],
  ["eyJ", `hbGciOiJIUzI1NiJ9.eyJ${alnum(40)}.${alnum(43)}`],
];

describe("a secret of a known form", () => {
  it.each(EXAMPLES)("%s… is masked wherever it stands", (prefix, body) => {
    const secret = `${prefix}${body}`;
    for (const around of [
      "$",
      "token $ refused",
      'x="$"',
      "KEY=$\nnext",
      "https://h/?k=$&b=1",
      "($)",
      "[$]",
      "error: $: bad",
    ]) {
      const shown = redact(around.replace("$", () => secret));
      expect(shown).not.toContain(body.slice(4));
      expect(shown).toContain(REDACTED);
    }
  });

  it("has an example here for each form", () => {
    const missing = SECRET_FORMS.filter(
      (form) => !EXAMPLES.some(([prefix, body]) => new RegExp(`^${form.keep}${form.secret}$`).test(prefix + body)),
    );
    expect(missing).toEqual([]);
  });
});

describe("a secret that is known by its place", () => {
  it.each([
    ["GET http://deploy:s3cr%21t@example.com:8080/x failed", "GET http://deploy:[redacted]@example.com:8080/x failed"],
    ["postgres://app:hunter2@db:5432/app?sslmode=off", "postgres://app:[redacted]@db:5432/app?sslmode=off"],
    ["redis://:hunter2@cache:6379", "redis://:[redacted]@cache:6379"],
    ["> Authorization: Bearer abcdef1234567890", "> Authorization: Bearer [redacted]"],
    ["authorization: Basic dXNlcjpodW50ZXIy", "authorization: Basic [redacted]"],
    ['{"Authorization":"Bearer abc123def456"}', '{"Authorization":"Bearer [redacted]"}'],
    ["Authorization: Bearer opaquetokenvalue", "Authorization: Bearer [redacted]"],
    ["fetch https://x0123456789abcdefghij@example.com/a.git", "fetch https://[redacted]@example.com/a.git"],
    ["machine example.com login ann password correcthorse", "machine example.com login ann password [redacted]"],
    ['{"auths":{"r.example":{"auth":"YW5uOmh1bnRlcjI="}}}', '{"auths":{"r.example":{"auth":"[redacted]"}}}'],
    ["GET /blob?sv=2024&sig=aB3%2BdE5gH7jK9%3D&se=1", "GET /blob?sv=2024&sig=[redacted]&se=1"],
    ["PGPASSWORD=correcthorse psql", "PGPASSWORD=[redacted] psql"],
    ["AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE", "AWS_ACCESS_KEY_ID=AKIA[redacted]"],
    ["> X-Api-Key: 0123456789abcdef", "> X-Api-Key: [redacted]"],
    ["< set-cookie: sid=s%3Aabc123def456; Path=/; HttpOnly", "< set-cookie: sid=[redacted]; Path=/; HttpOnly"],
    [
      "2026-01-02 12:00:01 proxy < Set-Cookie: sid=s%3Aabc123def456; Path=/",
      "2026-01-02 12:00:01 proxy < Set-Cookie: sid=[redacted]; Path=/",
    ],
    [
      "[3/7] > Cookie: theme=dark; sid=0a1b2c3d4e5f; lang=en; csrftoken=correcthorse",
      "[3/7] > Cookie: theme=dark; sid=[redacted]; lang=en; csrftoken=[redacted]",
    ],
    [
      "+ curl -sS -H 'Cookie: PHPSESSID=hunter22; theme=dark' https://example.com/a1b2c3d4",
      "+ curl -sS -H 'Cookie: PHPSESSID=[redacted]; theme=dark' https://example.com/a1b2c3d4",
    ],
    ['curl -H"Cookie:connect.sid=s%3Aabc123" x', 'curl -H"Cookie:connect.sid=[redacted]" x'],
    ["curl -HCookie:session=abc123def x", "curl -HCookie:session=[redacted] x"],
    ['{"cookie":"id=0a1b2c3d4e","host":"h1"}', '{"cookie":"id=[redacted]","host":"h1"}'],
    ['body {\\"Cookie\\": \\"id=0a1b2c3d4e\\"}', 'body {\\"Cookie\\": \\"id=[redacted]\\"}'],
    [
      "  'set-cookie': [ 'a=0a1b2c3d4e; Domain=my-app1.example.com', 'b=5f6e7d8c9b; Path=/' ],",
      "  'set-cookie': [ 'a=[redacted]; Domain=my-app1.example.com', 'b=[redacted]; Path=/' ],",
    ],
    ["+ sshpass -p hunter2 ssh ann@host", "+ sshpass -p [redacted] ssh ann@host"],
    ["+ sshpass -phunter2 scp a host:", "+ sshpass -p[redacted] scp a host:"],
    ["sshpass -v -p raspberry /usr/bin/ssh pi@host", "sshpass -v -p [redacted] /usr/bin/ssh pi@host"],
    ["sshpass -p sshpass -p hunter2 ssh h", "sshpass -p sshpass -p [redacted] ssh h"],
    ["sshpass -p 'correct horse' rsync a b", "sshpass -p '[redacted]' rsync a b"],
    ['sshpass -p"it\'s secret" ssh h', 'sshpass -p"[redacted]" ssh h'],
    ['spawn ["sshpass","-p","hunter2","ssh","h"] failed', 'spawn ["sshpass","-p","[redacted]","ssh","h"] failed'],
    ["spawn [ 'sshpass', '-v', '-p', 'hunter2' ]", "spawn [ 'sshpass', '-v', '-p', '[redacted]' ]"],
    ["+ curl -fsS -u admin:hunter2 https://example.com", "+ curl -fsS -u admin:[redacted] https://example.com"],
    ["DB_PASSWORD=hunter2", "DB_PASSWORD=[redacted]"],
    ["export DATABASE_PASSWORD='correct-horse'", "export DATABASE_PASSWORD='[redacted]'"],
    ["  password: hunter2!", "  password: [redacted]"],
    ["mysql --password=hunter2 -e 'select 1'", "mysql --password=[redacted] -e 'select 1'"],
    ["tool --token 9f8e7d6c5b4a3f2e run", "tool --token [redacted] run"],
    ['{"password":"hunter2","user":"ann"}', '{"password":"[redacted]","user":"ann"}'],
    ['body: {\\"api_key\\":\\"abc123def456\\"}', 'body: {\\"api_key\\":\\"[redacted]\\"}'],
    ["AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY", "AWS_SECRET_ACCESS_KEY=[redacted]"],
    ["aws_session_token = IQoJb3JpZ2luX2VjEJr123", "aws_session_token = [redacted]"],
    [
      "//registry.npmjs.org/:_authToken=0a1b2c3d-4e5f-6789-abcd-ef0123456789",
      "//registry.npmjs.org/:_authToken=[redacted]",
    ],
    ["?access_token=abc123def456&page=2", "?access_token=[redacted]&page=2"],
    ["X-Amz-Signature=0a1b2c3d4e5f60718293a4b5c6d7e8f9", "X-Amz-Signature=[redacted]"],
    ['-  const password = "hunter2";', '-  const password = "[redacted]";'],
    ["client_secret: 'q8Z~abcDEF123'", "client_secret: '[redacted]'"],
    ["AccountKey=abCD12/+efGH34==;EndpointSuffix=core", "AccountKey=[redacted];EndpointSuffix=core"],
  ])("%j", (text, shown) => {
    expect(redact(text)).toBe(shown);
  });

  it("keeps the address of a webhook's host", () => {
    expect(redact(`POST https://hooks.slack.com/services/T0/B0/${alnum(24)}`)).toBe(
      `POST https://hooks.slack.com/services/${REDACTED}`,
    );
  });
});

describe("a private key", () => {
  const begin = ["-----BEGIN RSA", "PRIVATE KEY-----"].join(" ");
  const end = ["-----END RSA", "PRIVATE KEY-----"].join(" ");
  const body = [alnum(64), alnum(64), `${alnum(30)}==`];

  it("is masked line by line between its two marks", () => {
    const text = ["before", begin, "Proc-Type: 4,ENCRYPTED", "", ...body, end, "after it"].join("\n");
    expect(redact(text).split("\n")).toEqual([
      "before",
      begin,
      REDACTED,
      "",
      REDACTED,
      REDACTED,
      REDACTED,
      end,
      "after it",
    ]);
  });

  it("in one line with escapes is masked too", () => {
    expect(redact(`{"key":"${begin}\\n${body.join("\\n")}\\n${end}\\n","id":7}`)).toBe(
      `{"key":"${begin}${REDACTED}${end}\\n","id":7}`,
    );
  });

  it("whose end is missing does not swallow what follows", () => {
    expect(
      redact([begin, ...body, "error: the file ended too early", "exit 1"].join("\n"))
        .split("\n")
        .slice(4),
    ).toEqual(["error: the file ended too early", "exit 1"]);
    expect(
      redact([begin, ...body, "done", "ok"].join("\n"))
        .split("\n")
        .slice(4),
    ).toEqual(["done", "ok"]);
  });

  it("that is only spoken of changes nothing", () => {
    const text = `expected ${begin} at the start of the file\nfound nothing`;
    expect(redact(text)).toBe(text);
  });

  it("is followed over lines that come one at a time", () => {
    const redactor = new LineRedactor();
    expect([begin, ...body, end, "x"].map((line) => redactor.line(line))).toEqual([
      begin,
      REDACTED,
      REDACTED,
      REDACTED,
      end,
      "x",
    ]);
  });
});

/** The logs of real tools that the excerpt is measured on: no secret is in them. */
function corpusLogs(): { name: string; text: string }[] {
  const folders = ["shared", "own"].map((folder) => new URL(`../corpus/${folder}/`, import.meta.url));
  return folders.flatMap((folder) =>
    readdirSync(folder).map((name) => {
      const file = new URL(`${name}/log.txt`, folder);
      const bytes = existsSync(file)
        ? readFileSync(file)
        : gunzipSync(readFileSync(new URL(`${name}/log.txt.gz`, folder)));
      return { name, text: bytes.toString("utf8") };
    }),
  );
}

describe("an ordinary log", () => {
  const logs = corpusLogs();

  it("of the corpus: there are many", () => {
    expect(logs.length).toBeGreaterThan(60);
  });

  it.each(logs)("$name is left as it is", ({ text }) => {
    const lines = text.split("\n");
    expect(
      redact(text)
        .split("\n")
        .filter((line, i) => line !== lines[i]),
    ).toEqual([]);
  });

  const ordinary = readFileSync(new URL("ordinary-lines.txt", import.meta.url), "utf8");

  it("is left as it is", () => {
    const lines = ordinary.split("\n");
    expect(lines.length).toBeGreaterThan(90);
    expect(
      redact(ordinary)
        .split("\n")
        .filter((line, i) => line !== lines[i]),
    ).toEqual([]);
  });
});

describe("whatever is masked", () => {
  const piece = fc.oneof(
    fc.constantFrom(
      "password=",
      "token: ",
      "Bearer ",
      "https://a:",
      "@",
      "-----BEGIN PRIVATE KEY-----",
      "-----END PRIVATE KEY-----",
      "\n",
      '"',
      " ",
      "eyJ",
      "sk-",
      "Authorization: Basic ",
      "curl -u ",
      REDACTED,
      "Cookie: a=",
      "; sid=",
      "sshpass -p ",
      "sshpass -p'",
    ),
    fc.constantFrom(...EXAMPLES).map(([prefix, body]) => prefix + body),
    fc.string({ maxLength: 12 }),
  );
  const text = fc.array(piece, { maxLength: 14 }).map((pieces) => pieces.join(""));

  it.each([
    ["password=sshpass -p sshpass -p & x", "password=[redacted] -p sshpass -p [redacted] x"],
    [`sshpass -p ${"x1-".repeat(100)}ghp_${"aB3".repeat(12)}`, `sshpass -p [redacted]ghp_[redacted]`],
    [
      `-----BEGIN PRIVATE KEY-----${"aB3".repeat(30)}\n-----BEGIN PRIVATE KEY-----${"dE5".repeat(30)}`,
      "-----BEGIN PRIVATE KEY-----[redacted]\n-----BEGIN PRIVATE KEY-----[redacted]",
    ],
  ])("what one rule leaves to another is masked at once: %s", (given, masked) => {
    expect(redact(given)).toBe(masked);
    expect(redact(masked)).toBe(masked);
  });

  it("the lines stay as many, and twice is the same as once", () => {
    fc.assert(
      fc.property(text, (given) => {
        const once = redact(given);
        expect(once.split("\n").length).toBe(given.split("\n").length);
        expect(redact(once)).toBe(once);
      }),
      { numRuns: 400 },
    );
  });

  it("a text without any rule's word stays as it is", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom(...Array.from("bcdfg 0123456789.,;()[]\n/-_#")), maxLength: 300 }),
        (given) => {
          expect(redact(given)).toBe(given);
        },
      ),
    );
  });

  it.each([
    ["password=", 60_000],
    ["eyJ", 200_000],
    ["a://b:", 100_000],
    ["curl ", 100_000],
    ["Bearer ", 100_000],
    ["token token: ", 60_000],
    ["x://", 150_000],
    ["sk-ant-api03-", 50_000],
    ['password="', 60_000],
    ["cookie: ", 60_000],
    ["-----BEGIN PRIVATE KEY-----", 100_000],
    ["--password ", 60_000],
    ["eyJhbGciOiJIUzI1NiJ9.", 30_000],
    ["MTIzNDU2Nzg5MDEyMzQ1Njc4.", 45_000],
    ["MTIz", 270_000],
    ["key-0123456789abcdef", 50_000],
    ["sshpass ", 130_000],
    ["sshpass -v ", 95_000],
    ['sshpass","-v', 85_000],
    ["sshpass -p", 100_000],
    ["sshpass -p '", 90_000],
    [" Cookie: ", 115_000],
    ["Cookie: a=b; ", 80_000],
    ["Cookie: a;", 100_000],
    ["Cookie:[ 'a=b', '", 60_000],
    ["cookie", 170_000],
  ])(
    "half a megabyte and more of near misses (%j) is read through",
    (unit, times) => {
      // Quadratic rules would need minutes here, and run into the limit of the test.
      expect(redact(unit.repeat(times)).length).toBeGreaterThan(0);
    },
    20_000,
  );
});
