import fc from 'fast-check';
import { REGISTERED } from './fleet.js';
import { items } from './oracle.js';
import type { Ask } from './oracle.js';
import { TABLE } from './reading.js';
import type { Member, Team } from './reading.js';

/** A query that is yet to meet the fleet that it asks: filters are drawn from the values that there are. */
export interface Draft extends Omit<Ask, 'filters'> {
  readonly picks: readonly { readonly property: string; readonly at: number; readonly loud: boolean }[];
}

const FURTHER = [...REGISTERED, '-alfa-member-type', '-alfa-unheard-of'];
const FILTERS = [...TABLE.keys(), ...FURTHER];
const PROPERTIES = [...FILTERS, 'last-modified'];
const WORDS = [
  'cert',
  'CE',
  'é',
  'e',
  '日',
  'σοφ',
  'ss',
  '10',
  'org',
  'alfa',
  'ø',
  '\u{1F6E1}',
  'ı',
  'member',
  '+1',
  'cert ce',
  'x',
];

/** Queries of every kind. */
export const draft: fc.Arbitrary<Draft> = fc.record({
  picks: fc.oneof(
    fc.constant([]),
    fc.array(fc.record({ property: fc.constantFrom(...FILTERS), at: fc.nat({ max: 500 }), loud: fc.boolean() }), {
      maxLength: 2,
    }),
  ),
  q: rarely(fc.constantFrom(...WORDS)),
  team: rarely(fc.constantFrom(...WORDS)),
  country: rarely(fc.subarray(['BR', 'pt', 'UK', 'gr', 'AQ', 'Xk'], { minLength: 1 })),
  region: rarely(fc.constantFrom('Europe', 'southern EUROPE', '419', 'South America', 'Antarctica', 'asia', '003')),
  sort: fc.uniqueArray(fc.record({ property: fc.constantFrom(...PROPERTIES), descending: fc.boolean() }), {
    maxLength: 3,
    selector: ({ property }) => property,
  }),
  limit: rarely(fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constantFrom(0, 1000))),
  offset: rarely(fc.oneof(fc.nat({ max: 30 }), fc.nat({ max: 400 }))),
  fields: rarely(fc.subarray(PROPERTIES, { minLength: 1 })),
});

function rarely<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary });
}

/** The query, its filters with values that some record has; a filter without any is left out. */
export function askOf({ picks, ...rest }: Draft, all: readonly Team[], fleet: readonly Member[]): Ask {
  const filters = picks.flatMap(({ property, at, loud }): (readonly [string, string])[] => {
    const values = property === 'source-name' ? fleet.map(({ sourceName }) => sourceName) : valuesOf(all, property);
    const value = values[at % Math.max(1, values.length)];
    return value === undefined ? [] : [[property, loud ? value.toUpperCase() : value]];
  });
  return { ...rest, filters: [...new Map(filters)] };
}

function valuesOf(all: readonly Team[], property: string): string[] {
  return all.flatMap(({ shown }) => items(shown.get(property)).map(String));
}

/** The query as a client writes it. */
export function queryString(ask: Ask): string {
  const sort = ask.sort.map(({ property, descending }) => (descending ? `-${property}` : property)).join(',');
  const parameters: [string, string | undefined][] = [
    ...ask.filters.map(([name, value]): [string, string] => [name, value]),
    ['q', ask.q],
    ['team', ask.team],
    ['country', ask.country?.join(',')],
    ['region', ask.region],
    ['sort', sort],
    ['limit', ask.limit?.toString()],
    ['offset', ask.offset?.toString()],
    ['fields', ask.fields?.join(',')],
  ];
  const given = parameters.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
  return given.map((pair) => pair.map((part) => encodeURIComponent(part)).join('=')).join('&');
}
