import type { JsonSchema } from '../../model/schema/json-schema.js';
import { formatExampleValue } from './parameter-values.js';
import type { ReferenceRow } from './reference-table.js';

export const SCHEMA_COLUMNS: readonly string[] = ['Property', 'Meaning', 'Type'];

/** Where the schema does not state it. */
const MEANINGS: Readonly<Record<string, string>> = {
  status: '`OK`, or the reason phrase of the HTTP status of an error',
  status_code: 'HTTP status',
  'status-code': 'HTTP status',
  version: 'version of the interface',
  data: 'the requested data',
  message: 'what is wrong, in words',
};

/** `anchor` begins the fragment of each row. */
export function createSchemaRows(
  anchor: string,
  properties: Readonly<Record<string, JsonSchema>>,
): readonly ReferenceRow[] {
  return Object.entries(properties).map(([name, schema]) => ({
    anchor: `${anchor}.${name}`,
    name,
    cells: [MEANINGS[name] ?? schema.description ?? '', describeSchemaType(omitConstant(name, schema))],
  }));
}

/** The constant of a status or a version is that of one interface, and its meaning is stated for both. */
function omitConstant(name: string, schema: JsonSchema): JsonSchema {
  return MEANINGS[name] === undefined || schema.const === undefined ? schema : { type: typeof schema.const };
}

/** In words. Text between backticks is code. */
function describeSchemaType({ type, const: only, enum: values, items, properties, anyOf }: JsonSchema): string {
  if (only !== undefined) return `\`${formatExampleValue(only)}\``;
  if (values !== undefined) return values.map((value) => `\`${formatExampleValue(value)}\``).join(', ');
  if (anyOf !== undefined) return anyOf.map(describeSchemaType).join('; or ');
  if (items !== undefined) return `list of ${describeSchemaType(items)}`;
  if (properties === undefined) return type === undefined ? 'any' : String(type);
  return `object: ${Object.entries(properties)
    .map(([name, schema]) => `\`${name}\` (${describeSchemaType(schema)})`)
    .join(', ')}`;
}
