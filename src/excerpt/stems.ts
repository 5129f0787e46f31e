/**
 * The beginnings of words and the signs that make a line worth a closer look. A superset of what
 * severity and the recognisers know; what is not here is never examined. In lower case; a space also
 * stands for the start of a line, and `0` for any digit.
 */
import { StemMatcher } from "../text/index.ts";

const ENGLISH =
  "err|fail|fatal|panic|excep|traceback|critic|sever| not |n't | no |kill|segm|denie|refus|cannot|unable|unbound|undef|undecl|unexp|unkno|unres|unrec|unsat|unmet|unsup|unhand|uncaught|unauth|unreach|unused|uninit|abort|miss|inval|illeg|expect|warn|depre|conflict|mismatch|timeout|time out|timed out|reject|declin|lock|exist|already| too |violat|duplic|corrupt|signal|sigsegv|sigabrt|sigkill|sigbus|dump|assert|leak|overfl|caus|exit|crash|stopped|looks like|has no|does n|out of|no space|retry|goroutine|vulnera|inferr|malform|incompat|broken|circular|(!)|y lost|would |terminat|suppressed|nonzero|non-zero|never |wrong |reads arg|bad |race|suppos|depends|division|race condition|emerg|alert|[!]| ! |***|___|stdout ----|0) |━━━━|>>>|e: |w: |level|status|---- | ^ |^--|●|✖|✘|✗|✕| ×|× |⨯|❌|⚠|✂";
const SYSTEM =
  "enoent|eacces|econn|eaddr|etime|eperm|eresolv|enosp|enotf|elife|ebad|eisdir|enotdir|emfile|enomem|epipe|eunsup";
const OTHERS =
  "fehl|konflikt|kann |konnte |kein| nicht |getötet|abgebr|ungült|schwerw|verweig|warnung|impossib|aucun|introuv|échec|échou|conflit|avert|n'existe|non trouv|ne peut| no se |fall|no exist|deneg|encontr|advert|erro|impossibil|non trov|negat|não |falhou|aviso|fout|mislukt|niet |błąd|nie |nie można|bulunamad|hata|エラー|ません|失敗|拒否|競合|警告|错误|致命|无法|找不到|失败|不存在|拒绝|冲突|没有|ошибк|не |сбой|конфликт|нет |отказ|невозм|предупр|오류|실패|없습니다|경고";
const LETTERS = "abcdefghijklmnopqrstuvwxyz";

/** Every stem. */
export const STEMS: readonly string[] = [
  ...ENGLISH.split("|"),
  ...SYSTEM.split("|"),
  ...OTHERS.split("|"),
  // A place: file.ts:12, file.ts(12,3)
  ...LETTERS.split("").flatMap((letter) => [`${letter}:0`, `${letter}(0`]),
];

let matcher: StemMatcher | null = null;

/** The matcher of all stems, made when it is first needed. */
export function stemMatcher(): StemMatcher {
  matcher ??= new StemMatcher(STEMS);
  return matcher;
}
