/** A stand-in for an agent, so that the examples run anywhere: it "thinks", uses a tool, answers. */
const [prompt = "", mode = "ok"] = process.argv.slice(2);
const say = (event) => process.stdout.write(`${JSON.stringify(event)}\n`);

say({ type: "session", sessionId: "example-1" });
say({ type: "tool_use", id: "1", name: "env", input: {} });
say({ type: "tool_result", id: "1", output: Object.keys(process.env).toSorted().join(" ") });
if (mode === "crash") process.exit(3);
say({ type: "text", text: `You said: ${prompt}` });
say({ type: "usage", usage: { input_tokens: 12, output_tokens: 5 }, costUsd: 0.001 });
say({ type: "done", outcome: mode === "fail" ? "failed" : "completed" });
