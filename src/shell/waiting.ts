/**
 * Programs that wait for a person, serve, or watch. In a line with one of them nothing is queued: a
 * slot would be held until somebody types or stops it.
 */
import { hasLetter, hasOption, operands } from "./arguments.ts";
import { light, UNKNOWN, waits, type Finding, type Recogniser } from "./finding.ts";

const split = (text: string): readonly string[] => text.split(" ");

/** They always wait. */
const ALWAYS = new Set(
  split(
    "vi vim nvim view vimdiff emacs nano pico joe micro helix hx kak ed code subl less more most info top htop btop atop glances iotop iftop nethogs ncdu mc ranger nnn lf yazi " +
      "tmux screen zellij byobu watch watchexec entr inotifywait fswatch chokidar nodemon pm2 forever supervisor ts-node-dev ptw pytest-watch guard fzf dialog whiptail gum " +
      "irb pry ghci utop iex erl scala jshell psql-shell mongosh redis-shell cmatrix lazygit tig gitui k9s lazydocker serve http-server live-server browser-sync json-server storybook start-storybook " +
      "ngrok cloudflared uvicorn gunicorn hypercorn daphne flask celery jupyter jupyter-lab jupyter-notebook streamlit rackup puma foreman overmind hivemind honcho air wrangler vercel netlify ibazel concurrently ccmake telnet nc ncat socat minicom picocom gdb-dashboard passwd visudo vipw crontab-edit nx-console expo",
  ),
);

const byOption = (options: string, why: string): Recogniser => {
  const names = split(options);
  return (args, name) => (hasOption(args, names) ? waits(`${name} ${why}`) : UNKNOWN);
};

/** Waits when it is given nothing to do. */
const whenBare = (doing: string): Recogniser => {
  const options = split(doing);
  return (args, name) =>
    args.length === 0 || (operands(args).length === 0 && !hasOption(args, options))
      ? waits(`${name} waits for input`)
      : UNKNOWN;
};

const SOMETIMES: Readonly<Record<string, Recogniser>> = {
  man: (args) =>
    hasOption(args, split("-k --apropos -f --whatis -w --where --path --version --help"))
      ? UNKNOWN
      : waits("man opens a pager where there is a terminal"),
  tail: byOption("-f -F --follow", "follows its file"),
  journalctl: byOption("-f --follow", "follows the journal"),
  dmesg: byOption("-w --follow -W --follow-new", "follows the kernel's messages"),
  kubectl: (args) =>
    hasLetter(args, "t") ||
    hasOption(args, ["-f", "--follow", "-w", "--watch"]) ||
    /^(?:port-forward|proxy|attach|edit)$/.test(args[0] ?? "")
      ? waits("kubectl waits with these arguments")
      : UNKNOWN,
  docker: container,
  podman: container,
  "docker-compose": (args) => compose(args, "docker-compose"),
  git: (args) => {
    const command = operands(args, ["-C", "-c"])[0] ?? "";
    if (hasOption(args, ["--help", "--version"])) return light("git only shows something with these options");
    const asks =
      (/^(?:rebase|add|clean)$/.test(command) && hasOption(args, ["-i", "--interactive"])) ||
      (/^(?:add|checkout|reset|restore|stash|commit)$/.test(command) && hasOption(args, ["-p", "--patch"])) ||
      command === "mergetool" ||
      command === "difftool" ||
      command === "gui" ||
      command === "instaweb";
    return asks ? waits(`git ${command} waits for input`) : UNKNOWN;
  },
  ssh: (args) =>
    operands(args, split("-p -i -l -o -F -L -R -D -J -W -b -c -e -m -S -w")).length < 2
      ? waits("ssh opens a shell")
      : UNKNOWN,
  mysql: whenBare("-e --execute --version -V --help"),
  psql: (args) =>
    hasOption(args, split("-c --command -f --file -l --list --version -V --help"))
      ? UNKNOWN
      : waits("psql waits for input"),
  sqlite3: (args) =>
    operands(args).length < 2 && !hasOption(args, ["-version", "--version"])
      ? waits("sqlite3 waits for input")
      : UNKNOWN,
  "redis-cli": whenBare("--version -v --help"),
  gdb: (args) =>
    hasOption(args, ["-batch", "--batch", "-batch-silent", "--version", "--help"])
      ? UNKNOWN
      : waits("gdb waits for input"),
  lldb: (args) =>
    hasOption(args, ["-b", "--batch", "--version", "-v", "--help"]) ? UNKNOWN : waits("lldb waits for input"),
  bash: shell,
  sh: shell,
  zsh: shell,
  fish: shell,
  dash: shell,
  ksh: shell,
  su: (args) => (hasOption(args, ["-c", "--command"]) ? UNKNOWN : waits("su opens a shell")),
  ruby: (args) => (args.length === 0 ? waits("ruby waits for input") : UNKNOWN),
  lua: whenBare("-e -v"),
  R: (args) => (args.length === 0 ? waits("R waits for input") : UNKNOWN),
  julia: whenBare("-e -E --eval -v --version --help"),
  bc: whenBare("--version --help"),
  cargo: (args) => (args[0] === "watch" ? waits("cargo watch watches") : UNKNOWN),
};

function shell(args: Parameters<Recogniser>[0], name: string): Finding {
  if (hasOption(args, ["-i", "--interactive"]) || hasLetter(args.slice(0, 1), "i"))
    return waits(`${name} waits for input`);
  return args.every((arg) => arg === "-l" || arg === "--login") ? waits(`${name} waits for input`) : UNKNOWN;
}

function container(args: Parameters<Recogniser>[0], name: string): Finding {
  const at = args.findIndex((arg) => arg !== null && !arg.startsWith("-"));
  const command = args[at] ?? "";
  const rest = args.slice(at + 1);
  if (command === "compose") return compose(rest, `${name} compose`);
  const image = rest.findIndex((arg) => arg !== null && !arg.startsWith("-"));
  const own = image < 0 ? rest : rest.slice(0, image);
  if (
    (command === "run" || command === "exec") &&
    (hasOption(own, ["-i", "-t", "--interactive", "--tty"]) || hasLetter(own, "t"))
  )
    return waits(`${name} ${command} has a terminal`);
  if (command === "logs" && hasOption(rest, ["-f", "--follow"])) return waits(`${name} logs follows`);
  return /^(?:attach|stats|events)$/.test(command) ? waits(`${name} ${command} goes on until it is stopped`) : UNKNOWN;
}

function compose(args: Parameters<Recogniser>[0], name: string): Finding {
  const command =
    operands(args, split("-f --file -p --project-name --profile --env-file --project-directory"))[0] ?? "";
  if (command === "up" && !hasOption(args, ["-d", "--detach", "--wait"]))
    return waits(`${name} up goes on until it is stopped`);
  if (command === "logs" && hasOption(args, ["-f", "--follow"])) return waits(`${name} logs follows`);
  return /^(?:watch|attach|events)$/.test(command) ? waits(`${name} ${command} goes on until it is stopped`) : UNKNOWN;
}

/** What is known of a program that may wait. */
export function waiting(args: Parameters<Recogniser>[0], name: string): Finding {
  if (ALWAYS.has(name))
    return hasOption(args, ["--version", "--help"])
      ? light(`${name} only shows something`)
      : waits(`${name} waits or goes on until it is stopped`);
  const recogniser = Object.hasOwn(SOMETIMES, name) ? SOMETIMES[name] : undefined;
  return recogniser === undefined ? UNKNOWN : recogniser(args, name);
}
