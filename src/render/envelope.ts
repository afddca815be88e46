import type { DocumentNode } from '../model/document.js';
import { errorCatalogue } from '../model/error-catalogue.js';
import type { Problem } from '../model/error-catalogue.js';
import type { ApiInterface } from '../model/api-interface.js';
import type { Resource } from '../model/resource.js';
import { reportFailureDetail } from '../model/outcome.js';
import type { SourceOutcome } from '../model/outcome.js';
import { formatImfFixdate } from '../text/date.js';
import type { Table } from './render-input.js';

type EnvelopeDocument = ReadonlyMap<string, DocumentNode>;

/** What an envelope tells beside its data, as far as its resource has it. */
export interface EnvelopeFacts {
  readonly total: number;
  /** Milliseconds since 1970; the property is absent where no date is known. */
  readonly newest?: number;
  readonly limit: number;
  readonly offset: number;
  /** Sources that did not give all; empty for a complete answer, which has exactly the specified properties. */
  readonly sources: readonly EnvelopeDocument[];
}

/** The envelope of an answer (interfaces.md, section 4), its properties in the order of its resource; `sources` last before data. */
export function buildEnvelope(
  face: ApiInterface,
  resource: Resource,
  facts: EnvelopeFacts,
  data: DocumentNode,
): EnvelopeDocument {
  const { total, newest, limit, offset, sources } = facts;
  const lastModified = newest === undefined ? undefined : formatImfFixdate(newest);
  const known = { total, 'last-modified': lastModified, limit, offset, access: 'public' };
  return new Map<string, DocumentNode>([
    ['status', 'OK'],
    [face.statusCodeProperty, 200],
    ['version', face.version],
    ...resource.envelopeProperties.flatMap((name) => optionalEntry(name, known[name])),
    ...optionalEntry('sources', sources.length === 0 ? undefined : sources),
    ['data', data],
  ]);
}

/** The envelope of an error (decisions.md, section 6): no data; `errors` for parameters, `sources` where sources are the cause. */
export function buildErrorEnvelope(
  face: ApiInterface,
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
    [face.statusCodeProperty, status],
    ['version', face.version],
    ['message', problem.message],
    ...optionalEntry('errors', errors),
    ...optionalEntry('sources', sources.length === 0 ? undefined : sources),
  ]);
}

/** Whether the document is an envelope, of a list, an item or an error: both interfaces' begin with the status and its code. */
export function isEnvelope(document: EnvelopeDocument): boolean {
  const [first, second] = document;
  return first?.[0] === 'status' && (second?.[0] === 'status_code' || second?.[0] === 'status-code');
}

/** An error as a table of one row (decisions.md, section 3): status, the interface's name of its code, and message. */
export function buildErrorTable(face: ApiInterface, envelope: EnvelopeDocument): Table {
  return {
    name: 'error',
    columns: ['status', face.statusCodeProperty, 'message'],
    rows: [envelope],
    metadata: new Map(),
  };
}

/** The sources that gave less than all: neither fresh nor excluded (decisions.md, section 6). */
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
