import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SerializedRecords } from '../../src/cache/serialized-record-cache.js';
import type { DocumentNode } from '../../src/model/document-node.js';
import type { StoredRecord } from '../../src/model/record.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { renderJson, renderJsonText } from '../../src/render/json.js';
import { ProjectedRecords } from '../../src/projection/projected-records.js';
import { anyUtf16 } from '../support/generators/any-text.js';
import { packRecords } from '../support/pack-records.js';

/** Before every name in the oracle's objects, so that JavaScript neither reorders names nor finds a meaning in them. */
const MARK = 'name:c0ffee:';

/** The same document as plain objects, which JSON.stringify writes. */
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

/** The same document with every list made lazy: it can be read once only. */
function lazy(node: DocumentNode): DocumentNode {
  if (typeof node !== 'object') return node;
  if (node instanceof Map) {
    return new Map([...(node as ReadonlyMap<string, DocumentNode>)].map(([key, value]) => [key, lazy(value)]));
  }
  return (function* items(): Generator<DocumentNode> {
    for (const item of node as Iterable<DocumentNode>) yield lazy(item);
  })();
}

describe('jsonPieces', () => {
  test.each([true, false])('writes, byte for byte, what JSON.stringify writes (pretty: %s)', (pretty) => {
    fc.assert(
      fc.property(document, (node) => {
        expect(written(node, pretty)).toBe(expected(node, pretty));
        expect(written(lazy(node), pretty)).toBe(expected(node, pretty));
      }),
      { numRuns: 500 },
    );
  });

  test('is pretty with four spaces, LF, a space behind the colon, and no newline at the end', () => {
    const node = new Map<string, DocumentNode>([
      ['total', 1],
      ['data', [new Map([['website', ['https://a.example.org/']]])]],
    ]);
    expect(written(node, true)).toBe(
      '{\n    "total": 1,\n    "data": [\n        {\n            "website": [\n                "https://a.example.org/"\n            ]\n        }\n    ]\n}',
    );
    expect(written(node, false)).toBe('{"total":1,"data":[{"website":["https://a.example.org/"]}]}');
  });

  test('writes names in their order, also those that look like numbers', () => {
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
  ])('writes %s for what is empty, pretty or not', (json, node) => {
    expect(written(node, true)).toBe(json);
    expect(written(node, false)).toBe(json);
  });

  test('does not escape a slash, nor what UTF-8 can write', () => {
    expect(written('a/b é 東京 \u{1f600} \u2028', false)).toBe('"a/b é 東京 \u{1f600} \u2028"');
  });

  test('escapes a lone surrogate, which UTF-8 cannot write', () => {
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
  ])('reads %s as it writes, one item a piece', (_, around) => {
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

describe('jsonChunks', () => {
  /** Records whose values are these, shown by a projector that counts. */
  function shownBy(count: { shown: number }, values: readonly string[]): () => ProjectedRecords {
    const said = values.map((value) => ({ id: value, values: [value] }));
    const records = packRecords(directoryTeams, said);
    const ways = new Map<string, SerializedRecords>();
    const textsOf = (way: string): SerializedRecords => {
      const texts = ways.get(way) ?? new SerializedRecords('teams');
      ways.set(way, texts);
      return texts;
    };
    const show = ({ values: [value = ''] }: StoredRecord): ReadonlyMap<string, DocumentNode> => {
      count.shown += 1;
      return new Map<string, DocumentNode>([
        ['text', value],
        ['list', [value, 1]],
      ]);
    };
    return () => new ProjectedRecords(records, show, textsOf);
  }

  function bytesOf(document: DocumentNode, pretty: boolean): string {
    const chunks = [...renderJson(document, pretty)].map((chunk) => Buffer.from(chunk));
    return Buffer.concat(chunks).toString();
  }

  const around: readonly ((list: DocumentNode) => DocumentNode)[] = [
    (list) => list,
    (list) =>
      new Map<string, DocumentNode>([
        ['total', 3],
        ['data', list],
        ['more', 'é'],
      ]),
  ];

  test('writes what jsonPieces writes, at whatever depth and however pretty, the first time and again', () => {
    const values = fc.array(anyUtf16, { maxLength: 5 });
    const ways = fc.array(fc.tuple(fc.boolean(), fc.constantFrom(...around)), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(values, ways, (texts, asked) => {
        const list = shownBy({ shown: 0 }, texts);
        for (const [pretty, put] of asked) expect(bytesOf(put(list()), pretty)).toBe(written(put([...list()]), pretty));
      }),
    );
  });

  test('writes lists of any length, with one comma between two items', () => {
    for (const length of [0, 1, 99, 100, 101, 250]) {
      const list = shownBy(
        { shown: 0 },
        Array.from({ length }, (_, at) => `${at}`),
      );
      for (const pretty of [true, false]) expect(bytesOf(list(), pretty)).toBe(written([...list()], pretty));
    }
  });

  test('shows each record once for each way of writing it', () => {
    const count = { shown: 0 };
    const list = shownBy(count, ['a', 'b', 'c']);
    const shown = around.flatMap((put) =>
      [true, true, false, false].map((pretty) => {
        bytesOf(put(list()), pretty);
        return count.shown;
      }),
    );
    // Compact JSON is the same at any depth.
    expect(shown).toEqual([3, 3, 6, 6, 9, 9, 9, 9]);
  });
});
