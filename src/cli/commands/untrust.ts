/** `proctor untrust`: a project's settings no longer count. */
import { removeTrust } from "../../session/index.ts";
import type { Arguments } from "../command-spec.ts";
import { projectOperand } from "../project-operand.ts";
import { writeJson, writeOut } from "../standard-output.ts";

/** Carries out `proctor untrust`. */
export async function execute(args: Arguments): Promise<number> {
  const path = projectOperand(args);
  const wasTrusted = removeTrust(path, process.env);
  if (args.has("json")) await writeJson({ path, wasTrusted });
  else await writeOut(wasTrusted ? `No longer trusted: ${path}\n` : `It was not trusted: ${path}\n`);
  return 0;
}
