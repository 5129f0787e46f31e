/** The checks of `doctor CLIENT`: what the client's configuration says of proctor, tried. */
import { homedir } from "node:os";
import { checkServer, clientNamed, findServers } from "../clients/index.ts";
import { isProctorError } from "../model/index.ts";
import type { Check } from "../model/index.ts";
import type { CheckResult } from "./doctor-checks.ts";

/**
 * Makes every check.
 *
 * @throws ProctorError `ERR_INPUT_USAGE` when there is no such client.
 */
export async function runClientChecks(name: string): Promise<readonly CheckResult[]> {
  const client = clientNamed(name);
  const cwd = process.cwd();
  const needed = (check: Check): CheckResult => ({ check, isNeeded: true });
  const place = { home: homedir(), cwd, env: process.env };
  let lookup;
  let extension;
  try {
    lookup = findServers(client, place);
    extension = client.extension?.({ ...place, scope: "project" }) ?? null;
  } catch (error) {
    if (!isProctorError(error)) throw error;
    return [needed({ name: "configuration", ok: false, detail: error.message })];
  }
  const [first] = lookup.found;
  if (first === undefined && extension !== null) {
    const detail = `${extension.path} names proctor's extension ("${extension.source}"), which needs no server`;
    return [needed({ name: "configuration", ok: true, detail })];
  }
  if (first === undefined) {
    const detail = `proctor is in none of ${lookup.paths.join(", ")}. To put it there: proctor install ${client.id}`;
    return [needed({ name: "configuration", ok: false, detail })];
  }
  const also =
    lookup.found.length > 1
      ? `; it goes before ${lookup.found
          .slice(1)
          .map((other) => other.path)
          .join(", ")}`
      : "";
  if (first.server.isOff) {
    const detail = `${first.path} names proctor and turns it off${also}`;
    return [needed({ name: "configuration", ok: false, detail })];
  }
  const beside =
    extension === null ? "" : `; so does ${extension.path}, as an extension ("${extension.source}"): one is enough`;
  const detail = `${first.path} names proctor${also}${beside}`;
  const configuration = needed({ name: "configuration", ok: true, detail });
  return [configuration, ...(await checkServer(first.server, cwd, process.env)).map(needed)];
}
