/**
 * The forms of secrets that can be told from their text alone: a provider's prefix and a length.
 * Each stands with its source's own notation; whoever adds one adds an example to the test.
 *
 * Every form begins where no word goes on before it (see redact.ts), and has one way to match, so
 * that a text without secrets is read once, whatever is in it.
 */

/** One form: what is kept of it as a hint, and the secret part after that. Sources of regular expressions. */
export interface SecretForm {
  readonly keep: string;
  readonly secret: string;
}

const WORD = "[A-Za-z0-9]";
const URLSAFE = "[A-Za-z0-9_-]";
const HEX = "[0-9a-f]";

/**
 * The base64 of a decimal number of 17 to 20 digits. Three digits give four characters, each out of a few, so nothing
 * else looks like it; one or two digits that are left over give two or three.
 */
const BASE64_OF_DIGITS = "(?:[MNO][DTjz][AEIMQUYcgk][w-z0-5]){5,6}(?:[MNO][DTjz][AEIMQUYcgk]|[MNO][AQgw])?";

const form = (keep: string, secret: string): SecretForm => ({ keep, secret });

/** All forms, the more special ones before those that begin alike. */
export const SECRET_FORMS: readonly SecretForm[] = [
  // Models and what serves them.
  form("sk-ant-[a-z]{2,12}\\d{2}-", `${URLSAFE}{20,}`),
  form("sk-(?:proj|svcacct|admin|None)-", `${URLSAFE}{20,}`),
  form("sk-or-v1-", `${HEX}{40,}`),
  form("sk-", `${WORD}{32,}`),
  form("AIza", `${URLSAFE}{35}`),
  form("ya29\\.", `${URLSAFE}{20,}`),
  form("GOCSPX-", `${URLSAFE}{28}`),
  form("1//0", `${URLSAFE}{40,}`),
  form("hf_", `${WORD}{30,}`),
  form("gsk_", `${WORD}{40,}`),
  form("xai-", `${WORD}{60,}`),
  form("pplx-", `${WORD}{40,}`),
  form("r8_", `${WORD}{37}`),
  // Code hosts, registries, builds.
  form("gh[pousr]_", `${WORD}{20,}`),
  form("github_pat_", `[A-Za-z0-9_]{22,}`),
  form("gl(?:pat|ptt|dt|rt|cbt|soat|ffct|imt|ft|agent)-", `[A-Za-z0-9_.-]{20,}`),
  form("gloas-", `${HEX}{64}`),
  form("npm_", `${WORD}{36}`),
  form("pypi-", `AgE${URLSAFE}{50,}`),
  form("rubygems_", `${HEX}{48}`),
  form("dckr_(?:pat|oat)_", `${URLSAFE}{20,}`),
  form("CCIPAT_", `[A-Za-z0-9_]{30,}`),
  form("bk[au]a_", `${HEX}{40}`),
  form("ATATT3", `[A-Za-z0-9_=-]{60,}`),
  form("sntry[su]_", `[A-Za-z0-9_=+/-]{40,}`),
  form("glsa_", `[A-Za-z0-9]{32}_${HEX}{8}`),
  form("lin_api_", `${WORD}{40}`),
  form("ntn_", `${WORD}{40,}`),
  form("figd_", `${URLSAFE}{30,}`),
  form("PMAK-", `${HEX}{24}-${HEX}{34}`),
  // Clouds.
  form("A(?:KI|SI|BI|CC)A", "[A-Z2-7]{16}"),
  form("dapi", `${HEX}{32}`),
  form("do[opr]_v1_", `${HEX}{64}`),
  form("hv[sbr]\\.", `${URLSAFE}{24,}`),
  form("dp\\.(?:pt|st|ct|sa|scim|audit)\\.", `[A-Za-z0-9_.-]{40,}`),
  form(`${WORD}{14}\\.atlasv1\\.`, `${URLSAFE}{60,}`),
  form("pul-", `${HEX}{40}`),
  form("sbp_", `${HEX}{40}`),
  form("nfp_", `${WORD}{36}`),
  form("AGE-SECRET-KEY-1", "[A-Z0-9]{58}"),
  // Messages, payments, shops.
  form("xox[abeoprs]-", "[A-Za-z0-9-]{10,}"),
  form("xapp-\\d-", "[A-Za-z0-9-]{20,}"),
  form("(?:sk|rk)_(?:live|test)_", `${WORD}{16,}`),
  form("whsec_", "[A-Za-z0-9+/=]{24,}"),
  form("SG\\.", `${URLSAFE}{22}\\.${URLSAFE}{43}`),
  form("SK", `${HEX}{32}`),
  form("shp(?:at|ca|pa|ss)_", `${HEX}{32}`),
  form("sq0(?:atp|csp)-", `${URLSAFE}{22,}`),
  form("\\d{8,10}:AA", `${URLSAFE}{33}`),
  // Mailgun's older private keys: "key-" alone before an MD5 is rarely anything else.
  form("key-", `${HEX}{32}`),
  // Discord: the bot's public number, the time of issue, the signature.
  form(`${BASE64_OF_DIGITS}\\.`, `${URLSAFE}{6}\\.${URLSAFE}{27,}`),
  // RFC 7519: header and claims of a JSON Web Token are base64url of text that begins with {".
  form("eyJ", `${URLSAFE}{8,}\\.eyJ${URLSAFE}{8,}(?:\\.${URLSAFE}*)?`),
];
