/**
 * The JSON Schema (draft-07, which every editor reads) of the settings file, made from the table of settings. It is kept
 * out of the floor's door: only the script that writes it and its test need it.
 */
import { FLAG_SETTINGS, LIST_SETTINGS, NUMBER_SETTINGS } from "./settings-table.ts";

/** A part of a schema, as plain JSON. */
export type SchemaNode = Readonly<Record<string, unknown>>;

/** Makes the schema. */
export function settingsSchema(): SchemaNode {
  const properties: Record<string, SchemaNode> = { $schema: { type: "string" } };
  for (const [key, spec] of Object.entries(NUMBER_SETTINGS)) {
    if (!spec.inFiles) continue;
    properties[key] = {
      type: spec.unit === "ratio" ? "number" : "integer",
      minimum: spec.min,
      maximum: spec.max,
      default: spec.default,
      description: spec.meaning,
    };
  }
  for (const [key, spec] of Object.entries(LIST_SETTINGS)) {
    properties[key] = {
      type: "array",
      maxItems: spec.maxEntries,
      items: { type: "string", minLength: 1, maxLength: spec.maxLength },
      description: spec.meaning,
    };
  }
  for (const [key, spec] of Object.entries(FLAG_SETTINGS)) {
    properties[key] = { type: "boolean", default: spec.default, description: spec.meaning };
  }
  return {
    $schema: "http://json-schema.org/draft-07/schema#",
    title: "Settings of proctor",
    type: "object",
    additionalProperties: false,
    properties,
  };
}
