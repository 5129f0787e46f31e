/** gcc, clang, msvc and their linkers. */
import { GRADE } from "../severity.ts";
import type { Recogniser } from "./recogniser.ts";

/** The layout of C compiler. */
export const cCompiler: Recogniser = {
  name: "C compiler",
  opens:
    /^\S.*?(?:[:(]\d+[^ ]*|cc1(?:plus)?|clang|gcc|g\+\+)\)?\s*: (?:fatal )?(?:error|Fehler|erreur|エラー|ошибка|error)\b|: undefined reference to|: multiple definition of/,
  closes: /^\S/,
  heading: /^\S+: In (?:function|member function|constructor|instantiation)|required from here$/,
  uses: /: note: in instantiation of .* requested here$/,
  harmless: /:\s+required (?:from|by)|: note: |^In file included from|^\s+from \S+:\d+[,:]$/,
  rule: /\[(-W[\w=-]+|[A-Z]{1,4}\d{3,5})\]$/,
  follows:
    /^collect2: error|ld returned \d|^compilation terminated|^clang: error: linker command failed|\d+ errors? generated/,
};

/** What they warn of, by the option that asked for it. */
export const cWarning: Recogniser = {
  name: "C warning",
  opens: /^[^\s:]+:\d+(?::\d+)?: [^\s:]+: .*\[-W(?!error)[\w=+-]+\]$/,
  grade: GRADE.warning,
  closes: /^\S/,
  rule: /\[(-W[\w=+-]+)\]$/,
};
