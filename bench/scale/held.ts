import { median } from '../measure.js';
import type { Figure } from '../measure.js';
import { directory } from '../subjects/directory.js';
import { complete, times } from './asking.js';
import type { Expected } from './asking.js';
import { configOf, withFleet } from './fleet.js';
import { withOutpost } from './outpost.js';
import type { Outpost } from './outpost.js';

const FLEET = { subject: 'directory', sources: 100, records: 1_000 } as const;

const RECORDS = FLEET.sources * FLEET.records;

/** Queries of each kind that a figure is the mean of, after as many to warm up. No two are the same: of none a merged set is held. */
const QUERIES = 120;

const WORDS =
  'bank university government telecom energy hospital harbour national military research network cloud finance police insurance transport';

const COUNTRIES = 'BR PT DE JP US FR NO PL GB ES IT CH AT SE FI NL'.split(' ');

/** Every three countries, which are more than there are queries of a kind. */
const THREES = COUNTRIES.flatMap((one, first) =>
  COUNTRIES.slice(first + 1).flatMap((two, second) =>
    COUNTRIES.slice(first + second + 2).map((three) => [one, two, three].join()),
  ),
);

/** A step by which all of them are gone through, neighbours far from each other. */
const STRIDE = 211;

/** First pages of queries that have to be computed, by how often the kind was asked before. */
const WARM: readonly { readonly name: string; readonly query: (nth: number) => string }[] = [
  { name: 'q', query: (nth) => `q=${one(WORDS.split(' '), nth)}+${nth}` },
  { name: 'country', query: (nth) => `country=${one(THREES, nth * STRIDE)}` },
  { name: 'host, in another order', query: (nth) => `host=host-${nth}&sort=-establishment` },
];

/** One of some words, each as often as any other. */
function one(words: readonly string[], nth: number): string {
  return words[nth % words.length] ?? '';
}

/** Pages of which one figure is the mean. */
const PAGES = 20;

/** Records of a page. */
const PAGE = 100;

/** Where the far pages begin. */
const FAR = 90_000;

const ROUNDS = 5;

/** What is asked of 100,000 held records of a hundred sources. */
export function held(): Promise<Figure[]> {
  return withFleet(FLEET, ({ ports }) =>
    withOutpost(async (outpost) => {
      const address = await outpost.open(directory, configOf(directory, ports));
      await outpost.warm();
      await complete(`${address}?limit=0`, { sources: FLEET.sources, total: RECORDS });
      return [...(await firstPages(outpost, address)), ...(await depths(outpost, address))];
    }),
  );
}

/**
 * The kinds take turns: a full collection, of which there is one in some two hundred queries, costs as much as forty of them, is done beside several, and
 * no kind alone brings it about.
 */
async function firstPages(outpost: Outpost, address: string): Promise<Figure[]> {
  const spent = WARM.map(() => 0);
  await times(2 * QUERIES, async (nth) => {
    for (const [at, { query }] of WARM.entries()) {
      const cpu = await outpost.cpuOf(() => complete(`${address}?${query(nth)}`, { sources: FLEET.sources }));
      if (nth >= QUERIES) spent[at] = (spent[at] ?? 0) + cpu;
    }
  });
  return WARM.map(({ name }, at) => ({
    name: `first page of 100,000 held records of 100 sources, by ${name}, CPU`,
    value: (spent[at] ?? 0) / QUERIES,
    unit: 'ms',
    bound: 15,
  }));
}

/** Orders that are paged through: that of the resource, and one that nobody asked for before. */
const ORDERS = [
  { name: 'by default', query: '' },
  { name: 'by host', query: 'sort=host&' },
] as const;

async function depths(outpost: Outpost, address: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const { name, query } of ORDERS) {
    const value = await depth(outpost, `${address}?${query}limit=${PAGE}&offset=`);
    figures.push({
      name: `page at offset 90,000 of 100,000 held records, ${name}, to one at offset 0, CPU`,
      value,
      unit: '×',
      bound: 1.5,
    });
  }
  return figures;
}

/** Each page is asked for once, for what was asked before is held ready. The first one far away puts all in order, and is not counted. */
async function depth(outpost: Outpost, upTo: string): Promise<number> {
  const expected: Expected = { sources: FLEET.sources, total: RECORDS };
  await complete(`${upTo}${FAR - PAGE}`, expected);
  const near: number[] = [];
  const far: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const pagesFrom = (start: number): Promise<number> =>
      outpost.cpuOf(() =>
        times(PAGES, (done) => complete(`${upTo}${start + (round * PAGES + done) * PAGE}`, expected)),
      );
    near.push(await pagesFrom(0));
    far.push(await pagesFrom(FAR));
  }
  return median(far) / median(near);
}
