// Writes man/proctor.1 from the tables of commands. Run it after they changed: npm run man.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { manPage } from "../dist/cli/man-page.js";

const { version } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
mkdirSync(new URL("../man/", import.meta.url), { recursive: true });
writeFileSync(new URL("../man/proctor.1", import.meta.url), manPage(version));
