import type { DocumentNode } from '../model/document-node.js';
import { errorCatalogue } from '../model/error-catalogue.js';
import type { Problem } from '../model/error-catalogue.js';
import { TEXT_SCHEMA } from '../model/schema/json-schema.js';
import type { JsonSchema } from '../model/schema/json-schema.js';
import { ACCESS_LEVELS } from '../model/access-level.js';
import type { AccessLevel } from '../model/access-level.js';
import type { ApiInterface } from '../model/api-interface.js';
import type { EnvelopeProperty, Resource } from '../model/resource.js';
import { STATE_DESCRIPTIONS } from '../model/reasons.js';
import { reportFailureDetail } from '../model/outcome.js';
import type { SourceOutcome } from '../model/outcome.js';
import { formatImfFixdate } from '../text/date.js';
import type { Table } from './render-input.js';

type EnvelopeDocument = ReadonlyMap<string, DocumentNode>;

/** Each resource selects the properties of its envelope. */
export interface EnvelopeFacts {
  readonly access: AccessLevel;
  /** Absent for a single item. */
  readonly total?: number;
  /** Milliseconds since 1970. Without it, `last-modified` is absent. */
  readonly newest?: number;
  /** With `offset`, absent for everything that has no pages. */
  readonly limit?: number;
  readonly offset?: number;
  /** Usual spelling of the searched text. */
  readonly suggestion?: string | undefined;
  /** Neither fresh nor excluded. Empty for a complete response, which has exactly the specified properties. */
  readonly sources: readonly EnvelopeDocument[];
}

/** Properties that not every envelope has (decisions 2.7, 2.42). */
const envelopePropertySchemas: Readonly<Record<EnvelopeProperty, JsonSchema>> = {
  total: { type: 'integer', minimum: 0, description: 'number of matches, not only of this page' },
  'last-modified': { type: 'string', description: 'newest date of the matches, an IMF-fixdate; absent if unknown' },
  limit: { type: 'integer', minimum: 0, description: 'the applied limit' },
  offset: { type: 'integer', minimum: 0, description: 'the applied offset' },
  access: { type: 'string', enum: ACCESS_LEVELS, description: 'access level of the response' },
};

/** In a response that is stale or partial, or an error (decisions 6.4). */
const incompleteSourceSchema: JsonSchema = {
  type: 'object',
  description: 'A source that did not contribute all of its current records.',
  properties: {
    'source-name': TEXT_SCHEMA,
    state: { type: 'string', enum: Object.keys(STATE_DESCRIPTIONS) },
    reason: TEXT_SCHEMA,
    status: { type: 'integer', description: 'HTTP status of its response' },
    missing: { type: 'string', description: 'property that its records lack' },
    total: { type: 'integer', description: 'number of records that it counts' },
  },
  required: ['source-name', 'state', 'reason'],
  additionalProperties: false,
};

/** A page of a list, a list without pages, or a single item. */
export type EnvelopeContent = 'page' | 'list' | 'item';

const ABSENT_PROPERTIES: Readonly<Record<EnvelopeContent, readonly EnvelopeProperty[]>> = {
  page: [],
  list: ['limit', 'offset'],
  item: ['total', 'limit', 'offset'],
};

/** {@link buildEnvelope} with data of the schema `data`. */
export function createEnvelopeSchema(
  apiInterface: ApiInterface,
  resource: Resource,
  content: EnvelopeContent,
  data: JsonSchema,
): JsonSchema {
  const names = listEnvelopeProperties(resource, 'members').filter(
    (name) => !ABSENT_PROPERTIES[content].includes(name),
  );
  const optional = ['last-modified', ...(resource.envelopeProperties.includes('access') ? [] : ['access'])];
  return {
    type: 'object',
    properties: {
      status: { const: 'OK' },
      [apiInterface.statusCodeProperty]: { const: 200 },
      version: { const: apiInterface.version },
      ...Object.fromEntries(names.map((name) => [name, envelopePropertySchemas[name]])),
      ...(content === 'page' && {
        'did-you-mean': { type: 'string', description: 'of a search: the text in its usual spelling' },
      }),
      sources: {
        type: 'array',
        items: incompleteSourceSchema,
        description: 'present only if the response is stale or partial',
      },
      data,
    },
    required: [
      'status',
      apiInterface.statusCodeProperty,
      'version',
      ...names.filter((name) => !optional.includes(name)),
      'data',
    ],
    additionalProperties: false,
  };
}

/** {@link buildErrorEnvelope} (decisions 6.16). */
export function createErrorSchema(apiInterface: ApiInterface): JsonSchema {
  return {
    type: 'object',
    properties: {
      status: { type: 'string', description: 'reason phrase of the HTTP status' },
      [apiInterface.statusCodeProperty]: { type: 'integer' },
      version: { const: apiInterface.version },
      message: TEXT_SCHEMA,
      errors: {
        type: 'array',
        description: 'the incorrect parameters, all together',
        items: {
          type: 'object',
          properties: { parameter: TEXT_SCHEMA, message: TEXT_SCHEMA },
          required: ['parameter', 'message'],
          additionalProperties: false,
        },
      },
      candidates: { type: 'array', description: 'the teams that may be meant', items: { type: 'object' } },
      sources: { type: 'array', description: 'the sources that are the cause', items: incompleteSourceSchema },
    },
    required: ['status', apiInterface.statusCodeProperty, 'version', 'message'],
    additionalProperties: false,
  };
}

/** Decisions 2.8: properties in the order of the resource, `sources` last before `data`. */
export function buildEnvelope(
  apiInterface: ApiInterface,
  resource: Resource,
  facts: EnvelopeFacts,
  data: DocumentNode,
): EnvelopeDocument {
  const { access, total, newest, limit, offset, suggestion, sources } = facts;
  const lastModified = newest === undefined ? undefined : formatImfFixdate(newest);
  const known = { total, 'last-modified': lastModified, limit, offset, access };
  return new Map<string, DocumentNode>([
    ['status', 'OK'],
    [apiInterface.statusCodeProperty, 200],
    ['version', apiInterface.version],
    ...listEnvelopeProperties(resource, access).flatMap((name) => optionalEntry(name, known[name])),
    ...optionalEntry('did-you-mean', suggestion),
    ...optionalEntry('sources', sources.length === 0 ? undefined : sources),
    ['data', data],
  ]);
}

/** An envelope without `access` states members access all the same. */
function listEnvelopeProperties(
  { envelopeProperties: names }: Resource,
  access: AccessLevel,
): readonly EnvelopeProperty[] {
  return access === 'public' || names.includes('access') ? names : [...names, 'access'];
}

/** No data; `errors` for parameter errors, `sources` where sources are the cause. */
export function buildErrorEnvelope(
  apiInterface: ApiInterface,
  problem: Problem,
  sources: readonly EnvelopeDocument[] = [],
): EnvelopeDocument {
  const { status, phrase } = errorCatalogue[problem.kind];
  const errors = problem.errors?.map(
    ({ parameter, message }) =>
      new Map([
        ['parameter', parameter],
        ['message', message],
      ]),
  );
  return new Map<string, DocumentNode>([
    ['status', phrase],
    [apiInterface.statusCodeProperty, status],
    ['version', apiInterface.version],
    ['message', problem.message],
    ...optionalEntry('errors', errors),
    ...optionalEntry('candidates', problem.candidates),
    ...optionalEntry('sources', sources.length === 0 ? undefined : sources),
  ]);
}

/** All envelopes begin with the status and its code. */
export function isEnvelope(document: EnvelopeDocument): boolean {
  const [first, second] = document;
  return first?.[0] === 'status' && (second?.[0] === 'status_code' || second?.[0] === 'status-code');
}

/** One row (decisions 3.12): status, status code under the interface's name, and message. */
export function buildErrorTable(apiInterface: ApiInterface, envelope: EnvelopeDocument): Table {
  return {
    name: 'error',
    columns: ['status', apiInterface.statusCodeProperty, 'message'],
    rows: [envelope],
    metadata: new Map(),
  };
}

export function listIncompleteSources(outcomes: readonly SourceOutcome<unknown>[]): readonly EnvelopeDocument[] {
  return outcomes.flatMap(({ sourceName, outcome }) => {
    if (outcome.state === 'fresh' || outcome.state === 'excluded') return [];
    const total = 'total' in outcome ? outcome.total : undefined;
    const facts: [string, DocumentNode][] = [
      ['source-name', sourceName],
      ['state', outcome.state],
      ['reason', outcome.reason],
      ...Object.entries(reportFailureDetail(outcome)),
      ...optionalEntry('total', total),
    ];
    return [new Map(facts)];
  });
}

function optionalEntry(name: string, value: DocumentNode | undefined): [string, DocumentNode][] {
  return value === undefined ? [] : [[name, value]];
}
