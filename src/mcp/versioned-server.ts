/**
 * A server of the stateless era of MCP: every request says which revision it speaks, and one that names a
 * revision which nobody here implements must be refused with what is implemented, also on a connection that
 * has served others (MCP 2026-07-28, "Protocol Version Negotiation"). The SDK looks only at what opens a
 * connection, so the others are looked at here, before anything is done for them.
 */
import {
  McpServer,
  PROTOCOL_VERSION_META_KEY,
  UnsupportedProtocolVersionError,
  isJSONRPCRequest,
} from "@modelcontextprotocol/server";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/server";

/** The stateless revisions that are served: those that the SDK's `server/discover` tells. */
const SERVED_REVISIONS: readonly string[] = ["2026-07-28"];

/** Why a message must be refused; null when it may be served. What has no version at all is the SDK's to refuse. */
function versionError(message: JSONRPCMessage): UnsupportedProtocolVersionError | null {
  if (!isJSONRPCRequest(message)) return null;
  const requested = message.params?._meta?.[PROTOCOL_VERSION_META_KEY];
  if (typeof requested !== "string" || SERVED_REVISIONS.includes(requested)) return null;
  return new UnsupportedProtocolVersionError({ supported: [...SERVED_REVISIONS], requested });
}

/** The SDK's server, for connections of the stateless era. */
export class VersionedServer extends McpServer {
  override async connect(transport: Transport): Promise<void> {
    await super.connect(transport);
    const deliver = transport.onmessage?.bind(transport);
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's transport is no EventTarget
    transport.onmessage = (message, extra) => {
      const error = versionError(message);
      if (error === null || !isJSONRPCRequest(message)) {
        deliver?.(message, extra);
        return;
      }
      const { code, message: text, data } = error;
      const answer = { jsonrpc: "2.0" as const, id: message.id, error: { code, message: text, data } };
      transport.send(answer).catch((failed: unknown) => {
        transport.onerror?.(failed instanceof Error ? failed : new Error(String(failed)));
      });
    };
  }
}
