import type { Node } from '../model/document.js';
import { errorCatalogue } from '../model/error.js';
import type { Problem } from '../model/error.js';
import type { Interface } from '../model/interface.js';
import type { Resource } from '../model/resource.js';
import { shownDetail } from '../model/outcome.js';
import type { SourceOutcome } from '../model/outcome.js';
import { imfFixdate } from '../text/date.js';
import type { Table } from './rendering.js';

type Document = ReadonlyMap<string, Node>;

/** What an envelope tells beside its data, as far as its resource has it. */
export interface EnvelopeFacts {
  readonly total: number;
  /** Milliseconds since 1970; the property is absent where no date is known. */
  readonly newest?: number;
  readonly limit: number;
  readonly offset: number;
  /** Sources that did not give all; empty for a complete answer, which has exactly the specified properties. */
  readonly sources: readonly Document[];
}

/** The envelope of an answer (interfaces.md, section 4), its properties in the order of its resource; `sources` last before data. */
export function envelope(face: Interface, resource: Resource, facts: EnvelopeFacts, data: Node): Document {
  const { total, newest, limit, offset, sources } = facts;
  const lastModified = newest === undefined ? undefined : imfFixdate(newest);
  const known = { total, 'last-modified': lastModified, limit, offset, access: 'public' };
  return new Map<string, Node>([
    ['status', 'OK'],
    [face.statusCode, 200],
    ['version', face.version],
    ...resource.envelope.flatMap((name) => entryIf(name, known[name])),
    ...entryIf('sources', sources.length === 0 ? undefined : sources),
    ['data', data],
  ]);
}

/** The envelope of an error (decisions.md, section 6): no data; `errors` for parameters, `sources` where sources are the cause. */
export function errorEnvelope(face: Interface, problem: Problem, sources: readonly Document[] = []): Document {
  const { status, phrase } = errorCatalogue[problem.kind];
  const errors = problem.errors?.map(
    ({ parameter, message }) =>
      new Map([
        ['parameter', parameter],
        ['message', message],
      ]),
  );
  return new Map<string, Node>([
    ['status', phrase],
    [face.statusCode, status],
    ['version', face.version],
    ['message', problem.message],
    ...entryIf('errors', errors),
    ...entryIf('sources', sources.length === 0 ? undefined : sources),
  ]);
}

/** Whether the document is an envelope, of a list, an item or an error: both interfaces' begin with the status and its code. */
export function isEnvelope(document: Document): boolean {
  const [first, second] = document;
  return first?.[0] === 'status' && (second?.[0] === 'status_code' || second?.[0] === 'status-code');
}

/** An error as a table of one row (decisions.md, section 3): status, the interface's name of its code, and message. */
export function errorTable(face: Interface, envelope: Document): Table {
  return { name: 'error', columns: ['status', face.statusCode, 'message'], rows: [envelope], about: new Map() };
}

/** The sources that gave less than all: neither fresh nor excluded (decisions.md, section 6). */
export function lackingSources(outcomes: readonly SourceOutcome<unknown>[]): readonly Document[] {
  return outcomes.flatMap(({ sourceName, outcome }) => {
    if (outcome.state === 'fresh' || outcome.state === 'excluded') return [];
    const total = 'total' in outcome ? outcome.total : undefined;
    const facts: [string, Node][] = [
      ['source-name', sourceName],
      ['state', outcome.state],
      ['reason', outcome.reason],
      ...Object.entries(shownDetail(outcome)),
      ...entryIf('total', total),
    ];
    return [new Map(facts)];
  });
}

function entryIf(name: string, value: Node | undefined): [string, Node][] {
  return value === undefined ? [] : [[name, value]];
}
