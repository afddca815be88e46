import { responseFields } from '../http/representation/response-fields.js';
import type { ResponseField, ResponseKind } from '../http/representation/response-fields.js';
import { errorCatalogue } from '../model/error-catalogue.js';
import type { ErrorKind, ErrorOccurrence } from '../model/error-catalogue.js';
import type { Operation } from '../http/operations/served-resource.js';
import type { JsonSchema } from '../model/schema/json-schema.js';
import { createEnvelopeSchema } from '../render/envelope.js';
import type { EnvelopeContent } from '../render/envelope.js';
import { formats, jsonFormat, jsonpMediaType } from '../render/formats.js';
import type { Format } from '../render/formats.js';
import { formatExampleTarget } from './described-operation.js';
import type { DescribedOperation, OperationVariant } from './described-operation.js';
import type {
  OpenApiExample,
  OpenApiHeader,
  OpenApiMediaType,
  OpenApiReference,
  OpenApiResponse,
} from './openapi-document.js';
import { createRecordSchemas } from './record-schema.js';

/** What the configuration lets clients meet besides the tables (decisions 2.42). */
export interface DescribedAccess {
  /** Credentials of clients are accepted. */
  readonly acceptsCredentials: boolean;
  /** Credentials may be tokens of an issuer. */
  readonly verifiesTokens: boolean;
  /** A rate limit is configured. */
  readonly limitsRates: boolean;
  /** Empty where no public URL is configured. */
  readonly publicUrl: string;
}

export function createReference(section: string, name: string): OpenApiReference {
  return { $ref: `#/components/${section}/${name}` };
}

function createHeaders(kinds: readonly ResponseKind[]): Readonly<Record<string, OpenApiReference>> {
  const fields = responseFields.filter(({ on }) => on.some((kind) => kinds.includes(kind)));
  return Object.fromEntries(fields.map(({ name }) => [name, createReference('headers', name)]));
}

/** An error in JSONP is a 200, so that only a field that errors have too is required. */
export function createHeader({ description, always, on, schema, example }: ResponseField): OpenApiHeader {
  const value = schema.type === 'integer' ? Number(example) : example;
  return { description, ...(always && on.includes('error') && { required: true }), schema, example: value };
}

/** In each format, with the examples of the operation. */
export function describeSuccess(
  operation: DescribedOperation,
  access: DescribedAccess,
  { formats: servedFormats, hasCallback }: Pick<OperationVariant, 'formats' | 'hasCallback'>,
): OpenApiResponse {
  const { served } = operation;
  const { resource } = served.options.rules.vocabulary;
  const isItem = operation.itemId !== undefined;
  const isList = !isItem || served.operation === 'same-team';
  const names = Object.keys(createRecordSchemas(served.operation, resource));
  const records = names.map((name) => createReference('schemas', name));
  const [first = {}] = records;
  const record: JsonSchema = records.length === 1 ? first : { anyOf: records };
  const data = describeData(served.operation, isList, record);
  // Generated clients take the first schema that matches, and a record without required properties also matches an envelope.
  const schema: JsonSchema = { anyOf: [describeEnvelope(operation, data), data] };
  const kinds: readonly ResponseKind[] = [...describedKinds(operation), 'file', ...limitedKinds(access)];
  return {
    description: describeSuccessBody(servedFormats),
    headers: createHeaders(kinds),
    content: {
      ...createContent(servedFormats, schema, listExamples(operation, access)),
      ...(hasCallback && {
        [jsonpMediaType]: { schema: { type: 'string', description: 'JSONP, with `callback`; errors too' } },
      }),
    },
  };
}

function describeSuccessBody(servedFormats: readonly Format[]): string {
  const files = servedFormats.filter(({ isAttachment }) => isAttachment).map(({ name }) => name.toUpperCase());
  const [first] = servedFormats;
  if (servedFormats.length === 1 && first !== undefined) return `The requested data. ${first.description}`;
  return `The requested data: bare, or in an envelope. Only ${files.join(', ')} have a Content-Disposition.`;
}

/** `data` is the schema of the data. */
export function describeEnvelope(operation: DescribedOperation, data: JsonSchema): JsonSchema {
  const { served, itemId } = operation;
  const { rules, servedInterface } = served.options;
  const { resource } = rules.vocabulary;
  const ofItem: EnvelopeContent = served.operation === 'same-team' ? 'list' : 'item';
  const content = itemId === undefined ? 'page' : ofItem;
  const envelope = createEnvelopeSchema(servedInterface, resource, content, data);
  return omitProperties(envelope, listAbsentProperties(operation));
}

/** In an envelope of the operation. */
function listAbsentProperties({ served: { operation } }: DescribedOperation): readonly string[] {
  return [...(operation === 'search' ? [] : ['did-you-mean']), ...(operation === 'countries' ? ['sources'] : [])];
}

function omitProperties(schema: JsonSchema, names: readonly string[]): JsonSchema {
  const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !names.includes(name));
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** A list or a record; countries are an object by their codes (decisions 2.41). */
function describeData(operation: Operation, isList: boolean, record: JsonSchema): JsonSchema {
  if (operation === 'countries') return { type: 'object', additionalProperties: record };
  return isList ? { type: 'array', items: record } : record;
}

/** Each with its request. */
function listExamples(
  { served }: DescribedOperation,
  { publicUrl }: DescribedAccess,
): Readonly<Record<string, OpenApiExample>> {
  return Object.fromEntries(
    served.description.examples.map((example, at): [string, OpenApiExample] => [
      `example-${at + 1}`,
      {
        summary: example.summary,
        description: `The response to \`GET ${publicUrl}${formatExampleTarget(served, example)}\`.`,
        value: example.response,
      },
    ]),
  );
}

/** By media type; a document has the schema, and JSON the examples. */
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

/** What is of no source has no fields about sources. */
function describedKinds({ itemId, served }: DescribedOperation): readonly ResponseKind[] {
  if (served.operation === 'countries') return ['reference'];
  return [itemId === undefined ? 'list' : 'item', ...(served.operation === 'search' ? (['search'] as const) : [])];
}

function limitedKinds({ limitsRates }: DescribedAccess): readonly ResponseKind[] {
  return limitsRates ? ['limited'] : [];
}

export function describeNotModified(access: DescribedAccess): OpenApiResponse {
  return {
    description: 'The client has the current response already.',
    headers: createHeaders(['not-modified', ...limitedKinds(access)]),
  };
}

/** By status. `hasExtension`: the path may end with any extension. */
export function listErrors(
  operation: DescribedOperation,
  access: DescribedAccess,
  hasExtension = false,
): ReadonlyMap<number, readonly ErrorKind[]> {
  const occurrences = new Set([...listOccurrences(operation, access), ...(hasExtension ? UNKNOWN_EXTENSION : [])]);
  const byStatus = new Map<number, ErrorKind[]>();
  for (const kind of ERROR_KINDS) {
    const { occurrence, status } = errorCatalogue[kind];
    if (occurrences.has(occurrence) && canOccur(kind, operation, access))
      byStatus.set(status, [...(byStatus.get(status) ?? []), kind]);
  }
  return byStatus;
}

/** Other operations with the same occurrence meet the error. */
function canOccur(kind: ErrorKind, { formats }: DescribedOperation, { acceptsCredentials }: DescribedAccess): boolean {
  if (kind === 'forbidden') return acceptsCredentials;
  return kind !== 'keys-unavailable' || formats.some(({ name }) => name === 'asc');
}

/** A path with an unknown extension is not found (decisions 2.3). */
const UNKNOWN_EXTENSION: readonly ErrorOccurrence[] = ['item'];

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

/** Their response may rest on sources, and then states what each of them contributed (decisions 6.2). */
const ERRORS_OF_SOURCES: ReadonlySet<ErrorKind> = new Set([
  'multiple-choices',
  'not-found',
  'precondition-failed',
  'no-source',
  'not-held',
  'keys-unavailable',
  'sources-late',
]);

function mayRestOnSources({ served, itemId }: DescribedOperation, errors: readonly ErrorKind[]): boolean {
  if (served.operation === 'countries') return false;
  // A list is not found only where its path has an unknown extension.
  return errors.some((kind) => ERRORS_OF_SOURCES.has(kind) && (kind !== 'not-found' || itemId !== undefined));
}

/** Errors with response fields of their own. */
const ERROR_RESPONSE_KINDS: Partial<Readonly<Record<ErrorKind, ResponseKind>>> = {
  unauthorized: 'unauthorized',
  forbidden: 'unauthorized',
  'rate-limited': 'retry',
  'keys-unavailable': 'retry',
  loop: 'loop',
};

/** They may precede the reading of the request, whose responses then lack the fields of others (decisions 7.18). */
const ERRORS_BEFORE_READING: ReadonlySet<ErrorKind> = new Set(['bad-request', 'request-late', 'head-too-long']);

/** Missing in the refusal of a request before its reading. */
const FIELDS_AFTER_READING: readonly string[] = ['Link', 'Vary'];

/** Equal errors of an interface share a component. */
export function formatErrorName(operation: DescribedOperation, errors: readonly ErrorKind[]): string {
  const { name } = operation.served.options.servedInterface;
  return [name, ...errors, ...(mayRestOnSources(operation, errors) ? ['of-sources'] : [])].join('.');
}

/** One status in each format. Where a format carries no errors, the error is JSON (decisions 3.12). */
export function describeError(
  operation: DescribedOperation,
  errors: readonly ErrorKind[],
  access: DescribedAccess,
): OpenApiResponse {
  const rows = errors.map((kind) => errorCatalogue[kind]);
  const kinds: readonly ResponseKind[] = [
    'error',
    ...errors.flatMap((kind) => ERROR_RESPONSE_KINDS[kind] ?? []),
    ...(mayRestOnSources(operation, errors) ? (['source-error'] as const) : []),
    ...limitedKinds(access),
  ];
  const optional = errors.some((kind) => ERRORS_BEFORE_READING.has(kind)) ? FIELDS_AFTER_READING : [];
  return {
    description: rows.map(({ description }) => description).join('\n\n'),
    headers: { ...createHeaders(kinds), ...createOptionalHeaders(optional) },
    content: createContent(
      formats.filter(({ carriesErrors }) => carriesErrors),
      createReference('schemas', `${operation.served.options.servedInterface.name}-error`),
    ),
  };
}

function createOptionalHeaders(names: readonly string[]): Readonly<Record<string, OpenApiHeader>> {
  const fields = responseFields.filter(({ name }) => names.includes(name));
  return Object.fromEntries(fields.map((field) => [field.name, createHeader({ ...field, always: false })]));
}
