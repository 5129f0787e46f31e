/**
 * The Pi extension: `pi install npm:proctor`. Loading it starts nothing; what Pi calls later opens the session.
 *
 * @module
 */
export { extension as default } from "./extension.ts";
