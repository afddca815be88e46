import { formatOperationPath } from '../http/match-route.js';
import { listServedFormats } from '../http/request/served-formats.js';
import type { OperationExample, ServedResource } from '../http/operations/served-resource.js';
import type { JsonSchema, JsonValue } from '../model/schema/json-schema.js';
import { hasOwnPropertyFilters, listFilters, parametersOf } from '../query/parse-query.js';
import { createOwnPropertyPattern } from '../query/property-name-schema.js';
import { createFilterSchema } from '../query/reserved-parameters.js';
import type { Format } from '../render/formats.js';
import { listDescribedProperties } from './record-schema.js';

/** A query parameter of an operation. */
export interface DescribedParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example: JsonValue;
  readonly isRequired?: true;
}

/** An operation as the tables of the parser describe it (decisions 2.42). */
export interface DescribedOperation {
  readonly served: ServedResource;
  /** Path without extension, with `{id}` for the id of a single item. */
  readonly path: string;
  readonly itemId: DescribedParameter | undefined;
  /** Its parameters, and the property filters that can be listed. */
  readonly parameters: readonly DescribedParameter[];
  /** Pattern of the names of further filters: properties that only one source has. Undefined where there are none. */
  readonly ownPropertyPattern: string | undefined;
  readonly formats: readonly Format[];
}

/** Describes an operation from the tables by which its requests are parsed. */
export function describeOperation(served: ServedResource): DescribedOperation {
  const { rules } = served.options;
  const { vocabulary } = rules;
  const reserved = parametersOf(rules).map(({ name, description, schema, example, isRequired }) => ({
    name,
    description,
    schema: schema(rules),
    example,
    ...(isRequired && { isRequired }),
  }));
  const filters = listFilters(rules).map((name): DescribedParameter => describeFilter(name, served));
  return {
    served,
    path: formatOperationPath(served, '{id}'),
    itemId: describeItemId(served),
    parameters: [...reserved, ...filters],
    ownPropertyPattern: hasOwnPropertyFilters(rules) ? createOwnPropertyPattern(vocabulary) : undefined,
    formats: listServedFormats(rules),
  };
}

function describeFilter(name: string, { options }: ServedResource): DescribedParameter {
  const { vocabulary } = options.rules;
  const { sourceNameProperty, idProperty } = vocabulary.resource;
  const property = listDescribedProperties(vocabulary.resource).find((known) => known.name === name);
  const [sourceName = ''] = vocabulary.sourceNames;
  const example = name === sourceNameProperty ? sourceName : [property?.example ?? 'value'].flat()[0];
  const meaning = name === idProperty ? 'id of the record' : (property?.description ?? 'a property of some sources');
  return {
    name,
    description: `Records with exactly this value of \`${name}\` (${meaning}), in any case and without regard to diacritics.`,
    schema: createFilterSchema(name, vocabulary),
    example: example ?? 'value',
  };
}

function describeItemId({ options, description }: ServedResource): DescribedParameter | undefined {
  const { rules } = options;
  if (rules.item !== true) return undefined;
  const isInteger = rules.vocabulary.resource.idKind === 'integer';
  const example = description.examples[0].itemId ?? '';
  return {
    name: 'id',
    description: 'Id of the record, percent-encoded.',
    schema: isInteger ? { type: 'integer', minimum: 0 } : { type: 'string' },
    example: isInteger ? Number(example) : example,
  };
}

/** Path and query of an example of an operation (decisions 2.42). */
export function formatExampleTarget(served: ServedResource, { itemId, parameters }: OperationExample): string {
  const path = formatOperationPath(served, encodeURIComponent(itemId ?? ''));
  const pairs = Object.entries(parameters).map(
    ([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`,
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}
