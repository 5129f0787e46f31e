// Writes schema/settings.schema.json from the table of settings. Run after `npm run build`.
import { writeFileSync } from "node:fs";
import { settingsSchema } from "../dist/model/settings-schema.js";

const target = new URL("../schema/settings.schema.json", import.meta.url);
writeFileSync(target, `${JSON.stringify(settingsSchema(), null, 2)}\n`);
