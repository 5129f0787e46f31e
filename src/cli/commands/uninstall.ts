/** `proctor uninstall`: an agent client's configuration as it was before. */
import { clientNamed, planUninstall } from "../../clients/index.ts";
import { configOf, placeOf, showAndCarryOut } from "../client-plan.ts";
import type { Arguments } from "../command-spec.ts";

/** Carries out `proctor uninstall`. */
export async function execute(args: Arguments): Promise<number> {
  const client = clientNamed(args.operands[0] ?? "");
  const place = placeOf(args);
  const plan = planUninstall({ client, place, config: configOf(args) });
  return showAndCarryOut(args, client, place, plan, {
    done: `${client.title} does not start proctor any more.`,
    nothing: `${client.title} does not know proctor; nothing was changed.`,
  });
}
