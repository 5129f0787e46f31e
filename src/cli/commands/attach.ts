export { joinRun as execute } from "../attached-terminal.ts";
