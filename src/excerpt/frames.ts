/**
 * Stack frames: which lines are frames, and which of them point into the project's own code. Frames of
 * runtimes, installed packages and standard libraries say where a call came from, not what is wrong.
 */

const FRAME =
  /^\s*(?:(?:at|by) 0x[\dA-F]+: |at (?:async |new |Object\.|[\w$<>.[\]]*\s*\(?)?\S.*[:(]\S*\d|at \S+\(.*\)|at .*\(native\)|at .*<anonymous>|File ".*", line \d+|#\d+\s+(?:0x|\S+\s*\()|\d+: +(?:0x[\da-f]+|[\w<>:]+::)|from \S+:\d+:in|[›❯] \S.*[:(]\d+\)?$|at \.\/\S+:\d+|\t\S+\.(?:go|s):\d+( \+0x[\da-f]+)?$|\S+\.(?:go|s):\d+ \+0x[\da-f]+$|\.{3} \d+ (?:more|common frames)|… \d+ more|# \S+:\d+:in|\S+:\d+: in [\w<])/;

const FOREIGN =
  /node_modules|\bnode:|\(internal\/|internal\/(?:process|modules)|site-packages|dist-packages|\/usr\/(?:lib|share|local\/lib|local\/go|include)|\/rustc\/|\.cargo\/registry|\bpkg\/mod|\/go-?\d[\w.]*\/src|\.m2\/|rubygems|\/gems\/|\/vendor\/|<frozen |\(<anonymous>\)|at <anonymous>|\(native|(?<![\w.])(?:java|javax|jdk|sun)\.|java\.base|org\.junit|org\.apache\.|org\.codehaus|org\.spring|org\.hibernate|org\.eclipse|org\.postgresql|io\.netty|reactor\.core|com\.zaxxer|com\.fasterxml|org\.gradle|org\.mockito|org\.hamcrest|org\.assertj|com\.sun|kotlin\.|scala\.|\.{3} \d+ |runtime\.|testing\.|core::|std::|__libc|lib\/python\d|_bootstrap|importlib|libc\.so|ld-linux|\/perl5?\/|\.pyenv|\.rbenv|\.nvm|Test\.run|processTicksAndRejections|\.\.\/\.\.\/\.\.|interceptor_| at \.\.?\/(?:sysdeps|nptl|csu|malloc|stdlib|libio)\/|\b_start\b|\b(?:__|_IO_)\w+ \(\w+\.[ch]:\d|\b(?:v?s?n?f?(?:printf|scanf)|str(?:n?(?:cpy|cat|cmp|dup|len)|r?chr|str|tok|to)\w*|mem(?:cpy|move|set|cmp|chr)|(?:m|c|re)alloc|free|qsort|abort|raise) \(\w+\.[ch]:\d|vgpreload|\b_testmain\.go/;

/** Whether a line is a frame of a stack. */
export function isFrame(line: string): boolean {
  return FRAME.test(line);
}

/** Whether a frame points into code of the project. */
export function isOwnFrame(line: string): boolean {
  return FRAME.test(line) && !FOREIGN.test(line);
}

/** What stands before the message of a row, as far as it has any: the message may well name what is not the project's. */
export function placeOf(text: string): string {
  const end = text.indexOf(": ");
  return text.slice(0, end < 0 ? 200 : Math.min(end, 200));
}

/** Whether a path or frame belongs to a runtime, an installed package or a standard library. */
export function isForeign(line: string): boolean {
  return FOREIGN.test(line);
}
