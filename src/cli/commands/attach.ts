/** `proctor attach`: joins an interactive run from this terminal. */
export { joinRun as execute } from "../attached-terminal.ts";
