/**
 * The words by which lines are told for evidence, in a dozen languages. What they weigh, and where they do not count,
 * is told in `severity.ts`.
 */
import { alternatives } from "./alternatives.ts";

/** The forms in which tools print an error: `error[E0277]:`, `fatal error C1083:`, `Runtime error near line 4:`, `✖`, `Killed`. */
export const EXPLICIT: RegExp = alternatives(String.raw`
  (?<![\w.-])(?:internal |fatal |syntax |parse |type |compile |runtime |build |link(?:er)? |unhandled |uncaught |script |system |configuration |config |fixable )?(?:errors?|fatal|panic|exception|failure|err!|critical|severe|emerg|alert)(?:\[[\w:-]+\]|\([\w-]+\)|[ -][A-Z]{1,6}\d{2,6})?\s*[:!»](?!:)
  ^(?:[\w@./-]+[:|] ?)?\s*(?:not ok\b|[✖✘✗✕×⨯❌✖])
  ^(?:\w+: |\w+ )?errors? (?:near|at|on|in|while|during|when)\b[^:]{0,80}:(?!:)
  ^\s*\d+:\d+\s+error\b
  ^E:\x20
  ^npm (?:ERR!|error)
  ^error\b.{4,}
  ^fatal\b.{4,}
  ^\s*!\s
  ^CONFLICT
  ^\s*✗
  \[(?:error|fatal|fail(?:ed)?|err|e)\]
  \((?:error|fatal)\):
  "ruleid":(?:null|"[^"]*"),(?:"fatal":true,)?"severity":2\b
  \b(?:level|severity|lvl|status)["']?\s*[=:]\s*["']?(?:error|fatal|crit\w*|panic|err|emerg|50|60)\b
  \bkilled\b(?!\s*[=:]?\s*0)
  segmentation fault
  core dumped
  \bbus error
  illegal instruction
  floating point exception
  signal sig
  \bSIG(?:SEGV|ABRT|BUS|ILL|FPE|KILL)\b
  sanitizer:
  stack overflow
  out of memory
  oom-kill
  double free
  heap corruption
  assertion\b.*\bfailed
  assert(?:ion)? failed
  undefined reference
  multiple definition of
  unresolved external
  goroutine \d+ \[running
  speicherzugriffsfehler
  fehler:
  \bfehler\b
  schwerwiegend
  erreur
  ошибка
  エラー
  致命的
  错误
  致命
  오류
  błąd
  \berrore\b
  \berro\b
  traceback \(most recent
  ^caused by
  \bunhandled\b
  \buncaught\b
`);

/** The same in the case that tools write them in: `ERROR`, `TypeError:`. */
export const EXPLICIT_CASED: RegExp = new RegExp(
  [
    String.raw`(?<![\w/])(?:ERROR|FATAL|PANIC|CRITICAL|SEVERE|FAILED|FAILURE|FAIL|ERR!|ABORTED|EMERG)(?![\w/-])`,
    String.raw`\b[A-Z]\w*(?:Error|Exception|Failure|Fault|Panic)\b(?:\s*[\[(][\w -]+[\])])?\s*(?::|\{|$|-)`,
    String.raw`^\s*(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception|Interrupt|Exit)\b`,
  ].join("|"),
);

/** What says what is wrong in plain words, also beside a caret that points to the place. */
export const STRONG: RegExp = alternatives(String.raw`
  no such (?:file|directory|table|column|host|module|remote|option|command|package|user|function)
  (?:command|module|package|file|symbol|name|header|library|executable|key|page|class|target|host|image|branch|commit|reference|pathspec|table|type|namespace|identifier)[^.]{0,60} not found
  not found\s*$
  : not found
  (?:permission|access|operation|authentication|authorization|authentication)\s+(?:was )?(?:denied|not permitted|failed|refused)
  \bnot permitted
  \bdenied\b
  \brefused\b
  \bforbidden\b
  \bunauthorized\b
  connection (?:refused|reset|timed out|closed|failed|aborted)
  couldn?'?t connect
  could ?n[o']t (?:be )?\w+
  unable to \w+
  can(?:not|'t) (?:be )?\w+
  \bfailed to \w+
  \bfailed (?:test|assertion|check|expectation|step|task)s?\b
  refus(?:ed|ing) to
  is not (?:a |an |the )?\w+
  does not (?:exist|meet|work|compile|return|equal|match|apply|provide|have|support|contain|satisfy)
  doesn't (?:exist|match)
  do not (?:match|exist)
  has no (?:member|attribute|method|field|element|property|exported)
  was not declared
  undeclared
  undefined (?:variable|symbol|name|method|reference|local|function)
  is undefined
  not defined
  unbound variable
  is locked
  already (?:exists|in use|defined|declared|running|allocated)
  bad (?:substitution|file|format|interpreter|address|request|gateway|magic|checksum|header|descriptor|config\w*|argument|option|parameter|syntax|directive|signature|certificate|password|credentials|escape)\b
  ambiguous
  no space left
  too (?:many|long|few|large|small) \w+
  no matching
  no version
  not installed
  missing (?:required|argument|separator|module|dependency|return|initializer|file|script|type)
  required (?:argument|property|but|package)
  invalid \w+
  illegal \w+
  malformed
  corrupt
  unsatisf
  unmet
  incompatible
  unsupported
  unknown (?:option|command|argument|type|host|key|user|column|directive|identifier|property|module|target|revision|package)
  unrecognized
  unexpected \w+
  \bexpecting [\w'"]
  expected [\w'"‘\`{(\[].{0,40}(?:but|got|received|found|,)
  mismatch
  timed? ?out
  deadline exceeded
  exited (?:with|\d)
  exit(?:ed)? (?:code|status)[: ]*[1-9]
  returned (?:non-zero|[1-9])
  non-zero exit
  terminated by signal
  terminated with
  dumped core
  crashed
  declined
  rejected
  conflict(?:s|ing)?\b
  violat\w+
  constraint (?:failed|violation)
  not null constraint
  duplicate (?:key|symbol|entry|identifier)
  syntax error
  parse error
  looks like an?\x20
  (?:threshold|minimum|limit|budget)\b.{0,60}\b(?:not met|exceeded|below|reached)
  never (?:used|evaluate|read)
  would (?:be )?reformat
  not formatted
  circular
  deadlock
  overflow\b
  divi(?:sion|de) by zero
  out of (?:range|bounds|memory|disk)
  vulnerabilit
  tests? failed
  does not compile
  reads arg
  wrong type
  no rule to make
  ENOENT
  EACCES
  EADDRINUSE
  ECONNREFUSED
  ENOSPC
  ETIMEDOUT
  ENOTFOUND
  EPERM
  EBADENGINE
  ERESOLVE
  ELIFECYCLE
  exit(?:ing)? due to
  ^\s{2,}\^[-~]*\^? (?:[A-Z]+\d+ )?\(?[A-Za-z]\w+
  ^\W{0,8}(?:expected|received|actual|got)(?: value)?\s*:\s*\S
  nicht (?:gefunden|möglich|definiert|deklariert)
  kann nicht
  konnte nicht
  verweigert
  fehlgeschlagen
  kein(?:e|en)? (?:solche|regel|element|passende)
  hat kein
  konflikt
  getötet
  abgebrochen
  ungültig
  aucun fichier
  introuvable
  impossible d
  n'existe pas
  échec
  échoué
  refusée?
  conflit
  non (?:trouvé|accordée?|défini)
  ne peut pas
  no se (?:puede|pudo|encontr|ha)
  no existe
  denegado
  falló
  fallid
  no encontrad
  impossibile
  non trovat
  negato
  não (?:foi|encontrad|existe)
  falhou
  negada
  できません
  見つかりません
  失敗
  ありません
  拒否
  競合
  无法
  找不到
  失败
  不存在
  拒绝
  冲突
  没有那个
  不能
  не удалось
  не найден
  нет такого
  отказано
  невозможно
  сбой
  конфликт
  없습니다
  실패
  nie (?:można|znaleziono|powiodł)
  bulunamadı
  niet gevonden
  mislukt
`);

/** Words that often come with a failure, and as often do not. */
export const WEAK: RegExp =
  /\bfail(?:ed|ing|ures?|s)?\b|\berrors?\b|\bexceptions?\b|\binvalid\b|\bmissing\b|\bunexpected\b|\bunknown\b|\babort(?:ed|ing)?\b|\bpanic\w*|\bcrash\w*|\bbroken\b|\bcorrupt\w*|\bnot (?:found|available|ready|valid|allowed|supported|set|match)\b|\bcannot\b|\bcan't\b|\bcritical\b|\bstopped\b|\bskipping\b.*\bbecause\b|\bretry(?:ing)?\b|\btimeout\b|\bunreachable\b|\bgot\b.*\bwant\b|\bwant\b.*\bgot\b/i;

/** Words of warnings. */
export const WARNING: RegExp =
  /\bwarn(?:ing)?s?\b(?!\s*[=:]?\s*0|=-)|\bWARN\b(?!=-)|\bdeprecat\w+|⚠|^W: |\bwarnung\b|\bavertissement|\badvertencia|\baviso\b|предупреждение|警告|경고|^\s*\d+:\d+\s+warning\b|\bunused (?:variable|import|parameter)|(?<!\bno )\blatch(?:es)? inferred|\binferr(?:ed|ing) (?:an? )?latch/i;

/** What follows from another failure: an epilogue of a runner, a target that was not made. */
export const CONSEQUENCE: RegExp = alternatives(String.raw`
  ^(?:\S+[:|]\s+)?npm (?:ERR!|error) (?:code (?:ELIFECYCLE|\d+)\s*$|errno|path |command |workspace |location |lifecycle script|a complete log|this is probably not|failed at the|exit status|$)
  ^(?:\S+[:|]\s+)?npm (?:ERR!|error)\s*$
  \bELIFECYCLE\b
  complete log of this run
  lifecycle script .* failed
  command failed with exit code
  ^error command failed
  command failed\s*$
  current transaction is aborted
  not remade because of errors
  could not compile .* due to
  \bdue to \d+ warning
  warnings? (?:are )?(?:being )?treated as errors
  too many warnings
  build failed\b
  build stopped
  aborting due to
  waiting for unfinished jobs
  ^(?:g|r)?make(?:\[\d+\])?: (?:\*\*\* |leaving)
  ^ninja:\x20
  subcommand failed
  process completed with exit
  errors? (?:were|was) (?:found|encountered|detected)
  some errors (?:have|were)
  for more information about
  configuring incomplete
  errors occurred
  compilation (?:failed|terminated)
  collect2:\x20
  ld returned
  exit(?:ed)? (?:status|code):? \d+\s*$
  exited with (?:code )?\d+
  exit status \d+
  ^fail\t
  ^FAIL\s*$
  ^# ?failed
  had failures
  there were (?:test )?failures
  please refer to
  re-run maven
  \[help \d+\]
  to see the full stack
  run with (?:--|-)
  try --help
  see '?\S+ --help
  compilation aborted
  fehler \d+$
  erreur \d+$
  エラー \d+$
  errors? generated
  failed tasks
  recipe for target
  no more targets
  ^\s*exit(?:ing)? code
`);
