import { describe, expect, test } from 'vitest';
import type { DocumentNode } from '../../src/model/document-node.js';
import { errorCatalogue } from '../../src/model/error-catalogue.js';
import { directoryInterface } from '../../src/model/api-interface.js';
import type { Outcome, SourceOutcome } from '../../src/model/outcome.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { buildEnvelope, buildErrorEnvelope, listIncompleteSources } from '../../src/render/envelope.js';

const facts = {
  access: 'public',
  total: 7,
  newest: Date.UTC(2015, 4, 13, 1, 56, 15),
  limit: 5,
  offset: 2,
  sources: [],
} as const;

function outcome(code: string, of: Outcome<string>): SourceOutcome<string> {
  return { code, sourceName: `The ${code}`, outcome: of, milliseconds: 12 };
}

function entries(documents: readonly ReadonlyMap<string, DocumentNode>[]): unknown[] {
  return documents.map((document) => [...document]);
}

describe('envelope', () => {
  test('has exactly the specified properties in the specified order', () => {
    const data: DocumentNode[] = [new Map([['email', 'a@example.org']])];
    expect([...buildEnvelope(directoryInterface, directoryTeams, facts, data)]).toEqual([
      ['status', 'OK'],
      ['status_code', 200],
      ['version', '1.0'],
      ['total', 7],
      ['last-modified', 'Wed, 13 May 2015 01:56:15 GMT'],
      ['limit', 5],
      ['offset', 2],
      ['data', data],
    ]);
  });

  test('has no last-modified without a known date', () => {
    const { newest, ...undated } = facts;
    expect(newest).toBeDefined();
    expect([...buildEnvelope(directoryInterface, directoryTeams, undated, []).keys()]).toEqual([
      'status',
      'status_code',
      'version',
      'total',
      'limit',
      'offset',
      'data',
    ]);
  });

  test('has the incomplete sources last before the data', () => {
    const sources = [new Map([['source-name', 'TI']])];
    const document = buildEnvelope(directoryInterface, directoryTeams, { ...facts, sources }, []);
    expect([...document.keys()].slice(-3)).toEqual(['offset', 'sources', 'data']);
    expect(document.get('sources')).toBe(sources);
  });

  test('does not read the data', () => {
    let read = false;
    const data = (function* records(): Generator<DocumentNode> {
      read = true;
      yield 'a';
    })();
    expect(buildEnvelope(directoryInterface, directoryTeams, facts, data).get('data')).toBe(data);
    expect(read).toBe(false);
  });
});

describe('buildErrorEnvelope', () => {
  test('includes the status and no data', () => {
    const problem = { kind: 'not-found', message: 'no resource at this path' } as const;
    expect([...buildErrorEnvelope(directoryInterface, problem)]).toEqual([
      ['status', 'Not Found'],
      ['status_code', 404],
      ['version', '1.0'],
      ['message', 'no resource at this path'],
    ]);
  });

  test('includes each parameter error with its parameter', () => {
    const errors = [{ parameter: 'limit', message: 'must be a whole number of at least 0' }];
    const envelope = buildErrorEnvelope(directoryInterface, { kind: 'bad-request', message: 'no', errors });
    expect([...envelope.keys()]).toEqual(['status', 'status_code', 'version', 'message', 'errors']);
    expect(envelope.get('errors')).toEqual([
      new Map([
        ['parameter', 'limit'],
        ['message', 'must be a whole number of at least 0'],
      ]),
    ]);
  });

  test('includes the sources that caused the error last, and no empty list of sources', () => {
    const sources = [new Map([['source-name', 'TI']])];
    const envelope = buildErrorEnvelope(directoryInterface, { kind: 'no-source', message: 'none' }, sources);
    expect([...envelope].at(-1)).toEqual(['sources', sources]);
    expect([
      ...buildErrorEnvelope(directoryInterface, { kind: 'no-source', message: 'none' }, []).keys(),
    ]).not.toContain('sources');
  });

  test.each(Object.entries(errorCatalogue))(
    'uses the reason phrase and the status code of HTTP for %s',
    (kind, { status, phrase }) => {
      const known = (Object.keys(errorCatalogue) as (keyof typeof errorCatalogue)[]).filter((name) => name === kind);
      for (const name of known) {
        const envelope = buildErrorEnvelope(directoryInterface, { kind: name, message: 'm' });
        expect([envelope.get('status'), envelope.get('status_code')]).toEqual([phrase, status]);
      }
      expect(known).toHaveLength(1);
    },
  );
});

describe('listIncompleteSources', () => {
  test('lists name, state, reason and known total of each source that is neither fresh nor excluded', () => {
    const outcomes = [
      outcome('a', { state: 'fresh', snapshot: 'all' }),
      outcome('b', { state: 'excluded', reason: 'source-name' }),
      outcome('c', { state: 'failed', reason: 'timeout' }),
      outcome('d', { state: 'partial', reason: 'too-large', total: 2_000_000 }),
      outcome('e', { state: 'inconsistent', reason: 'total', snapshot: 'some', total: 0 }),
      outcome('f', { state: 'partial', reason: 'offset', snapshot: 'some' }),
    ];
    expect(entries(listIncompleteSources(outcomes))).toEqual([
      [
        ['source-name', 'The c'],
        ['state', 'failed'],
        ['reason', 'timeout'],
      ],
      [
        ['source-name', 'The d'],
        ['state', 'partial'],
        ['reason', 'too-large'],
        ['total', 2_000_000],
      ],
      [
        ['source-name', 'The e'],
        ['state', 'inconsistent'],
        ['reason', 'total'],
        ['total', 0],
      ],
      [
        ['source-name', 'The f'],
        ['state', 'partial'],
        ['reason', 'offset'],
      ],
    ]);
  });

  test('includes the HTTP status of a failed source, and the property that most of its records lack', () => {
    const missing = { property: 'title', recordsWithout: 2, recordsReceived: 3 };
    const outcomes = [
      outcome('a', { state: 'failed', reason: 'status', detail: { status: 401 } }),
      outcome('b', { state: 'stale', reason: 'schema', snapshot: 'old', detail: { missing } }),
    ];
    expect(listIncompleteSources(outcomes).map((facts) => [...facts].slice(2))).toEqual([
      [
        ['reason', 'status'],
        ['status', 401],
      ],
      [
        ['reason', 'schema'],
        ['missing', 'title'],
      ],
    ]);
  });

  test('returns an empty list for a complete response', () => {
    expect(listIncompleteSources([outcome('a', { state: 'fresh', snapshot: 'all' })])).toEqual([]);
  });
});
