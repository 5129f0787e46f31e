/** Floor 2: what faces and hosts say to each other. The schemas are a door of their own: only a host needs them. */
export { PROTOCOL_VERSION } from "./hello.ts";
export type { Hello, HelloAnswer } from "./hello.ts";
export { Peer, RawJson } from "./peer.ts";
export type { RequestHandler } from "./peer.ts";
