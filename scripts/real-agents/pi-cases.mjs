/** What is seen of the extension in the real Pi, case by case. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { connect } from "../../dist/index.js";
import { said } from "./fixtures/scripted-chat.mjs";
import { binaryOf } from "./install.mjs";
import { EXTENSION } from "./pi-process.mjs";

const ROOT = join(import.meta.dirname, "..", "..");
const PROGRAM = join(ROOT, "dist", "cli", "main.js");

const bash = (command, more = {}) => ({ calls: [{ name: "bash", args: { command, ...more } }] });
const call = (name, args = {}) => ({ calls: [{ name, args }] });
const DONE = { text: "All done." };
/** A script that gives these replies one after the other, then `DONE`. */
const replies =
  (...list) =>
  (n, body) => {
    const reply = list[n] ?? DONE;
    return typeof reply === "function" ? reply(said(body)) : reply;
  };
/** The ids of runs that the model was told of, in order. */
const idsIn = (text) => [...new Set([...text.matchAll(/id ([a-z0-9]{8,})/g)].map((match) => match[1]))];
const promoted = (command) => `# @proctor: {"promoteAfterMs": 300}\n${command}`;

/** A real Pi in a terminal, prompted once; `act` looks at the screen and types. */
async function inTerminal({ world, eventually, home }, script, act) {
  const { work, env } = await world(replies(...script));
  const session = await connect({ dir: join(home, "outer") });
  try {
    const command = `exec ${binaryOf("pi")} --model fake/fake-model --offline -e ${EXTENSION}`;
    const { id } = await session.bash(command, { interactive: true, cwd: work, env });
    await session.resize(id, { columns: 120, rows: 60 });
    let last = "";
    const shows = (what) =>
      eventually(`${what} on the screen`, async () => {
        last = (await session.screen(id)).text;
        return what.test(last) ? last : null;
      }).catch((error) => {
        throw new Error(`${error.message}, but:\n${last}`);
      });
    const type = (typed) => session.input(id, typed);
    await shows(/fake-model/);
    await type({ text: "go", enter: true });
    await act({ shows, type });
    // The first one may only interrupt the agent, or clear the line.
    await eventually("Pi's end", async () => {
      await type({ keys: ["C-c"] });
      await type({ keys: ["C-c"] });
      return (await session.wait(id, { timeoutMs: 2000 })).matched;
    });
  } finally {
    await session.end({ graceMs: 1000 });
  }
}

export const CASES = {
  "a result has Pi's shape, and a status other than 0 is an error": async ({ assert, world, start }) => {
    const pi = start(await world(replies(bash("echo out; echo err >&2"), bash("echo before; exit 3"))));
    await pi.prompt("go");
    const [good, bad] = pi.results("bash");
    assert.match(good.result.content[0].text, /^out\nerr\nExit status 0/);
    assert.equal(good.isError, false);
    assert.equal(good.result.structuredContent.output, "out\nerr\n");
    assert.equal(good.result.structuredContent.exit_code, 0);
    assert.equal(good.result.structuredContent.truncated, false);
    assert.equal(typeof good.result.structuredContent.wall_time_seconds, "number");
    assert.equal(bad.isError, true);
    assert.equal(bad.result.structuredContent.exit_code, 3);
    assert.match(bad.result.content[0].text, /before\nExit status 3/);
  },

  "a long output comes in parts, and is cut": async ({ assert, world, start }) => {
    const command = "for i in 1 2 3 4 5 6 7 8 9 10; do seq $((i * 5000)) $((i * 5000 + 4999)); sleep 0.15; done";
    const pi = start(await world(replies(bash(command))));
    await pi.prompt("go");
    const [{ result }] = pi.results("bash");
    assert.equal(result.details.truncation.truncated, true);
    assert.equal(result.details.truncation.totalLines, 50_000);
    assert.ok(existsSync(result.details.fullOutputPath) || result.details.fullOutputPath.endsWith("output.log"));
    assert.ok(result.content[0].text.length < 20_000);
    const updates = pi.of("tool_execution_update").filter((event) => event.partialResult.content.length > 0);
    assert.ok(updates.length >= 2 && updates.length <= 40, `${updates.length} updates`);
    for (const update of updates) assert.ok(JSON.stringify(update).length < 40_000);
  },

  "commands are stages; command shows them joined": async ({ assert, world, start }) => {
    const script = replies(call("bash", { commands: ["echo one", "echo two; false", "echo three"] }));
    const pi = start(await world(script));
    await pi.prompt("go");
    const [{ result, isError }] = pi.results("bash");
    assert.equal(isError, true);
    assert.equal(result.details.run.kind, "sequence");
    assert.deepEqual(result.details.run.commands, ["echo one", "echo two; false", "echo three"]);
    assert.match(result.content[0].text, /two\nExit status 1 .*\(stage 2 of 3\)/);
  },

  "shellPath, shellCommandPrefix and PI_ variables": async ({ assert, world, start, home }) => {
    const shell = join(home, "shell");
    writeFileSync(shell, '#!/bin/bash\nexport FROM_SHELL="$0"\nexec /bin/bash "$@"\n', { mode: 0o755 });
    const look =
      'echo "$FROM_SHELL|$FROM_PREFIX|$PI_SESSION_ID|$PI_PROVIDER/$PI_MODEL|$PI_REASONING_LEVEL|$PI_SESSION_FILE"';
    const script = replies(bash(look), call("bash", { commands: [look, look] }));
    const pi = start(await world(script, { settings: { shellPath: shell, shellCommandPrefix: "FROM_PREFIX=yes" } }));
    const { sessionId, sessionFile } = await pi.ask({ type: "get_state" });
    await pi.prompt("go");
    for (const { result } of pi.results("bash")) {
      const [path, prefix, id, model, level, file] = result.structuredContent.output.trim().split("|");
      assert.deepEqual([path, prefix, id, model], [shell, "yes", sessionId, "fake/fake-model"]);
      assert.match(level, /^[a-z]+$/);
      assert.equal(file, sessionFile ?? "");
    }
    const own = await pi.ask({ type: "bash", command: 'echo "$FROM_SHELL|$FROM_PREFIX"' });
    assert.equal(own.output, `${shell}|yes\n`);
  },

  "the user's own command": async ({ assert, world, start, eventually }) => {
    const pi = start(await world(replies()));
    const done = await pi.ask({ type: "bash", command: "echo mine; sleep 0.5; echo more; exit 4" });
    assert.equal(done.output, "mine\nmore\n");
    assert.equal(done.exitCode, 4);
    assert.ok(pi.of("bash_execution_update").length >= 2, "it is not streamed");
    const held = pi.ask({ type: "bash", command: "echo held; sleep 600" });
    await eventually("its output", () => pi.of("bash_execution_update").some(({ delta }) => delta.includes("held")));
    await pi.ask({ type: "abort_bash" });
    const aborted = await held;
    assert.equal(aborted.cancelled, true);
    assert.equal(aborted.output, "held\n");
  },

  "promoted, waited for, read, and another stopped": async ({ assert, world, start }) => {
    const script = replies(
      bash(promoted("echo begun; sleep 2; echo the promoted run is done")),
      (text) => call("runner_wait", { id: idsIn(text)[0], timeout: 60 }),
      (text) => call("runner_logs", { id: idsIn(text)[0] }),
      bash("echo another; sleep 600", { background: true }),
      (text) => call("runner_stop", { id: idsIn(text).at(-1), reason: "no longer needed" }),
    );
    const w = await world(script);
    const pi = start(w);
    await pi.prompt("go");
    const [first, second] = pi.results("bash");
    assert.equal(first.result.structuredContent.promoted, true);
    assert.equal(first.result.structuredContent.exit_code, null);
    assert.equal(first.isError, false);
    const [waited] = pi.results("runner_wait");
    assert.match(waited.result.content[0].text, /the promoted run is done\nExit status 0/);
    assert.equal(pi.results("runner_logs")[0].result.structuredContent.text, "begun\nthe promoted run is done\n");
    const [stopped] = pi.results("runner_stop");
    assert.equal(stopped.result.structuredContent.id, second.result.structuredContent.id);
    assert.equal(stopped.result.structuredContent.confirmed, true);
    // Neither what it waited for nor what it stopped is news.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    assert.equal(w.model.requests.length, 6);
  },

  "a completion wakes the idle agent, once": async ({ assert, world, start, eventually }) => {
    const w = await world(replies(bash("sleep 2; echo it is finished; exit 5", { background: true })));
    const pi = start(w);
    await pi.prompt("go");
    assert.equal(w.model.requests.length, 2);
    await eventually("the follow-up", () => pi.of("agent_settled").length === 2);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    assert.equal(w.model.requests.length, 3);
    assert.match(said(w.model.requests[2]), /Background run \w+ has ended[^]*it is finished\nExit status 5/);
    assert.equal(said(w.model.requests[2]).match(/has ended/g).length, 1);
  },

  "a completion waits while the agent works": async ({ assert, world, start }) => {
    const w = await world(
      replies(bash("sleep 0.2; echo background end", { background: true }), bash("sleep 2; echo foreground end")),
    );
    const pi = start(w);
    await pi.prompt("go");
    // One run of the agent: told when it had nothing left to do, before it settled.
    assert.equal(pi.of("agent_settled").length, 1);
    assert.equal(w.model.requests.length, 4);
    assert.doesNotMatch(said(w.model.requests[2]), /has ended/);
    assert.match(said(w.model.requests[3]), /background end\nExit status 0/);
  },

  "after an interruption a completion comes with the next turn": async ({ assert, world, start, eventually }) => {
    const w = await world(
      replies(bash("sleep 0.2; echo background end", { background: true }), bash("echo held; sleep 600")),
    );
    const pi = start(w);
    await pi.ask({ type: "prompt", message: "go" });
    await eventually("the held command", () =>
      pi.of("tool_execution_update").some((e) => JSON.stringify(e).includes("held")),
    );
    await new Promise((resolve) => setTimeout(resolve, 700));
    await pi.ask({ type: "abort" });
    await eventually("the end", () => pi.of("agent_settled").length === 1);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    assert.equal(w.model.requests.length, 2);
    await pi.prompt("and now?");
    assert.equal(w.model.requests.length, 3);
    assert.match(said(w.model.requests[2]), /background end\nExit status 0/);
  },

  "a run survives /reload, /new, /resume and /fork": async ({ assert, world, start, home, eventually }) => {
    const reloader = join(home, "reloader.mjs");
    writeFileSync(
      reloader,
      'export default (pi) => pi.registerCommand("again", { description: "reload", handler: (_args, ctx) => ctx.reload() });\n',
    );
    const gate = join(home, "gate");
    const w = await world((n, body) => {
      if (n === 0)
        return bash(`echo alive; until [ -e ${gate} ]; do sleep 0.1; done; echo gone on`, { background: true });
      const asked = said(body).endsWith("status?");
      return asked ? call("runner_list") : DONE;
    });
    const pi = start(w, ["-e", EXTENSION, "-e", reloader]);
    await pi.prompt("go");
    const { id } = pi.results("bash")[0].result.structuredContent;
    const { sessionFile } = await pi.ask({ type: "get_state" });
    const [first] = (await pi.ask({ type: "get_fork_messages" })).messages;
    const isAlive = async () => {
      const before = pi.results("runner_list").length;
      await pi.prompt("status?");
      const { runs } = pi.results("runner_list")[before].result.structuredContent;
      assert.deepEqual(
        runs.map((run) => [run.id, run.state]),
        [[id, "running"]],
      );
    };
    await pi.ask({ type: "prompt", message: "/again" });
    await isAlive();
    await pi.ask({ type: "new_session" });
    await isAlive();
    await pi.ask({ type: "switch_session", sessionPath: sessionFile });
    await isAlive();
    await pi.ask({ type: "fork", entryId: first.entryId });
    await isAlive();
    // In a conversation that knows nothing of it, its end is not for the agent; in its own it is.
    await pi.ask({ type: "new_session" });
    const asked = w.model.requests.length;
    writeFileSync(gate, "");
    await eventually("the notice", () =>
      pi.ui("notify").some(({ message }) => message.includes("another conversation")),
    );
    assert.equal(w.model.requests.length, asked);
    const settled = pi.of("agent_settled").length;
    await pi.ask({ type: "switch_session", sessionPath: sessionFile });
    await eventually("the follow-up", () => pi.of("agent_settled").length > settled);
    assert.match(said(w.model.requests.at(-1)), /gone on\nExit status 0/);
  },

  "a compaction loses no run": async ({ assert, world, start }) => {
    const w = await world(replies(bash("sleep 600", { background: true })));
    const pi = start(w);
    await pi.prompt("go");
    const { id } = pi.results("bash")[0].result.structuredContent;
    await pi.prompt("something else");
    await pi.ask({ type: "compact" });
    await pi.prompt("and now?");
    assert.match(said(w.model.requests.at(-1)), new RegExp(`Still running in the background[^]*${id}`));
    const messages = JSON.stringify(w.model.requests.at(-1).messages);
    assert.ok(messages.includes("A summary of what was said."), "nothing was compacted");
  },

  "an automatic compaction in the middle of the agent's work loses no run": async ({ assert, world, start }) => {
    const script = replies(
      bash("sleep 600", { background: true }),
      { ...bash("echo as long as the window is"), tokens: 195_000 },
      call("runner_list"),
    );
    const w = await world(script);
    const pi = start(w);
    await pi.prompt("go");
    const { id } = pi.results("bash")[0].result.structuredContent;
    const [compaction] = pi.of("compaction_end");
    assert.equal(compaction?.reason, "threshold");
    // The request after it, still of the same work of the agent.
    assert.equal(pi.of("agent_settled").length, 1);
    const after = w.model.requests[2];
    assert.ok(said(after).includes("A summary of what was said."), "nothing was compacted");
    assert.match(said(after), new RegExp(`Still running in the background[^]*${id}`));
    const [{ result }] = pi.results("runner_list");
    assert.deepEqual(
      result.structuredContent.runs.filter((run) => run.state === "running").map((run) => run.id),
      [id],
    );
  },

  "an automatic compaction at the end of the agent's work loses no run": async ({ assert, world, start }) => {
    const long = { text: "As long as the window is.", tokens: 195_000 };
    const w = await world(replies(bash("sleep 600", { background: true }), long));
    const pi = start(w);
    await pi.prompt("go");
    const { id } = pi.results("bash")[0].result.structuredContent;
    await pi.prompt("and now?");
    assert.deepEqual(
      pi.of("compaction_end").map(({ reason }) => reason),
      ["threshold"],
    );
    // Neither the compaction nor the reminder asked the model anything.
    assert.equal(w.model.requests.length, 3);
    const after = said(w.model.requests[2]);
    assert.ok(after.includes("A summary of what was said."), "nothing was compacted");
    assert.match(after, new RegExp(`Still running in the background[^]*${id}`));
  },

  "beside the MCP server the agent has one shell": async ({ assert, world, start }) => {
    const servers = { proctor: { command: process.execPath, args: [PROGRAM, "mcp"], exposure: "direct" } };
    // As "proctor install pi --replace-shell" leaves it.
    const settings = { defaultTools: ["-bash"] };
    const w = await world(replies(call("read", { path: "x" }), DONE, bash("echo from the one shell")), {
      servers,
      settings,
    });
    const pi = start(w);
    await pi.prompt("go");
    await pi.prompt("again");
    const offered = (n) => w.model.requests[n].tools.map((tool) => tool.function.name);
    assert.deepEqual(
      offered(2).filter((name) => /bash|runner/.test(name)),
      ["bash", ...["list", "status", "logs", "wait", "input", "stop", "stop_all"].map((verb) => `runner_${verb}`)],
    );
    assert.equal(pi.results("bash")[0].result.structuredContent.output, "from the one shell\n");
    const told = pi.ui("notify").filter(({ message }) => message.includes("proctor uninstall pi"));
    assert.equal(told.length, 1);
  },

  "the footer counts, and /runs shows and stops": async ({ assert, world, start, eventually }) => {
    const w = await world(replies(bash("echo for the panel; sleep 600", { background: true })));
    const pi = start(w);
    await pi.prompt("go");
    await eventually("the count", () =>
      pi.ui("setStatus").some(({ statusText }) => /1 running/.test(statusText ?? "")),
    );
    pi.choose(/running/, /Show output/);
    await pi.ask({ type: "prompt", message: "/runs" });
    await eventually("the output", () => pi.ui("notify").some(({ message }) => message.includes("for the panel")));
    const settled = pi.of("agent_settled").length;
    pi.choose(/running/, /Stop/);
    await pi.ask({ type: "prompt", message: "/runs" });
    await eventually("the stop", () => pi.ui("notify").some(({ message }) => message.includes("is stopped")));
    await eventually("an empty footer", () => pi.ui("setStatus").at(-1).statusText === undefined);
    // What the user stopped is news to the agent.
    await eventually("the follow-up", () => pi.of("agent_settled").length > settled);
    assert.match(said(w.model.requests.at(-1)), /has ended[^]*stopped/);
  },

  "the panel in a terminal: list, live output, attach, stop": (tools) =>
    inTerminal(
      tools,
      [
        call("bash", { commands: ["echo one", "echo two"] }),
        bash("while read -p 'ask> ' x; do echo \"got $x\"; done", { interactive: true }),
        bash("for i in $(seq 600); do echo line $i; sleep 0.2; done", { background: true }),
      ],
      async ({ shows, type }) => {
        await shows(/\$ echo one && echo two/);
        await shows(/runs: 2 running/);
        await shows(/All done\./);
        await type({ text: "/runs", enter: true });
        await shows(/Runs \(2 live\)[^]*→ \w+ {2}running[^]*Exit status 0/);
        await type({ keys: ["Enter"] });
        const last = async () => Number(/line (\d+)\n.*Esc back/.exec(await shows(/line \d+\n.*Esc back/))[1]);
        const before = await last();
        await tools.eventually("more output", async () => (await last()) > before + 4);
        await type({ keys: ["Escape"] });
        await shows(/Esc close/);
        await type({ keys: ["Down"] });
        await shows(/a attach · Esc close/);
        await type({ text: "a" });
        await shows(/ask> ▏/);
        await type({ text: "hello", enter: true });
        await shows(/got hello\n *ask> ▏/);
        await type({ keys: ["C-]"] });
        await shows(/a attach · Esc close/);
        await type({ text: "s" });
        await shows(/Runs \(1 live\)[^]*is stopped/);
        await type({ keys: ["Escape"] });
        // The user stopped it, so the agent is told.
        await shows(/Background run \w+ has ended/);
      },
    ),

  "in a terminal: /reload, /new, and the user's own command": (tools) =>
    inTerminal(tools, [bash("echo alive; sleep 600", { background: true })], async ({ shows, type }) => {
      await shows(/runs: 1 running/);
      for (const word of ["/reload", "/new"]) {
        await type({ text: word, enter: true });
        // A new conversation begins with an empty screen.
        await shows(word === "/new" ? /^(?![^]*echo alive)[^]*fake-model/ : /Reloaded/i);
        await shows(/runs: 1 running/);
        await type({ text: "/runs", enter: true });
        await shows(/Runs \(1 live\)[^]*running[^]*sleep 600/);
        await type({ keys: ["Escape"] });
        await shows(/^(?![^]*Esc close)/);
      }
      await type({ text: "! echo mine-$((6 * 7)); sleep 600", enter: true });
      await shows(/mine-42/);
      await shows(/runs: 2 running/);
      await type({ keys: ["Escape"] });
      await shows(/runs: 1 running/);
    }),

  "project settings count when the project is trusted": async ({ assert, world, start }) => {
    const project = JSON.stringify({ promoteAfterMs: 200, successMaxResultLines: 7, nonsense: 1, headRatio: 9 });
    const w = await world(replies(bash("sleep 1; echo slow")), { project });
    const pi = start(w, ["-e", EXTENSION, "--approve"]);
    await pi.prompt("go");
    assert.equal(pi.results("bash")[0].result.structuredContent.promoted, true);
    const told = pi.ui("notify").map(({ message }) => message);
    assert.ok(
      told.some((text) => /"nonsense" in .*proctor\.json: there is no such setting/.test(text)),
      told.join("\n"),
    );
    assert.ok(
      told.some((text) => /headRatio in .*proctor\.json: 9 can't be used/.test(text)),
      told.join("\n"),
    );
    assert.doesNotMatch(pi.results("bash")[0].result.content[0].text, /nonsense|headRatio/);
  },

  "project settings do not count when it is not": async ({ assert, world, start }) => {
    const w = await world(replies(bash("sleep 1; echo slow")), { project: JSON.stringify({ promoteAfterMs: 200 }) });
    const pi = start(w, ["-e", EXTENSION, "--no-approve"]);
    await pi.prompt("go");
    assert.equal(pi.results("bash")[0].result.structuredContent.promoted, false);
    assert.ok(pi.ui("notify").some(({ message }) => message.includes("does not trust this project")));
  },

  "code mode has the runner namespace": async ({ assert, world, start }) => {
    const source = `
      const started = await tools.bash({ command: "echo from a script; sleep 600", background: true });
      const { runs } = await tools.runner_list({});
      const { run } = await tools.runner_status({ id: started.id });
      const waited = await tools.runner_wait({ id: started.id, match: "from a script" });
      const { text: log } = await tools.runner_logs({ id: started.id });
      const stopped = await tools.runner_stop({ id: started.id });
      const shell = await tools.bash({ command: "cat", interactive: true });
      const typed = await tools.runner_input({ id: shell.id, text: "typed", enter: true });
      const all = await tools.runner_stop_all({});
      const failed = await tools.bash({ command: "exit 7" });
      const { name, tools: names } = await describeNamespace("runner");
      const declaration = JSON.stringify(await describeTool("runner_wait"));
      text({ runs: runs.length, state: run.state, line: waited.line, log, confirmed: stopped.confirmed,
        screen: typed.screen, all: all.stopped.length, code: failed.exit_code, name, names, declaration });`;
    const w = await world(
      (n, body) => {
        if (n > 0) return DONE;
        const codemode = body.tools.find((tool) => tool.function.name === "codemode").function;
        const [key] = Object.keys(codemode.parameters.properties);
        return call("codemode", { [key]: source });
      },
      { settings: { defaultTools: ["+codemode"] } },
    );
    const pi = start(w);
    await pi.prompt("go");
    const text = pi
      .results("codemode")[0]
      .result.content.map((part) => part.text)
      .join("\n");
    const seen = JSON.parse(text.slice(text.indexOf("{"), text.lastIndexOf("}") + 1));
    assert.equal(seen.runs, 1);
    assert.equal(seen.state, "running");
    assert.equal(seen.line, "from a script");
    assert.equal(seen.log, "from a script\n");
    assert.equal(seen.confirmed, true);
    assert.match(seen.screen, /typed\ntyped/);
    assert.equal(seen.all, 1);
    assert.equal(seen.code, 7);
    assert.equal(seen.name, "runner");
    assert.match(seen.declaration, /matched: boolean/);
    for (const verb of ["list", "status", "logs", "stop", "input", "stop_all", "wait"])
      assert.ok(JSON.stringify(seen.names).includes(`runner_${verb}`), verb);
  },

  ...Object.fromEntries(
    ["rpc", "json"].flatMap((mode) =>
      ["SIGTERM", "SIGINT", "SIGKILL"].map((signal) => [
        `nothing is left after ${signal} in ${mode} mode`,
        async ({ assert, world, start, home, processes, eventually }) => {
          const mark = join(home, "mark");
          const w = await world(
            replies(
              bash("setsid sleep 601 & sleep 602", { background: true }),
              bash(`touch ${mark}; (trap "" TERM; sleep 603) & sleep 604`),
            ),
          );
          const pi = start(w, ["-e", EXTENSION, "--mode", mode, ...(mode === "json" ? ["go"] : [])]);
          if (mode === "rpc") await pi.ask({ type: "prompt", message: "go" });
          await eventually("the command", () => existsSync(mark));
          await eventually("all four", () => processes().filter((one) => /sleep 60[1-4]/.test(one)).length === 4);
          await pi.kill(signal);
          await eventually("that nothing is left", () => processes().length === 0);
          assert.deepEqual(processes(), []);
        },
      ]),
    ),
  ),

  ...Object.fromEntries(
    ["SIGTERM", "SIGINT", "SIGKILL"].map((signal) => [
      `nothing is left after ${signal} in a terminal`,
      (tools) => {
        const { home, processes, eventually } = tools;
        const mark = join(home, "mark");
        const script = [
          bash("setsid sleep 601 & sleep 602", { background: true }),
          bash(`touch ${mark}; (trap "" TERM; sleep 603) & sleep 604`),
        ];
        const sleeping = () => processes().filter((one) => /sleep 60[1-4]/.test(one)).length;
        return inTerminal(tools, script, async () => {
          await eventually("the command", () => existsSync(mark));
          await eventually("all four", () => sleeping() === 4);
          const pi = processes().find((one) => /^\d+ pi$/.test(one));
          process.kill(Number(/^\d+/.exec(pi)[0]), signal);
          await eventually("that nothing is left", () => sleeping() === 0);
          await eventually("that Pi is gone", () => !processes().includes(pi));
        });
      },
    ]),
  ),

  "the packed package is installed by pi install": async ({ assert, world, start, home }) => {
    const packed = execFileSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", home], {
      cwd: ROOT,
    });
    execFileSync("tar", ["-xzf", join(home, packed.toString().trim()), "-C", home]);
    // What npm would install beside it.
    symlinkSync(join(ROOT, "node_modules"), join(home, "node_modules"));
    const w = await world(replies(bash("echo from the package")));
    execFileSync(binaryOf("pi"), ["install", join(home, "package")], { cwd: w.work, env: w.env });
    // A second shell beside it is refused.
    const refused = spawnSync(process.execPath, [PROGRAM, "install", "pi"], { env: w.env, encoding: "utf8" });
    assert.equal(refused.status, 125);
    assert.match(refused.stderr, /loads proctor's extension/);
    const pi = start(w, []);
    await pi.prompt("go");
    const [{ result }] = pi.results("bash");
    assert.equal(result.structuredContent.output, "from the package\n");
    assert.match(result.structuredContent.full_output_path, /proctor/);
  },

  "its types are Pi's": async ({ assert, home }) => {
    const check = join(ROOT, ".cache", "real-agents", "pi", "check-types.ts");
    writeFileSync(
      check,
      [
        'import type { ExtensionFactory } from "@earendil-works/pi-coding-agent";',
        'import extension from "../../../dist/pi/index.js";',
        "export const checked: ExtensionFactory = extension;",
        "",
      ].join("\n"),
    );
    const options = [
      "--noEmit",
      "--ignoreConfig",
      "--strict",
      "--skipLibCheck",
      "--module",
      "nodenext",
      "--target",
      "es2023",
    ];
    const types = ["--types", "node", "--typeRoots", join(ROOT, "node_modules", "@types")];
    const { status, stdout } = spawnSync(join(ROOT, "node_modules", ".bin", "tsc"), [...options, ...types, check], {
      cwd: home,
      encoding: "utf8",
    });
    assert.equal(status, 0, stdout);
  },

  "loading it starts nothing": async ({ assert, world, start, processes, home, eventually }) => {
    const pi = start(await world(replies()));
    await pi.ask({ type: "get_state" });
    await eventually("Pi alone", () => processes().length === 1);
    assert.ok(processes()[0].startsWith(`${pi.pid} `));
    assert.ok(!existsSync(join(home, ".local", "state", "proctor")));
  },
};
