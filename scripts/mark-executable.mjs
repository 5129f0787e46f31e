// Makes the compiled program executable: the compiler writes plain files, and npm links them as they are.
import { chmodSync } from "node:fs";

chmodSync(new URL("../dist/cli/main.js", import.meta.url), 0o755);
