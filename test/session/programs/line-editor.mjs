// A line editor in raw mode: it draws each key itself, and only a carriage return submits.
let line = "";
let cursor = 0;
process.stdin.setRawMode(true);
process.stdout.write("\x1b[?2004h\x1b]2;line editor\x07");
const draw = () => process.stdout.write(`\r\x1b[2K> ${line}\x1b[${cursor + 3}G`);
const insert = (text) => {
  line = line.slice(0, cursor) + text + line.slice(cursor);
  cursor += text.length;
};
const finish = (word) => {
  process.stdout.write(`\r\n\x1b[?2004l${word}: ${JSON.stringify(line)}\r\n`);
  process.exit(word === "submitted" ? 0 : 1);
};
const KEYS = {
  "\r": () => finish("submitted"),
  "\x03": () => finish("cancelled"),
  "\x7f": () => {
    if (cursor === 0) return;
    line = line.slice(0, cursor - 1) + line.slice(cursor);
    cursor -= 1;
  },
  "\x1b[D": () => (cursor = Math.max(0, cursor - 1)),
  "\x1b[C": () => (cursor = Math.min(line.length, cursor + 1)),
  "\x1b[H": () => (cursor = 0),
  "\x1bf": () => insert("<alt-f>"),
  "\x1b[15~": () => insert("<F5>"),
};
process.stdin.setEncoding("utf8");
process.stdin.on("data", (data) => {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: keys are control characters
  for (const [key, pasted] of data.matchAll(/\x1b\[200~([\s\S]*?)\x1b\[201~|\x1b\[[\d;]*[A-Za-z~]|\x1b.|[\s\S]/g)) {
    if (pasted !== undefined) insert(`<paste of ${pasted.split("\r").length} lines>`);
    else if (KEYS[key] !== undefined) KEYS[key]();
    else if (data.length > 1 && key === "\n") finish("a newline is not Enter");
    else insert(key);
  }
  draw();
});
draw();
