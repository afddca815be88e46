import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SerializedRecords } from '../../src/cache/serialized-record-cache.js';
import type { DocumentNode } from '../../src/model/document-node.js';
import type { StoredRecord } from '../../src/model/record.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { renderJson, renderJsonText } from '../../src/render/json.js';
import { ProjectedRecords } from '../../src/projection/projected-records.js';
import { anyUtf16 } from '../support/generators/any-text.js';
import { packRecords } from '../support/unit/pack-records.js';

/** Prefix of every name in the oracle's objects: JavaScript reorders names that are numbers, and `__proto__` has a meaning. */
const MARK = 'name:c0ffee:';

/** Converts a document to plain objects with prefixed names, for JSON.stringify. */
function plain(node: DocumentNode): unknown {
  if (typeof node !== 'object') return node;
  if (!(node instanceof Map)) return Array.from(node as Iterable<DocumentNode>, plain);
  return Object.fromEntries(
    [...(node as ReadonlyMap<string, DocumentNode>)].map(([name, value]) => [MARK + name, plain(value)]),
  );
}

function expected(node: DocumentNode, pretty: boolean): string {
  return JSON.stringify(plain(node), null, pretty ? 4 : undefined).replaceAll(`"${MARK}`, '"');
}

function written(node: DocumentNode, pretty: boolean): string {
  return [...renderJsonText(node, pretty)].join('');
}

const text = fc.oneof(anyUtf16, fc.constantFrom('\u2028', '/', '"', '\\', '\ud800'));
const name = fc.oneof(text, fc.constantFrom('__proto__', 'constructor', '10', '9', '-1', '', 'toJSON', 'length'));

const { document } = fc.letrec<{ document: DocumentNode; map: DocumentNode; list: DocumentNode; scalar: DocumentNode }>(
  (tie) => ({
    document: fc.oneof({ maxDepth: 4 }, tie('scalar'), tie('list'), tie('map')),
    map: fc
      .uniqueArray(fc.tuple(name, tie('document')), { selector: ([key]) => key, maxLength: 5 })
      .map((entries) => new Map(entries)),
    list: fc.array(tie('document'), { maxLength: 5 }),
    scalar: fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), fc.boolean()),
  }),
);

/** Replaces every list of a document by a generator, which can be read only once. */
function lazy(node: DocumentNode): DocumentNode {
  if (typeof node !== 'object') return node;
  if (node instanceof Map) {
    return new Map([...(node as ReadonlyMap<string, DocumentNode>)].map(([key, value]) => [key, lazy(value)]));
  }
  return (function* items(): Generator<DocumentNode> {
    for (const item of node as Iterable<DocumentNode>) yield lazy(item);
  })();
}

describe('renderJsonText', () => {
  test.each([true, false])('writes the same text as JSON.stringify (pretty: %s)', (pretty) => {
    fc.assert(
      fc.property(document, (node) => {
        expect(written(node, pretty)).toBe(expected(node, pretty));
        expect(written(lazy(node), pretty)).toBe(expected(node, pretty));
      }),
      { numRuns: 500 },
    );
  });

  test('writes pretty JSON with four spaces, LF, a space after the colon and no final newline', () => {
    const node = new Map<string, DocumentNode>([
      ['total', 1],
      ['data', [new Map([['website', ['https://a.example.org/']]])]],
    ]);
    expect(written(node, true)).toBe(
      '{\n    "total": 1,\n    "data": [\n        {\n            "website": [\n                "https://a.example.org/"\n            ]\n        }\n    ]\n}',
    );
    expect(written(node, false)).toBe('{"total":1,"data":[{"website":["https://a.example.org/"]}]}');
  });

  test('keeps the order of names, also of names that look like numbers', () => {
    const node = new Map([
      ['b', 1],
      ['10', 2],
      ['9', 3],
      ['__proto__', 4],
    ]);
    expect(written(node, false)).toBe('{"b":1,"10":2,"9":3,"__proto__":4}');
  });

  test.each<[string, DocumentNode]>([
    ['{}', new Map()],
    ['[]', []],
    ['[]', new Set<DocumentNode>()],
    ['""', ''],
  ])('writes %s for an empty value, pretty or compact', (json, node) => {
    expect(written(node, true)).toBe(json);
    expect(written(node, false)).toBe(json);
  });

  test('escapes neither slashes nor non-ASCII characters', () => {
    expect(written('a/b é 東京 \u{1f600} \u2028', false)).toBe('"a/b é 東京 \u{1f600} \u2028"');
  });

  test('escapes lone surrogates, which UTF-8 cannot represent', () => {
    expect(written('\ud800 \udc00', false)).toBe('"\\ud800 \\udc00"');
  });

  test.each([
    ['a bare list', (data: Iterable<DocumentNode>): DocumentNode => data],
    [
      'the list of an envelope',
      (data: Iterable<DocumentNode>): DocumentNode =>
        new Map<string, DocumentNode>([
          ['total', 3],
          ['data', data],
        ]),
    ],
  ])('reads %s lazily, with at most one item in each piece', (_, around) => {
    let read = 0;
    function* records(): Generator<DocumentNode> {
      for (const email of ['a', 'b', 'c']) {
        read += 1;
        yield new Map([['email', email]]);
      }
    }
    for (const piece of renderJsonText(around(records()), true)) {
      const emails = piece.match(/"email"/g)?.length ?? 0;
      expect(emails).toBeLessThanOrEqual(1);
      if (emails === 1) expect(piece).toContain(`"${'abc'.charAt(read - 1)}"`);
    }
    expect(read).toBe(3);
  });
});

describe('renderJson', () => {
  /** Records with these values. Increments `count.projected` each time that a record is projected. */
  function projectedRecords(count: { projected: number }, values: readonly string[]): () => ProjectedRecords {
    const records = packRecords(
      directoryTeams,
      values.map((value) => ({ id: value, values: [value] })),
    );
    const serialized = new Map<string, SerializedRecords>();
    const textsOf = (form: string): SerializedRecords => {
      const texts = serialized.get(form) ?? new SerializedRecords('teams');
      serialized.set(form, texts);
      return texts;
    };
    const project = ({ values: [value = ''] }: StoredRecord): ReadonlyMap<string, DocumentNode> => {
      count.projected += 1;
      return new Map<string, DocumentNode>([
        ['text', value],
        ['list', [value, 1]],
      ]);
    };
    return () => new ProjectedRecords(records, project, textsOf);
  }

  function bytesOf(document: DocumentNode, pretty: boolean): string {
    const chunks = [...renderJson(document, pretty)].map((chunk) => Buffer.from(chunk));
    return Buffer.concat(chunks).toString();
  }

  const wrappers: readonly ((list: DocumentNode) => DocumentNode)[] = [
    (list) => list,
    (list) =>
      new Map<string, DocumentNode>([
        ['total', 3],
        ['data', list],
        ['more', 'é'],
      ]),
  ];

  test('writes the same text as renderJsonText at any depth, pretty or compact, the first time and again', () => {
    const values = fc.array(anyUtf16, { maxLength: 5 });
    const renderings = fc.array(fc.tuple(fc.boolean(), fc.constantFrom(...wrappers)), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(values, renderings, (texts, requested) => {
        const list = projectedRecords({ projected: 0 }, texts);
        for (const [pretty, wrap] of requested)
          expect(bytesOf(wrap(list()), pretty)).toBe(written(wrap([...list()]), pretty));
      }),
    );
  });

  test('writes lists of any length with one comma between two items', () => {
    for (const length of [0, 1, 99, 100, 101, 250]) {
      const list = projectedRecords(
        { projected: 0 },
        Array.from({ length }, (_, at) => `${at}`),
      );
      for (const pretty of [true, false]) expect(bytesOf(list(), pretty)).toBe(written([...list()], pretty));
    }
  });

  test('projects each record once for each depth of pretty JSON, and once for compact JSON', () => {
    const count = { projected: 0 };
    const list = projectedRecords(count, ['a', 'b', 'c']);
    const projected = wrappers.flatMap((wrap) =>
      [true, true, false, false].map((pretty) => {
        bytesOf(wrap(list()), pretty);
        return count.projected;
      }),
    );
    expect(projected).toEqual([3, 3, 6, 6, 9, 9, 9, 9]);
  });
});
