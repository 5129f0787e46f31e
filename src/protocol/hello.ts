/** How a connection begins: both ends say which protocol they speak, the face proves that it may ask. */
import type { ProcessIdentity } from "../model/index.ts";

/** The protocol's version. A host answers only its own; a face that speaks another is told both. */
export const PROTOCOL_VERSION = 1;

/** The greeting of a face. */
export interface Hello {
  readonly protocol: number;
  /** From the session's own file, which only its user can read. */
  readonly token: string;
  /** The process for which the session lives: its lease is this connection. */
  readonly lease?: ProcessIdentity | null | undefined;
}

/** The greeting of a host. */
export interface HelloAnswer {
  readonly protocol: number;
  readonly session: string;
  readonly dir: string;
  readonly pid: number;
  /** Whether this connection holds the session's lease. */
  readonly leased: boolean;
}
