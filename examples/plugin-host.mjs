/** A plugin host: an adapter for a CLI that proctor does not know, and hooks in the host's own words. */
import { fileURLToPath } from "node:url";
import { GROUP_INTERRUPT, ExitError, checkAdapter, run } from "proctor/agent";

/** A CLI that prints `say:TEXT`, `cost:USD` and `bye`. */
const adapter = {
  name: "plain-talk",
  binary: process.execPath,
  polite: GROUP_INTERRUPT,
  parser: () => ({
    json: () => [],
    text(line) {
      const [word, rest = ""] = line.split(/:(.*)/s);
      if (word === "say") return [{ type: "text", text: rest }];
      if (word === "bye") return [{ type: "done", outcome: "completed", reason: null }];
      return [{ type: "line", text: line }];
    },
  }),
};

const problems = checkAdapter(adapter, Buffer.from("say:hello\nbye\n"));
console.log(`contract: ${problems.length === 0 ? "kept" : problems.join("; ")}`);

/** The host's hooks; each plugin takes those that it cares for. */
const plugins = [
  { onSpeak: (text) => console.log(`logger heard: ${text}`) },
  { onFinish: (how) => console.log(`scheduler: ${how}`) },
];
const tell = (hook, ...args) => plugins.forEach((plugin) => plugin[hook]?.(...args));

const finished = await run({
  provider: adapter,
  workspace: fileURLToPath(new URL(".", import.meta.url)),
  args: ["-e", 'console.log("say:good morning"); console.log("bye")'],
  onEvent: ({ kind, payload }) => {
    if (kind === "provider.event" && payload.event.type === "text") tell("onSpeak", payload.event.text);
  },
}).catch((error) => (error instanceof ExitError ? error.report : Promise.reject(error)));
tell("onFinish", finished.turn);
