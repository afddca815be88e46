import { formatOperationPath } from '../http/match-route.js';
import { listServedFormats } from '../http/request/served-formats.js';
import type { OperationExample, ServedResource } from '../http/operations/served-resource.js';
import type { Property, Resource } from '../model/resource.js';
import { dataTeams } from '../model/resources/data-teams.js';
import { directoryTeams } from '../model/resources/directory-teams.js';
import type { JsonSchema, JsonValue } from '../model/schema/json-schema.js';
import type { TeamScope } from '../model/query.js';
import { formatScopes } from '../model/resources/served-formats.js';
import { hasOwnPropertyFilters, listFilters, parametersOf } from '../query/parse-query.js';
import { createOwnPropertyPattern } from '../query/property-name-schema.js';
import { createFilterSchema } from '../query/reserved-parameters.js';
import type { Format } from '../render/formats.js';
import type { Vocabulary } from '../query/vocabulary.js';
import { listDescribedProperties } from './record-schema.js';

export interface DescribedParameter {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example: JsonValue;
  readonly isRequired?: true;
}

/** As the tables of the parser describe it (decisions 2.42). */
export interface DescribedOperation {
  readonly served: ServedResource;
  /** Without extension, with `{id}` for the id of a single item. */
  readonly path: string;
  /** With the scopes in which some of its formats are served. */
  readonly description: string;
  readonly itemId: DescribedParameter | undefined;
  /** With the property filters that can be listed. */
  readonly parameters: readonly DescribedParameter[];
  /** Names of further filters: properties that only one source has. Undefined where there are none. */
  readonly ownPropertyPattern: string | undefined;
  readonly formats: readonly Format[];
}

/**
 * OpenAPI describes each form of a path as an operation of its own: the path as it is, with any extension, or with that
 * of a format that only some scopes have.
 */
export interface OperationVariant {
  /** Follows the id of the operation. */
  readonly id: string;
  /** Follows its path. */
  readonly suffix: string;
  /** Follows its summary. */
  readonly summary: string;
  /** What `{extension}` stands for; empty where the path has none. */
  readonly extensions: readonly string[];
  readonly formats: readonly Format[];
  /** The response may be a call of a function: JSONP is JSON only, and no extension is needed for it. */
  readonly hasCallback: boolean;
  /** Empty where a request needs none. */
  readonly scopes: readonly TeamScope[];
}

export function listVariants(formats: readonly Format[]): readonly OperationVariant[] {
  const scoped = formats.flatMap((format) =>
    format.extensions.flatMap((suffix): OperationVariant[] => {
      const { name } = format;
      const scopes = formatScopes[name];
      const id = `As${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
      const summary = ` as \`${suffix}\``;
      const form = { id, suffix, summary, extensions: [], formats: [format], hasCallback: false };
      return scopes === undefined ? [] : [{ ...form, scopes }];
    }),
  );
  const inAllScopes = formats.filter(({ name }) => formatScopes[name] === undefined);
  const extensions = inAllScopes.flatMap((format) => format.extensions.map((extension) => extension.slice(1)));
  return [
    { id: '', suffix: '', summary: '', extensions: [], formats, hasCallback: true, scopes: [] },
    {
      id: 'InFormat',
      suffix: '.{extension}',
      summary: ' in the format of an extension',
      extensions,
      formats: inAllScopes,
      hasCallback: false,
      scopes: [],
    },
    ...scoped,
  ];
}

export function describeOperation(served: ServedResource): DescribedOperation {
  const { rules } = served.options;
  const { vocabulary } = rules;
  const reserved = parametersOf(rules).map(({ name, description, schema, example, isRequired }) => ({
    name,
    description: typeof description === 'function' ? description(rules) : description,
    schema: schema(rules),
    example: typeof example === 'function' ? example(rules) : example,
    ...(isRequired && { isRequired }),
  }));
  const filters = listFilters(rules).map((name): DescribedParameter => describeFilter(name, served));
  const formats = listServedFormats(rules);
  return {
    served,
    path: formatOperationPath(served, '{id}'),
    description: [served.description.description, ...describeFormatScopes(formats)].join(' '),
    itemId: describeItemId(served),
    parameters: [...reserved, ...filters],
    ownPropertyPattern: hasOwnPropertyFilters(rules) ? createOwnPropertyPattern(vocabulary) : undefined,
    formats,
  };
}

/** A sentence for each format that is not served in all scopes (decisions 2.5). */
function describeFormatScopes(formats: readonly Format[]): readonly string[] {
  return formats.flatMap(({ name, extensions }) => {
    const scopes = formatScopes[name]?.map((scope) => `\`scope=${scope}\``);
    return scopes === undefined ? [] : [`The format \`${extensions.join('`, `')}\` needs ${scopes.join(' or ')}.`];
  });
}

function describeFilter(name: string, { options }: ServedResource): DescribedParameter {
  const { vocabulary } = options.rules;
  const { sourceNameProperty } = vocabulary.resource;
  const property = findProperty(name, vocabulary.resource);
  const example = [property?.example ?? 'value'].flat()[0];
  const meaning = property?.description ?? 'a property of some sources';
  return {
    name,
    description: `Records with exactly this value of \`${name}\` (${meaning}), in any case and without regard to diacritics.`,
    schema: createFilterSchema(name, vocabulary),
    example: name === sourceNameProperty ? getExampleSourceName(example, vocabulary) : (example ?? 'value'),
  };
}

/** Of the resource, or of another one, where a registration names it as a further property. */
function findProperty(name: string, resource: Resource): Property | undefined {
  const { idProperty } = resource;
  if (name === idProperty) return { ...ID_PROPERTY, name };
  return [resource, directoryTeams, dataTeams].flatMap(listDescribedProperties).find((known) => known.name === name);
}

/** No property of the table of the record (decisions 4.18). */
export const ID_PROPERTY: Omit<Property, 'name'> = {
  kind: 'text',
  description: 'id of the record',
  example: 'lantern.thorsvik-health-cert',
};

/** From the example of the resource, where it is registered, as in the demo; otherwise of any source. */
function getExampleSourceName(example: JsonValue | undefined, { sourceNames }: Vocabulary): string {
  return sourceNames.find((name) => name === example) ?? sourceNames[0] ?? 'value';
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

/** With its query. */
export function formatExampleTarget(served: ServedResource, { itemId, parameters }: OperationExample): string {
  const path = formatOperationPath(served, encodeURIComponent(itemId ?? ''));
  const pairs = Object.entries(parameters).map(
    ([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2C', ',')}`,
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}
