/** A run's record turned into what a launcher needs. */
import { join } from "node:path";
import { DEFAULT_TERMINAL_SIZE } from "../model/index.ts";
import type { RunRecord } from "../model/index.ts";
import { sandboxArgv } from "../sandbox/index.ts";
import type { LaunchPlan, Rlimit, RunCgroup, TicketClaim } from "../ports/index.ts";
import type { EngineDependencies } from "./dependencies.ts";
import { RUN_MARKER } from "./membership.ts";

/** The environment variable that names a run's session to what runs inside. */
const SESSION_MARKER = "PROCTOR_SESSION";
/** The file in a run's directory that holds its command (see the store). */
const COMMAND_FILE = "command";

/** What keeps a heavy command from taking every core for itself, where the caller says nothing else. */
const FAN_OUT: Readonly<Record<string, string>> = {
  NX_NATIVE_COMMAND_RUNNER: "false",
  NX_TUI: "false",
  NX_PARALLEL: "2",
  VITEST_MAX_WORKERS: "2",
};
/**
 * What keeps programs from waiting for a person who is not there: a pager, an editor, a question for a password.
 * Only without a terminal, and never over what the caller set.
 */
const UNATTENDED: Readonly<Record<string, string>> = {
  PAGER: "cat",
  GIT_PAGER: "cat",
  GIT_EDITOR: "true",
  GIT_TERMINAL_PROMPT: "0",
  CI: "1",
};
/** What the terminal of an interactive run understands. */
const ATTENDED: Readonly<Record<string, string>> = { TERM: "xterm-256color" };

/**
 * Makes the command a process group of its own in the foreground of the terminal (tcsetpgrp(3); from a group in the
 * background that would stop it, SIGTTOU). Ctrl-C is for the command then: bwrap, in the same group, would die of it
 * and take the command along.
 */
const FOREGROUND =
  "setpgrp 0, 0; $SIG{TTOU} = 'IGNORE'; if (open my $t, '+<', '/dev/tty') { ioctl $t, 0x5410, pack 'i', $$ } $SIG{TTOU} = 'DEFAULT'; exec { $ARGV[0] } @ARGV; exit 127";

/** Soft below hard, so that a program gets the signal it can handle before the one it can't (getrlimit(2)). */
function rlimits(record: RunRecord, cgroup: RunCgroup | null): readonly Rlimit[] {
  const { cpuTimeMs, openFiles, processes, fileSizeBytes } = record.limits;
  const limits: Rlimit[] = [];
  if (cpuTimeMs !== null) {
    // A little above the limit: of the run as a whole its watch decides, and no child dies of it unseen before.
    const seconds = Math.floor(cpuTimeMs / 1000) + 1;
    limits.push({ resource: "cpu", soft: seconds, hard: seconds + 5 });
  }
  if (openFiles !== null) limits.push({ resource: "nofile", soft: openFiles, hard: openFiles + 1 });
  // RLIMIT_NPROC counts whatever else the user runs: only where no control group counts the run alone.
  if (processes !== null && typeof cgroup?.processesBy !== "string")
    limits.push({ resource: "nproc", soft: processes, hard: processes + 1 });
  if (fileSizeBytes !== null) limits.push({ resource: "fsize", soft: fileSizeBytes, hard: fileSizeBytes + 4096 });
  return limits;
}

/** Whether a run's command waits for a slot; a person at a terminal never does. */
export function isHeavy(record: RunRecord): boolean {
  return !record.interactive && record.heavy?.[0] === true;
}

/** Whether it keeps its slot until no process of it is left. */
export function lingers(record: RunRecord): boolean {
  return isHeavy(record) && record.lingers?.[0] === true;
}

/** The plan for a run: bash reads the command from its file, so that the text stands in no argv. */
export function launchPlan(
  record: RunRecord,
  env: Readonly<Record<string, string>>,
  deps: EngineDependencies,
  cgroup: RunCgroup | null,
  ticket: TicketClaim | null,
): LaunchPlan {
  const dir = deps.store.runDir(record.id);
  const command = record.argv ?? [deps.shell, join(dir, COMMAND_FILE)];
  const { sandbox } = record;
  const argv =
    sandbox === undefined
      ? command
      : sandboxArgv(
          sandbox,
          {
            cwd: record.cwd,
            isRoot: process.getuid?.() === 0,
            tmpDir: deps.store.makeTmpDir(record.id),
            needed: [join(dir, COMMAND_FILE)],
            hidden: deps.hidden.map((path) => `${path}/`),
          },
          record.interactive && sandbox.tool.kind === "bwrap"
            ? [deps.perl, "-e", FOREGROUND, "--", ...command]
            : command,
        );
  return {
    runId: record.id,
    dir,
    argv,
    cwd: record.cwd,
    env:
      record.unmarked === true
        ? env
        : {
            ...(record.interactive ? ATTENDED : UNATTENDED),
            ...(isHeavy(record) ? FAN_OUT : {}),
            ...env,
            [RUN_MARKER]: record.id,
            [SESSION_MARKER]: deps.sessionId,
          },
    umask: record.umask,
    stdin: record.stdin ?? "/dev/null",
    logMaxBytes: record.limits.logMaxBytes,
    terminal: record.interactive ? DEFAULT_TERMINAL_SIZE : null,
    output: record.output !== "split" ? "merged" : record.limits.fileSizeBytes === null ? "files" : "scribed",
    rlimits: rlimits(record, cgroup),
    cgroupFiles: cgroup?.joinFiles ?? [],
    ticket,
  };
}
