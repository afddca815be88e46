import { responseFields } from '../http/representation/response-fields.js';
import type { ResponseKind } from '../http/representation/response-fields.js';
import { errorCatalogue } from '../model/error-catalogue.js';
import type { ErrorKind, ErrorOccurrence } from '../model/error-catalogue.js';
import type { Operation } from '../http/operations/served-resource.js';
import type { ApiInterface } from '../model/api-interface.js';
import type { JsonSchema } from '../model/schema/json-schema.js';
import { createEnvelopeSchema } from '../render/envelope.js';
import type { EnvelopeContent } from '../render/envelope.js';
import { formats, jsonFormat, jsonpMediaType } from '../render/formats.js';
import type { Format } from '../render/formats.js';
import type { DescribedOperation } from './described-operation.js';
import type { OpenApiExample, OpenApiMediaType, OpenApiReference, OpenApiResponse } from './openapi-document.js';
import { createRecordSchemas } from './record-schema.js';

/** What the configuration lets clients meet besides the tables (decisions 2.42). */
export interface DescribedAccess {
  /** Whether credentials of clients are accepted. */
  readonly acceptsCredentials: boolean;
  /** Whether these may be tokens of an issuer. */
  readonly verifiesTokens: boolean;
  /** Whether a rate limit is configured. */
  readonly limitsRates: boolean;
}

/** A reference to a component. */
export function createReference(section: string, name: string): OpenApiReference {
  return { $ref: `#/components/${section}/${name}` };
}

/** The fields of a response. */
export function listResponseFields(kinds: readonly ResponseKind[]): typeof responseFields {
  return responseFields.filter(({ on }) => on.some((kind) => kinds.includes(kind)));
}

function createHeaders(kinds: readonly ResponseKind[]): Readonly<Record<string, OpenApiReference>> {
  return Object.fromEntries(listResponseFields(kinds).map(({ name }) => [name, createReference('headers', name)]));
}

/** The 200 of an operation in each format, with the examples of the operation. */
export function describeSuccess(operation: DescribedOperation, access: DescribedAccess): OpenApiResponse {
  const { served, formats: servedFormats } = operation;
  const { rules, servedInterface } = served.options;
  const { resource } = rules.vocabulary;
  const isItem = operation.itemId !== undefined;
  const isList = !isItem || served.operation === 'same-team';
  const names = Object.keys(createRecordSchemas(served.operation, resource));
  const records = names.map((name) => createReference('schemas', name));
  const [first = {}] = records;
  const record: JsonSchema = records.length === 1 ? first : { anyOf: records };
  const data = describeData(served.operation, isList, record);
  const content: EnvelopeContent = !isList ? 'item' : isItem ? 'list' : 'page';
  const schema: JsonSchema = { anyOf: [data, createEnvelopeSchema(servedInterface, resource, content, data)] };
  const kinds: readonly ResponseKind[] = [...describedKinds(operation), ...limitedKinds(access)];
  return {
    description: 'The requested data: bare, or in an envelope. CSV and XLSX have a Content-Disposition too.',
    headers: createHeaders(kinds),
    content: {
      ...createContent(servedFormats, schema, listExamples(operation)),
      [jsonpMediaType]: { schema: { type: 'string', description: 'JSONP, with `callback`; errors too' } },
    },
  };
}

/** The data of a response: a list or a record; countries are an object by their codes (decisions 2.41). */
function describeData(operation: Operation, isList: boolean, record: JsonSchema): JsonSchema {
  if (operation === 'countries') return { type: 'object', additionalProperties: record };
  return isList ? { type: 'array', items: record } : record;
}

function listExamples({ served }: DescribedOperation): Readonly<Record<string, OpenApiExample>> {
  return Object.fromEntries(
    served.description.examples.map(({ summary, response }, at) => [`example-${at + 1}`, { summary, value: response }]),
  );
}

/** The bodies of a response by media type; a document has the schema, and JSON the examples. */
function createContent(
  servedFormats: readonly Format[],
  schema: JsonSchema,
  examples?: Readonly<Record<string, OpenApiExample>>,
): Readonly<Record<string, OpenApiMediaType>> {
  const entries = servedFormats.flatMap((format) =>
    format.mediaTypes.map((mediaType): [string, OpenApiMediaType] => [
      mediaType,
      {
        ...createBody(format, schema),
        ...(format.name === jsonFormat.name && examples !== undefined && { examples }),
      },
    ]),
  );
  return Object.fromEntries(entries);
}

function createBody({ body, description }: Format, schema: JsonSchema): OpenApiMediaType {
  switch (body) {
    case 'document':
      return { schema };
    case 'text':
      return { schema: { type: 'string', description } };
    case 'file':
      return { schema: { description } };
  }
}

/** The kinds of a success. What is of no source has no fields about sources. */
function describedKinds({ itemId, served }: DescribedOperation): readonly ResponseKind[] {
  if (served.operation === 'countries') return ['reference'];
  return [itemId === undefined ? 'list' : 'item', ...(served.operation === 'search' ? (['search'] as const) : [])];
}

function limitedKinds({ limitsRates }: DescribedAccess): readonly ResponseKind[] {
  return limitsRates ? ['limited'] : [];
}

/** The 304 of every operation. */
export function describeNotModified(access: DescribedAccess): OpenApiResponse {
  return {
    description: 'The client has the current response already.',
    headers: createHeaders(['not-modified', ...limitedKinds(access)]),
  };
}

/** An operation at its path, or with an extension behind it. */
export type OperationVariant = '' | 'InFormat';

/** The errors that an operation can meet, by status. */
export function listErrors(
  operation: DescribedOperation,
  access: DescribedAccess,
  variant: OperationVariant,
): ReadonlyMap<number, readonly ErrorKind[]> {
  const occurrences = new Set([...listOccurrences(operation, access), ...UNKNOWN_EXTENSION[variant]]);
  const byStatus = new Map<number, ErrorKind[]>();
  for (const kind of ERROR_KINDS) {
    const { occurrence, status } = errorCatalogue[kind];
    if (occurrences.has(occurrence)) byStatus.set(status, [...(byStatus.get(status) ?? []), kind]);
  }
  return byStatus;
}

/** A path with an unknown extension is not found (decisions 2.3). */
const UNKNOWN_EXTENSION: Readonly<Record<OperationVariant, readonly ErrorOccurrence[]>> = {
  '': [],
  InFormat: ['item'],
};

const ERROR_KINDS = Object.keys(errorCatalogue) as readonly ErrorKind[];

function listOccurrences(
  { itemId, served }: DescribedOperation,
  { acceptsCredentials, verifiesTokens, limitsRates }: DescribedAccess,
): ReadonlySet<ErrorOccurrence> {
  const { resource } = served.options.rules.vocabulary;
  const isTeam = itemId !== undefined && resource.idKind !== 'integer';
  return new Set<ErrorOccurrence>([
    'every',
    'connection',
    ...(served.operation === 'countries' ? [] : (['sources'] as const)),
    ...(itemId === undefined ? [] : (['item'] as const)),
    ...(isTeam ? (['team'] as const) : []),
    // A scope that needs members access is refused even where no client can have it.
    ...(acceptsCredentials || resource.hasScopes ? (['credentials'] as const) : []),
    ...(verifiesTokens ? (['issuer'] as const) : []),
    ...(limitsRates ? (['rate-limit'] as const) : []),
  ]);
}

/** Errors of one status in each format. Where a format carries no errors, the error is JSON (decisions 3.12). */
export function describeError(
  { name }: ApiInterface,
  errors: readonly ErrorKind[],
  access: DescribedAccess,
): OpenApiResponse {
  const rows = errors.map((kind) => errorCatalogue[kind]);
  const kinds: readonly ResponseKind[] = [
    'error',
    ...(errors.includes('unauthorized') ? (['unauthorized'] as const) : []),
    ...limitedKinds(access),
  ];
  return {
    description: rows.map(({ description }) => description).join('\n\n'),
    headers: createHeaders(kinds),
    content: createContent(
      formats.filter(({ carriesErrors }) => carriesErrors),
      createReference('schemas', `${name}-error`),
    ),
  };
}
