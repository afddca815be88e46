import type { JsonSchema, JsonValue } from '../../model/schema/json-schema.js';

/** In a table. The description in OpenAPI has all of them. */
const MAX_NAMED_VALUES = 40;

/** In words, from the schema. Text between backticks is code. */
export function describeParameterValues({
  type,
  enum: values,
  items,
  minimum,
  maximum,
  default: preset,
  description,
  anyOf,
  pattern,
}: JsonSchema): string {
  if (description !== undefined) return description;
  const facts = [
    items !== undefined && `joined by commas: ${describeParameterValues(items)}`,
    values !== undefined && describeEnumeration(values),
    values === undefined && items === undefined && anyOf === undefined && [type ?? ''].flat().join(' or '),
    pattern !== undefined && `matching \`${pattern}\``,
    anyOf !== undefined && [...new Set(anyOf.map(describeParameterValues))].join('; or '),
    minimum !== undefined && `at least ${minimum}`,
    maximum !== undefined && `at most ${maximum}`,
    preset !== undefined && `default \`${formatExampleValue(preset)}\``,
  ];
  return facts.filter((fact) => fact !== false).join(', ');
}

function describeEnumeration(values: readonly JsonValue[]): string {
  const named = values.slice(0, MAX_NAMED_VALUES).map((value) => `\`${formatExampleValue(value)}\``);
  const omitted = values.length - named.length;
  return `${named.join(' ')}${omitted > 0 ? ` and ${omitted} more` : ''}`;
}

/** As in a request: the items of a list are joined by commas. */
export function formatExampleValue(example: JsonValue): string {
  if (Array.isArray(example)) return example.map((item: JsonValue) => formatExampleValue(item)).join(',');
  return typeof example === 'string' ? example : JSON.stringify(example);
}
