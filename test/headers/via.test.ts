import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  mergeViaHops,
  markHopsBehindSource,
  parseViaHops,
  parseViaNames,
  serializeVia,
} from '../../src/headers/via.js';

describe('readVia', () => {
  test.each([
    ['1.1 rollcall-example', ['rollcall-example']],
    ['1.0 fred, 1.1 p.example.net', ['fred', 'p.example.net']],
    ['HTTP/1.1 proxy.example.org:8080', ['proxy.example.org:8080']],
    ['1.1 a (Apache/1.1), 1.1 b(squid)', ['a', 'b']],
    ['1.1 a (one, 1.1 two), 1.1 b', ['a', 'b']],
    [' 1.1\ta ,,  2   b  c ', ['a', 'b']],
    ['1.1', []],
    ['', []],
    [undefined, []],
  ])('reads the names of "%s"', (field, names) => {
    expect(parseViaNames(field)).toEqual(names);
  });

  test('reads names behind any number of open brackets, which are no name', () => {
    expect(parseViaNames(`1.1 ${'('.repeat(30_000)}, 1.1 b`)).toEqual(['b']);
  });

  test('reads no name that would be unsafe or too long to repeat, and no more than 600', () => {
    expect(parseViaNames(`1.1 <script>, 1.1 a"b, 1.1 ${'a'.repeat(65)}, 1.1 ${'a'.repeat(64)}`)).toEqual([
      'a'.repeat(64),
    ]);
    expect(parseViaNames(Array.from({ length: 1000 }, (_, at) => `1.1 hop-${at}`).join(', '))).toHaveLength(600);
  });

  test('reads back what was written', () => {
    const names = fc.array(fc.stringMatching(/^[\w!#$%&'*+.^`|~-]+$/));
    fc.assert(
      fc.property(names, (written) => {
        expect(parseViaNames(serializeVia(written))).toEqual(written);
      }),
    );
  });
});

describe('writeVia', () => {
  test('writes the names in their order, as gateways of HTTP/1.1', () => {
    expect(serializeVia(new Set(['below', 'rollcall-example']))).toBe('1.1 below, 1.1 rollcall-example');
  });

  test('writes no more than 4 KiB, of which a reader reads every name: the last ones', () => {
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

describe('readHops', () => {
  test.each([
    ['1.1 a (behind b), 1.1 b', ['a (behind b)', 'b']],
    ['1.1 a (behind b c) (squid), 1.1 b(behind c)', ['a (behind b c)', 'b (behind c)']],
    ['1.1 a (squid), 1.1 b (behind), 1.1 c (behind <b>), 1.1 d (behindb)', ['a', 'b', 'c', 'd']],
  ])('reads behind whom a gateway is: "%s"', (field, hops) => {
    expect(parseViaHops(field)).toEqual(hops);
    expect(parseViaHops(serializeVia(hops))).toEqual(hops);
  });
});

describe('joinHops', () => {
  test.each([
    [
      ['d', 'b', 'd', 'c'],
      ['d', 'b', 'c', 'a'],
    ],
    [
      ['d (behind b)', 'b', 'd', 'c'],
      ['d', 'b', 'c', 'a'],
    ],
    [
      ['d (behind b)', 'b', 'd (behind c e)'],
      ['d (behind b)', 'b', 'a'],
    ],
    [
      ['a (behind b)', 'b'],
      ['b', 'a'],
    ],
  ])('names each gateway of %j once, by the shortest way, and the answering one last', (below, told) => {
    expect(mergeViaHops(below, 'a')).toEqual(told);
  });
});

describe('leftOut', () => {
  test.each([
    [['a'], []],
    [['a', 'b'], ['b']],
    [
      ['c', 'a', 'b'],
      ['c (behind b)', 'b'],
    ],
    [
      ['a (behind d)', 'd (behind c)', 'c', 'b'],
      ['d (behind c b)', 'c (behind b)', 'b'],
    ],
    [['d (behind a)', 'e (behind d a)', 'a (behind b)', 'b'], ['b']],
    [[], []],
  ])('tells of %j what is not known by way of the gateway itself', (hops, told) => {
    expect(markHopsBehindSource(hops, 'a')).toEqual(told);
  });
});

/** Gateways that hear each other's answers, in any order: what each knows of each of its sources. */
class Net {
  readonly heard = new Map<string, Map<string, readonly string[]>>();

  constructor(readonly gateways: readonly string[]) {
    for (const gateway of gateways) this.heard.set(gateway, new Map());
  }

  sources(gateway: string): Map<string, readonly string[]> {
    return this.heard.get(gateway) ?? new Map<string, readonly string[]>();
  }

  leavesOut(gateway: string, source: string): boolean {
    return parseViaNames(this.field(source)).includes(gateway);
  }

  /** The Via field of a gateway's answer. */
  field(gateway: string): string {
    const below = [...this.sources(gateway).values()].flatMap((hops) =>
      parseViaNames(serializeVia(hops)).includes(gateway) ? markHopsBehindSource(hops, gateway) : hops,
    );
    return serializeVia(mergeViaHops(below, gateway));
  }

  hear(gateway: string, source: string): void {
    this.sources(gateway).set(source, parseViaHops(this.field(source)));
  }

  /** Whether answers of `from` rest on those of `to`, by whatever way. */
  leads(from: string, to: string, seen = new Set<string>()): boolean {
    if (seen.has(from)) return false;
    seen.add(from);
    return [...this.sources(from).keys()].some((next) => next === to || this.leads(next, to, seen));
  }
}

describe('gateways that tell each other of those behind them', () => {
  const GATEWAYS = ['a', 'b', 'c', 'd', 'e'];
  const link = fc.tuple(fc.constantFrom(...GATEWAYS), fc.constantFrom(...GATEWAYS));
  const chance = fc.infiniteStream(fc.nat());

  /** Everybody hears each of its sources, in an order of chance, as often as there are gateways. */
  const talk = (net: Net, order: Iterator<number>): void => {
    for (let round = 0; round < 2 * GATEWAYS.length; round += 1) {
      const links = net.gateways.flatMap((from) => [...net.sources(from).keys()].map((to) => [from, to] as const));
      const shuffled = links.map((one) => [Number(order.next().value), one] as const).sort(([x], [y]) => x - y);
      for (const [, [from, to]] of shuffled) net.hear(from, to);
    }
  };

  const expectTruth = (net: Net): void => {
    for (const from of GATEWAYS)
      for (const to of net.sources(from).keys())
        expect([from, to, net.leavesOut(from, to)]).toEqual([from, to, to === from || net.leads(to, from)]);
  };

  test('leave out whoever leads back, and nobody else, also after some have gone', () => {
    fc.assert(
      fc.property(fc.array(link, { maxLength: 12 }), fc.array(link, { maxLength: 6 }), chance, (links, gone, order) => {
        const net = new Net(GATEWAYS);
        for (const [from, to] of links) net.sources(from).set(to, []);
        talk(net, order);
        expectTruth(net);
        for (const [from, to] of [...gone, ...links.slice(0, 2)]) net.sources(from).delete(to);
        talk(net, order);
        expectTruth(net);
      }),
      { numRuns: 300 },
    );
  });
});
