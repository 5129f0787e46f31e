/**
 * What the words of a line say about it, wherever they stand and in whichever of a dozen languages.
 *
 * Theory: a severity word counts unless it is part of a name, a path, an option or a title of
 * something that passed. So names are taken out first, then what is left is read. The grade says how
 * sure the line is to be evidence of a failure; what a tool's own layout says comes on top of it.
 */

import { isFrame } from "./frames.ts";
import { stemMatcher } from "./stems.ts";

/** How a line counts, from nothing to naming a cause. */
export const GRADE = {
  /** Says nothing of a failure. */
  none: 0,
  /** A warning, a deprecation, a notice. */
  warning: 1,
  /** Follows from another failure: an epilogue of a runner, a target that was not made. */
  consequence: 2,
  /** A word that often comes with a failure, and as often does not. */
  weak: 3,
  /** Says what is wrong in plain words. */
  strong: 4,
  /** The form in which tools print an error. */
  explicit: 5,
} as const;

/** One of the values of `GRADE`. */
export type Grade = (typeof GRADE)[keyof typeof GRADE];

// A name is only tried where a word begins, which is also where the first match would begin.
// Words in names: error-handler.ts, /errors/, --error-format, -Wno-error, error_budget, ErrorHandler, errors=0.
const NAMES = new RegExp(
  [
    String.raw`\b(?:errors?|failed|failures?|failing|fail|warnings?|exceptions?|err|unreachable)\s*[=:]\s*0(?![\w.]*[1-9])`,
    String.raw`\b(?:0|no|without(?: an?)?|zero|keine?|sans|0 new)[ -](?:\w+ )?(?:errors?|failures?|failed|failing|fails|warnings?|exceptions?|problems?|issues|fehler|erreurs?)\b`,
    String.raw`(?<!\S)-{1,2}[A-Za-z][\w-]*(?:error|fail|warn|missing|undefined)[\w-]*(?:=\S+)?`,
    String.raw`(?<![\w.@~+-])(?:[\w.@~+-]*[/\\])+[\w.@~+-]*`,
    String.raw`(?<![\w-])[\w-]*(?:error|fail|exception|invalid|missing|abort|panic|fatal|warning|killed|denied|conflict)[\w-]*\.(?:[a-z]{1,5}\b|[A-Za-z_]\w*)`,
    String.raw`(?<![\w:])[\w.$]*(?:[-_](?:error|fail|failed|exception|invalid|missing|abort|panic|fatal|warning|killed)s?|(?:error|fail|failed|exception|invalid|missing|abort|panic|fatal|warning|killed|critical)s?[-_])[\w.-]+`,
    String.raw`(?<![\w-])[\w-]+[-_](?:errors?|fail|failed|exceptions?|warnings?)(?![\w:])`,
    String.raw`\bon[- ](?:error|failure)\b|\berror[- ](?:handl|page|message|case|code|format|budget|rate|recovery|bound|free|report|log|prone|correct|diffusion|margin|expected|path|response|test)\w*`,
  ].join("|"),
  "gi",
);

const PASSED =
  /^(?:[\w@./-]+[:|] ?)?\s*(?:[✓✔√☑✅○↓⊘◌]|ok \d+|\[ *OK *\]|\[ +(?:OK|PASSED|RUN) +\]|=== (?:RUN|PAUSE|CONT|NAME)|--- (?:PASS|SKIP)|PASS\b|SKIP(?:PED)?\b(?!.*\berror)|XFAIL\b|# Subtest|# ok\b|# SKIP)|\bPASSED\b|\.\.\.+ ?(?:ok|passed|done|yes|no|skipped)\b|\bok$|\bchanged: \[|(?:^|\s)Passed +\d/i;

const EXPLICIT_CASED = new RegExp(
  [
    String.raw`(?<![\w/])(?:ERROR|FATAL|PANIC|CRITICAL|SEVERE|FAILED|FAILURE|FAIL|ERR!|ABORTED|EMERG)(?![\w/-])`,
    String.raw`\b[A-Z]\w*(?:Error|Exception|Failure|Fault|Panic)\b(?:\s*[\[(][\w -]+[\])])?\s*(?::|\{|$|-)`,
    String.raw`^\s*(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception|Interrupt|Exit)\b`,
  ].join("|"),
);

const EXPLICIT = new RegExp(
  [
    // error: · Error: · error[E0277]: · error TS2345: · fatal error C1083: · src/a.c:1:2: error: · ERROR in
    String.raw`(?<![\w.-])(?:internal |fatal |syntax |parse |type |compile |runtime |build |link(?:er)? |unhandled |uncaught |script |system |configuration |config |fixable )?(?:errors?|fatal|panic|exception|failure|err!|critical|severe|emerg|alert)(?:\[[\w:-]+\]|\([\w-]+\)|[ -][A-Z]{1,6}\d{2,6})?\s*[:!»](?!:)`,
    String.raw`^(?:[\w@./-]+[:|] ?)?\s*(?:not ok\b|[✖✘✗✕×⨯❌✖])`,
    // Runtime error near line 4: · error while loading shared libraries:
    String.raw`^(?:\w+: |\w+ )?errors? (?:near|at|on|in|while|during|when)\b[^:]{0,80}:(?!:)`,
    String.raw`^\s*\d+:\d+\s+error\b`,
    String.raw`^E: |^npm (?:ERR!|error)|^error\b.{4,}|^fatal\b.{4,}|^\s*!\s|^CONFLICT|^\s*✗`,
    String.raw`\[(?:error|fatal|fail(?:ed)?|err|e)\]|\((?:error|fatal)\):`,
    String.raw`\b(?:level|severity|lvl|status)["']?\s*[=:]\s*["']?(?:error|fatal|crit\w*|panic|err|emerg|50|60)\b`,
    String.raw`\bkilled\b(?!\s*[=:]?\s*0)|segmentation fault|core dumped|\bbus error|illegal instruction|floating point exception|signal sig|\bSIG(?:SEGV|ABRT|BUS|ILL|FPE|KILL)\b|sanitizer:|stack overflow|out of memory|oom-kill|double free|heap corruption`,
    String.raw`assertion\b.*\bfailed|assert(?:ion)? failed|undefined reference|multiple definition of|unresolved external|core dumped|goroutine \d+ \[running`,
    String.raw`speicherzugriffsfehler|fehler:|\bfehler\b|schwerwiegend|erreur|ошибка|エラー|致命的|错误|致命|오류|błąd|\berrore\b|\berro\b`,
    String.raw`traceback \(most recent|^caused by|\bunhandled\b|\buncaught\b`,
  ].join("|"),
  "i",
);

const STRONG = new RegExp(
  [
    String.raw`no such (?:file|directory|table|column|host|module|remote|option|command|package|user|function)|(?:command|module|package|file|symbol|name|header|library|executable|key|page|class|target|host|image|branch|commit|reference|pathspec|table|type|namespace|identifier)[^.]{0,60} not found|not found\s*$|: not found`,
    String.raw`(?:permission|access|operation|authentication|authorization|authentication)\s+(?:was )?(?:denied|not permitted|failed|refused)|\bnot permitted|\bdenied\b|\brefused\b|\bforbidden\b|\bunauthorized\b`,
    String.raw`connection (?:refused|reset|timed out|closed|failed|aborted)|couldn?'?t connect|could ?n[o']t (?:be )?\w+|unable to \w+|can(?:not|'t) (?:be )?\w+|\bfailed to \w+|\bfailed (?:test|assertion|check|expectation|step|task)s?\b|refus(?:ed|ing) to|is not (?:a |an |the )?\w+|does not (?:exist|meet|work|compile|return|equal|match|apply|provide|have|support|contain|satisfy)|doesn't (?:exist|match)|do not (?:match|exist)|has no (?:member|attribute|method|field|element|property|exported)|was not declared|undeclared|undefined (?:variable|symbol|name|method|reference|local|function)|is undefined|not defined|unbound variable|is locked|already (?:exists|in use|defined|declared|running|allocated)|bad substitution|ambiguous|no space left|too (?:many|long|few|large|small) \w+|no matching|no version|not installed|missing (?:required|argument|separator|module|dependency|return|initializer|file|script|type)|required (?:argument|property|but|package)|invalid \w+|illegal \w+|malformed|corrupt|unsatisf|unmet|incompatible|unsupported|unknown (?:option|command|argument|type|host|key|user|column|directive|identifier|property|module|target|revision|package)|unrecognized|unexpected \w+|\bexpecting [\w'"]|expected [\w'"‘\`{(\[].{0,40}(?:but|got|received|found|,)|mismatch|timed? ?out|deadline exceeded|exited (?:with|\d)|exit(?:ed)? (?:code|status)[: ]*[1-9]|returned (?:non-zero|[1-9])|non-zero exit|terminated by signal|terminated with|dumped core|crashed|declined|rejected|conflict(?:s|ing)?\b|violat\w+|constraint (?:failed|violation)|not null constraint|duplicate (?:key|symbol|entry|identifier)|syntax error|parse error|looks like an? |(?:threshold|minimum|limit|budget)\b.{0,60}\b(?:not met|exceeded|below|reached)|never (?:used|evaluate|read)|would (?:be )?reformat|not formatted|circular|deadlock|overflow\b|divi(?:sion|de) by zero|out of (?:range|bounds|memory|disk)|vulnerabilit|tests? failed|does not compile|reads arg|wrong type|no rule to make|ENOENT|EACCES|EADDRINUSE|ECONNREFUSED|ENOSPC|ETIMEDOUT|ENOTFOUND|EPERM|EBADENGINE|ERESOLVE|ELIFECYCLE|exit(?:ing)? due to`,
    // The message stands beside the caret that points to the place.
    String.raw`^\s{2,}\^[-~]*\^? (?:[A-Z]+\d+ )?\(?[A-Za-z]\w+`,
    String.raw`^\W{0,8}(?:expected|received|actual|got)(?: value)?\s*:\s*\S`,
    String.raw`nicht (?:gefunden|möglich|definiert|deklariert)|kann nicht|konnte nicht|verweigert|fehlgeschlagen|kein(?:e|en)? (?:solche|regel|element|passende)|hat kein|konflikt|getötet|abgebrochen|ungültig`,
    String.raw`aucun fichier|introuvable|impossible d|n'existe pas|échec|échoué|refusée?|conflit|non (?:trouvé|accordée?|défini)|ne peut pas`,
    String.raw`no se (?:puede|pudo|encontr|ha)|no existe|denegado|falló|fallid|no encontrad|impossibile|non trovat|negato|não (?:foi|encontrad|existe)|falhou|negada`,
    String.raw`できません|見つかりません|失敗|ありません|拒否|競合|无法|找不到|失败|不存在|拒绝|冲突|没有那个|不能|не удалось|не найден|нет такого|отказано|невозможно|сбой|конфликт|없습니다|실패|nie (?:można|znaleziono|powiodł)|bulunamadı|niet gevonden|mislukt`,
  ].join("|"),
  "i",
);

const WEAK =
  /\bfail(?:ed|ing|ures?|s)?\b|\berrors?\b|\bexceptions?\b|\binvalid\b|\bmissing\b|\bunexpected\b|\bunknown\b|\babort(?:ed|ing)?\b|\bpanic\w*|\bcrash\w*|\bbroken\b|\bcorrupt\w*|\bnot (?:found|available|ready|valid|allowed|supported|set|match)\b|\bcannot\b|\bcan't\b|\bcritical\b|\bstopped\b|\bskipping\b.*\bbecause\b|\bretry(?:ing)?\b|\btimeout\b|\bunreachable\b|\bgot\b.*\bwant\b|\bwant\b.*\bgot\b/i;

const WARNING =
  /\bwarn(?:ing)?s?\b(?!\s*[=:]?\s*0)|\bWARN\b|\bdeprecat\w+|⚠|^W: |\bwarnung\b|\bavertissement|\badvertencia|\baviso\b|предупреждение|警告|경고|^\s*\d+:\d+\s+warning\b|\bunused (?:variable|import|parameter)|(?<!\bno )\blatch(?:es)? inferred|\binferr(?:ed|ing) (?:an? )?latch/i;

const CONSEQUENCE = new RegExp(
  [
    String.raw`^(?:\S+[:|]\s+)?npm (?:ERR!|error) (?:code (?:ELIFECYCLE|\d+)\s*$|errno|path |command |workspace |location |lifecycle script|a complete log|this is probably not|failed at the|exit status|$)|^(?:\S+[:|]\s+)?npm (?:ERR!|error)\s*$|\bELIFECYCLE\b|complete log of this run|lifecycle script .* failed|command failed with exit code|^error command failed|command failed\s*$`,
    String.raw`current transaction is aborted|not remade because of errors|could not compile .* due to|\bdue to \d+ warning|warnings? (?:are )?(?:being )?treated as errors|too many warnings|build failed\b|build stopped|aborting due to|waiting for unfinished jobs|^(?:g|r)?make(?:\[\d+\])?: (?:\*\*\* |leaving)|^ninja: |subcommand failed|process completed with exit|errors? (?:were|was) (?:found|encountered|detected)|some errors (?:have|were)|for more information about|configuring incomplete|errors occurred|compilation (?:failed|terminated)|collect2: |ld returned|exit(?:ed)? (?:status|code):? \d+\s*$|exited with (?:code )?\d+|exit status \d+|^fail\t|^FAIL\s*$|^# ?failed|had failures|there were (?:test )?failures|please refer to|re-run maven|\[help \d+\]|to see the full stack|run with (?:--|-)|try --help|see '?\S+ --help|compilation aborted|fehler \d+$|erreur \d+$|エラー \d+$|errors? generated|failed tasks|recipe for target|no more targets|^\s*exit(?:ing)? code`,
  ].join("|"),
  "i",
);

// Of those, these are consequences although they are printed as errors.
const ALWAYS_CONSEQUENCE =
  /current transaction is aborted|not remade because of errors|could not compile .* due to|aborting due to \d/i;

/** A line with its names and zero counts taken out; what is left are words that count. */
export function withoutNames(line: string): string {
  return line.replace(NAMES, "·");
}

/** Whether the line tells of something that went well. */
export function isPassed(line: string): boolean {
  return PASSED.test(line);
}

const NOTE =
  /(?:^|[:\]] )\s*(?:note|info(?:rmation)?|hint|help|remark|tip|debug)(?:\[[\w-]+\])?: |^\s*= (?:note|help): |^\s*\d* *[|│]|^(?:remote: )?hint: /i;
const LOCATED = /^\s*(?:[A-Za-z]:)?[\w./@\\+-]+\.\w{1,5}(?::\d+(?::\d+)?(?:-\d+(?::\d+)?)?|\(\d+(?:,\d+)?\)):? +\S/;

// 2/8 implicit   FAIL   0.47s   exit status 1 · ── Failure (series.R:10): months come in order ──
const STATUS_OF_MANY =
  /^\s*\[?\d+\/\d+\]?:? +\S.*(?:\s|\*\*\*)(?:FAIL|FAILED|Failed|ERROR|TIMEOUT|Timeout)\b|^\s*[─━]{2,} (?:\d+\. )?(?:Failure|Error)\b/;

// %Warning-WIDTH: tb.v:12:26: … The kind of a message that looks like a name.
const KIND = /^\W{0,2}(error|warn(?:ing)?)-[A-Z][\w-]*: /i;

// zipio.c:743:0: style: … A message that says itself that it is about no fault.
const REMARK =
  /^\S*?:\d+(?::\d+)?:? (?:- )?\[?(?:style|performance|portability|convention|refactor|suggestion)\b\]?:? /i;

/** Whether a line is a message about style, not about a fault. */
export function isRemark(line: string): boolean {
  return REMARK.test(line);
}

/** How a line counts by its words alone. Reads the first 600 and the last 200 characters of a long one. */
export function gradeOf(line: string): Grade {
  const read = line.length > 800 ? `${line.slice(0, 600)} ${line.slice(-200)}` : line;
  if (PASSED.test(read)) return GRADE.none;
  if (NOTE.test(read)) return GRADE.none;
  if (REMARK.test(read)) return GRADE.warning;
  const kind = KIND.exec(read)?.[1];
  if (kind !== undefined) return /^e/i.test(kind) ? GRADE.explicit : GRADE.warning;
  const words = withoutNames(read);
  if (STATUS_OF_MANY.test(read)) return GRADE.explicit;
  if (CONSEQUENCE.test(read) && (!/: (?:fatal )?error: /i.test(read) || ALWAYS_CONSEQUENCE.test(read)))
    return GRADE.consequence;
  const warning = WARNING.test(words);
  if (EXPLICIT.test(words) || EXPLICIT_CASED.test(words))
    return warning && /^\S*\s*\[?warn/i.test(words) ? GRADE.warning : GRADE.explicit;
  if (warning) return GRADE.warning;
  if (STRONG.test(words) || (LOCATED.test(read) && !isFrame(read))) return GRADE.strong;
  if (WEAK.test(words)) return GRADE.weak;
  return GRADE.none;
}

/** Whether a line counts for nothing but that a message stands behind a place. */
export function isOnlyLocated(line: string): boolean {
  return LOCATED.test(line) && !STRONG.test(withoutNames(line));
}

const RECORD_ERROR = /"(?:err|error|exception|cause|reason|detail)s?"\s*:\s*(?:"[^"]|\{\s*"|\[\s*["{])/;

// So many places of a long line are looked at, and so many characters on either side of each.
const MOST_PLACES = 32;
const AROUND = 200;

/** Where in a long line the first words stand that make it evidence, wherever that is; -1 when none were found. */
export function loudAt(line: string): number {
  const bytes = Buffer.from(line);
  let found = -1;
  let looked = 0;
  stemMatcher().eachLine(bytes, 0, bytes.length, (_, __, at) => {
    if (++looked > MOST_PLACES) return bytes.length;
    const from = Math.max(0, at - AROUND);
    // A word that is cut at the start may be the end of a name.
    const part = bytes.toString("utf8", from, at + AROUND).replace(from > 0 ? /^\W?\w+/ : "", "");
    if (gradeOf(part) < GRADE.strong) return Math.min(bytes.length, at + AROUND);
    found = bytes.toString("utf8", 0, at + AROUND).length - part.length + severityAt(part);
    return bytes.length;
  });
  return found;
}

/** Where in a line the words stand that make it evidence; 0 when there are none. */
export function severityAt(line: string): number {
  const read = line.slice(0, 20_000);
  // Of a record the field that tells of the error says more than its level.
  if (read.startsWith("{")) {
    const at = read.search(RECORD_ERROR);
    if (at >= 0) return at;
  }
  for (const words of [EXPLICIT_CASED, EXPLICIT, STRONG]) {
    const at = read.search(words);
    if (at >= 0) return at;
  }
  return line.length > read.length ? Math.max(0, loudAt(line)) : 0;
}
