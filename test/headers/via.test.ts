import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { listNamesAfter, mergeViaNames, parseViaNames, serializeVia } from '../../src/headers/via.js';

/** Via (decisions 5.22, 5.23). */
describe('parseViaNames', () => {
  test.each([
    ['1.1 rollcall-example', ['rollcall-example']],
    ['1.0 fred, 1.1 p.example.net', ['fred', 'p.example.net']],
    ['HTTP/1.1 proxy.example.org:8080', ['proxy.example.org:8080']],
    ['1.1 a (Apache/1.1), 1.1 b(squid)', ['a', 'b']],
    ['1.1 a (one, 1.1 two), 1.1 b', ['a', 'b']],
    ['1.1 c (behind b), 1.1 b', ['c', 'b']],
    [' 1.1\ta ,,  2   b  c ', ['a', 'b']],
    ['1.1', []],
    ['', []],
    [undefined, []],
  ])('reads the names of "%s"', (field, names) => {
    expect(parseViaNames(field)).toEqual(names);
  });

  test('skips a name of many opening parentheses', () => {
    expect(parseViaNames(`1.1 ${'('.repeat(30_000)}, 1.1 b`)).toEqual(['b']);
  });

  test('skips names that are unsafe or too long, and reads at most 600', () => {
    expect(parseViaNames(`1.1 <script>, 1.1 a"b, 1.1 ${'a'.repeat(65)}, 1.1 ${'a'.repeat(64)}`)).toEqual([
      'a'.repeat(64),
    ]);
    expect(parseViaNames(Array.from({ length: 1000 }, (_, at) => `1.1 hop-${at}`).join(', '))).toHaveLength(600);
  });

  test('restores the names that were written', () => {
    const names = fc.array(fc.stringMatching(/^[\w!#$%&'*+.^`|~-]+$/));
    fc.assert(
      fc.property(names, (written) => {
        expect(parseViaNames(serializeVia(written))).toEqual(written);
      }),
    );
  });
});

describe('serializeVia', () => {
  test('writes the names in order, with protocol 1.1', () => {
    expect(serializeVia(new Set(['below', 'rollcall-example']))).toBe('1.1 below, 1.1 rollcall-example');
  });

  test('writes the last names within 4 KiB, all of which are read', () => {
    const names = Array.from({ length: 5_000 }, (_, at) => `n${at}`);
    for (const all of [names, names.map(() => 'x'), [...names.map(() => 'y'.repeat(64)), 'own']]) {
      const field = serializeVia(all);
      expect(field.length).toBeLessThanOrEqual(4_096);
      expect(field.length).toBeGreaterThan(4_096 - 80);
      const read = parseViaNames(field);
      expect(read).toEqual(all.slice(-read.length));
      expect(field.split(',')).toHaveLength(read.length);
    }
  });
});

describe('mergeViaNames', () => {
  test.each([
    [
      ['d', 'b', 'd', 'c'],
      ['d', 'b', 'c', 'a'],
    ],
    [
      ['a', 'b'],
      ['b', 'a'],
    ],
  ])('names each gateway of %j once, and this gateway last', (below, merged) => {
    expect(mergeViaNames(below, 'a')).toEqual(merged);
  });
});

describe('listNamesAfter', () => {
  test.each([
    [['a'], []],
    [['a', 'b'], ['b']],
    [['c', 'a', 'b'], ['b']],
    [
      ['a', 'd', 'c', 'b'],
      ['d', 'c', 'b'],
    ],
    [[], []],
  ])('omits from %j the names that the source has from this gateway', (names, rest) => {
    expect(listNamesAfter('a', names)).toEqual(rest);
  });
});

/** Gateways that are each other's sources: the names that each gateway has received from each of its sources. */
class SimulatedFederation {
  readonly receivedNames = new Map<string, Map<string, readonly string[]>>();

  constructor(readonly gateways: readonly string[]) {
    for (const gateway of gateways) this.receivedNames.set(gateway, new Map());
  }

  sources(gateway: string): Map<string, readonly string[]> {
    return this.receivedNames.get(gateway) ?? new Map<string, readonly string[]>();
  }

  excludes(gateway: string, source: string): boolean {
    return parseViaNames(this.field(source)).includes(gateway);
  }

  /** The Via field of a gateway's response. */
  field(gateway: string): string {
    const below = [...this.sources(gateway).values()].flatMap((names) =>
      names.includes(gateway) ? listNamesAfter(gateway, names) : names,
    );
    return serializeVia(mergeViaNames(below, gateway));
  }

  fetchFrom(gateway: string, source: string): void {
    this.sources(gateway).set(source, parseViaNames(this.field(source)));
  }

  /** Whether `from` reaches `to` through the sources that `isFollowed` returns true for, directly or indirectly. */
  reaches(
    from: string,
    to: string,
    isFollowed: (gateway: string, source: string) => boolean = () => true,
    visited = new Set<string>(),
  ): boolean {
    if (visited.has(from)) return false;
    visited.add(from);
    return [...this.sources(from).keys()]
      .filter((next) => isFollowed(from, next))
      .some((next) => next === to || this.reaches(next, to, isFollowed, visited));
  }
}

describe('gateways that report the gateways behind them in Via', () => {
  const GATEWAYS = ['a', 'b', 'c', 'd', 'e'];
  const link = fc.tuple(fc.constantFrom(...GATEWAYS), fc.constantFrom(...GATEWAYS));
  const randomNumbers = fc.infiniteStream(fc.nat());

  /** Every gateway fetches from each of its sources, in random order, twice as often as there are gateways. */
  const fetchAll = (federation: SimulatedFederation, order: Iterator<number>): void => {
    for (let round = 0; round < 2 * GATEWAYS.length; round += 1) {
      const links = federation.gateways.flatMap((from) =>
        [...federation.sources(from).keys()].map((to) => [from, to] as const),
      );
      const shuffled = links.map((pair) => [Number(order.next().value), pair] as const).sort(([x], [y]) => x - y);
      for (const [, [from, to]] of shuffled) federation.fetchFrom(from, to);
    }
  };

  /** A source is excluded only if it leads back, and no records go round through those that are not excluded. */
  const expectLoopsExcluded = (federation: SimulatedFederation): void => {
    const isUsed = (from: string, to: string): boolean => !federation.excludes(from, to);
    for (const from of GATEWAYS) {
      expect([from, federation.reaches(from, from, isUsed)]).toEqual([from, false]);
      const excluded = [...federation.sources(from).keys()].filter((to) => !isUsed(from, to));
      expect(excluded.filter((to) => to !== from && !federation.reaches(to, from))).toEqual([]);
    }
  };

  test('break every ring, and exclude only sources that lead back to them, also after links are removed', () => {
    fc.assert(
      fc.property(
        fc.array(link, { maxLength: 12 }),
        fc.array(link, { maxLength: 6 }),
        randomNumbers,
        (links, removed, order) => {
          const federation = new SimulatedFederation(GATEWAYS);
          for (const [from, to] of links) federation.sources(from).set(to, []);
          fetchAll(federation, order);
          expectLoopsExcluded(federation);
          for (const [from, to] of [...removed, ...links.slice(0, 2)]) federation.sources(from).delete(to);
          fetchAll(federation, order);
          expectLoopsExcluded(federation);
        },
      ),
      { numRuns: 300 },
    );
  });
});
