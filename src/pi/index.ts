/**
 * The Pi extension, for `pi install`. Loading it starts nothing; what Pi calls later opens the session.
 *
 * @module
 */
export { extension as default } from "./extension.ts";
