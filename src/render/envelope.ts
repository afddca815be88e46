import type { DocumentNode } from '../model/document-node.js';
import { errorCatalogue } from '../model/error-catalogue.js';
import type { Problem } from '../model/error-catalogue.js';
import type { AccessLevel } from '../model/access-level.js';
import type { ApiInterface } from '../model/api-interface.js';
import type { EnvelopeProperty, Resource } from '../model/resource.js';
import { reportFailureDetail } from '../model/outcome.js';
import type { SourceOutcome } from '../model/outcome.js';
import { formatImfFixdate } from '../text/date.js';
import type { Table } from './render-input.js';

type EnvelopeDocument = ReadonlyMap<string, DocumentNode>;

/** Values of the envelope properties. Each resource selects the properties that its envelope has. */
export interface EnvelopeFacts {
  readonly access: AccessLevel;
  /** Absent for a single item. */
  readonly total?: number;
  /** Milliseconds since 1970. Without it, `last-modified` is absent. */
  readonly newest?: number;
  /** With `offset`, absent for everything that has no pages. */
  readonly limit?: number;
  readonly offset?: number;
  /** Of a search: the searched text in its usual spelling. */
  readonly suggestion?: string | undefined;
  /**
   * Sources that are neither fresh nor excluded. Empty for a complete response, which has exactly the specified
   * properties.
   */
  readonly sources: readonly EnvelopeDocument[];
}

/**
 * Builds the envelope of a response (decisions 2.7, 2.8): properties in the order of the resource, `sources` last
 * before `data`.
 */
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

/** An envelope without `access` states members access all the same (decisions 2.8). */
function listEnvelopeProperties(
  { envelopeProperties: names }: Resource,
  access: AccessLevel,
): readonly EnvelopeProperty[] {
  return access === 'public' || names.includes('access') ? names : [...names, 'access'];
}

/**
 * Builds the envelope of an error (decisions 6.16): no data, `errors` for parameter errors, `sources` where sources are
 * the cause.
 */
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

/**
 * Whether a document is an envelope of a list, an item or an error. All envelopes begin with the status and its code.
 */
export function isEnvelope(document: EnvelopeDocument): boolean {
  const [first, second] = document;
  return first?.[0] === 'status' && (second?.[0] === 'status_code' || second?.[0] === 'status-code');
}

/**
 * Builds an error as a table of one row (decisions 3.12): status, status code under the interface's name, and message.
 */
export function buildErrorTable(apiInterface: ApiInterface, envelope: EnvelopeDocument): Table {
  return {
    name: 'error',
    columns: ['status', apiInterface.statusCodeProperty, 'message'],
    rows: [envelope],
    metadata: new Map(),
  };
}

/** Lists the sources that are neither fresh nor excluded, for the envelope (decisions 6.4). */
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
