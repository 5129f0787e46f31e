/**
 * The MCP server proper: offers the tools, calls them, turns what they give into results. One instance per
 * connection; the session behind it outlives connections.
 */
import { readFileSync } from "node:fs";
import { McpServer } from "@modelcontextprotocol/server";
import type { CallToolResult, ProtocolEra, ServerContext, StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { ProctorError, isProctorError, messageOf } from "../model/index.ts";
import type { SessionApi } from "../model/index.ts";
import { errorResult, resultOfAnswer } from "./answer.ts";
import type { CompletionNews } from "./completion-news.ts";
import { reachingDetached } from "../session/index.ts";
import { ProgressReporter } from "./progress.ts";
import { ToolArguments } from "./tool-arguments.ts";
import { TOOLS } from "./tools/index.ts";
import type { JsonSchema, Tool } from "./tools/index.ts";
import { VersionedServer } from "./versioned-server.ts";

/** What a server is made of. */
export interface ServerParts {
  /** Gives the session that calls run in; opened when it is first asked for. */
  readonly session: { client(): Promise<SessionApi>; opened(): Promise<SessionApi | null> };
  /** Tells with each answer what ended in the background. One for all connections to the session. */
  readonly news: CompletionNews;
  /** The environment that commands inherit. */
  readonly env: NodeJS.ProcessEnv;
  /** Names of the tools that are offered. */
  readonly tools: readonly string[];
  /** Add `structuredContent` and output schemas. */
  readonly structured: boolean;
  /** Takes a fault of ours that the client is told about only in one line. */
  readonly report: (error: unknown) => void;
}

function packageVersion(): string {
  const value: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  return typeof value === "object" && value !== null && "version" in value && typeof value.version === "string"
    ? value.version
    : "0.0.0";
}

/**
 * A JSON schema as the SDK wants one. It only describes: arguments are read by the tools themselves, whose
 * refusals name the field, the value and what is accepted.
 */
function described(schema: JsonSchema): StandardSchemaWithJSON {
  return {
    "~standard": {
      version: 1,
      vendor: "proctor",
      validate: (value) => ({ value }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}

/** Makes a server that offers `parts.tools` to a client of `era`. */
export function createServer(parts: ServerParts, era: ProtocolEra): McpServer {
  const server = new (era === "modern" ? VersionedServer : McpServer)(
    { name: "proctor", version: packageVersion() },
    { capabilities: { tools: { listChanged: false } } },
  );
  for (const tool of TOOLS) {
    if (!parts.tools.includes(tool.name)) continue;
    server.registerTool(
      tool.name,
      {
        description: tool.description,
        inputSchema: described(tool.input),
        ...(parts.structured ? { outputSchema: described(tool.output) } : {}),
        ...(tool.isReadOnly ? { annotations: { readOnlyHint: true } } : {}),
      },
      (given, context) => call(parts, tool, given, context),
    );
  }
  return server;
}

async function call(parts: ServerParts, tool: Tool, given: unknown, context: ServerContext): Promise<CallToolResult> {
  const { signal, _meta: meta } = context.mcpReq;
  const progress = new ProgressReporter(meta?.progressToken, (params) =>
    context.mcpReq.notify({ method: "notifications/progress", params }),
  );
  try {
    const answer = await tool.call(new ToolArguments(tool.name, given, Object.keys(tool.input.properties)), {
      session: async () => {
        const session = await parts.session.client();
        if (signal.aborted)
          throw new ProctorError(
            "ERR_REFUSED_SESSION_ENDING",
            "The request was cancelled before anything was started.",
          );
        return reachingDetached(session, parts.report);
      },
      env: parts.env,
      signal,
      beganAt: progress.beganAt,
      progress,
    });
    // An answer to a cancelled request is thrown away, and with it whatever it told.
    const session = signal.aborted ? null : await parts.session.opened();
    const told = session === null ? answer : await parts.news.added(answer, session, parts.report);
    return resultOfAnswer(told, parts.structured);
  } catch (error) {
    if (!isProctorError(error)) parts.report(error);
    return errorResult(
      isProctorError(error)
        ? error
        : new ProctorError("ERR_BUG", `${tool.name} failed: ${messageOf(error)}`, { cause: error }),
    );
  } finally {
    progress.stop();
  }
}
