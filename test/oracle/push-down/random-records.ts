import type { RawRecord } from '../../support/upstream/paged-responses.js';

/** A fast random number generator that returns the same numbers for the same seed, so that a counterexample can be repeated. */
export class SeededRandom {
  constructor(private state: number) {}

  /** An integer from 0 inclusive to `end` exclusive. */
  below(end: number): number {
    // mulberry32
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
  }

  of<const T extends readonly [unknown, ...unknown[]]>(values: T): T[number] {
    return values[this.below(values.length)] ?? values[0];
  }

  /** The values in random order. */
  shuffled<T>(values: readonly T[]): T[] {
    const keyed = values.map((value) => ({ value, key: this.below(1e9) }));
    return keyed.sort((a, b) => a.key - b.key).map(({ value }) => value);
  }
}

/** Names that are equal in one collation and different in another: case, combining marks, letters that NFKD does not decompose, scripts, astral code points, punctuation. */
const STEMS = [
  ...['CERT', 'cert', 'Cért', 'CERT 9', 'CERT 10', 'Ørsted', 'orsted', 'STRASSE', 'Straße', 'ﬁre', 'Fire'],
  ...['Ångström', 'angle', 'Örebro', 'orbit', 'ZETA', 'zebra', 'Apple', 'co-op', 'coal', 'Äpfel', 'a c', 'VAULT'],
  ...['日本', 'ΣΟΦΙΑΣ', 'σοφιας', 'Łódź', 'İzmir', 'ızmir', 'Ａ wide', 'فريق', 'команда', '!!!', '\u{1F6E1}', '\uE000'],
] as const;
const HOSTS = ['Example Org', 'EXAMPLE ORG', 'Exämple Org', 'Ærø Net', 'aero net', 'Example, Ltd.', '10', '9'] as const;
const COUNTRIES = ['BR', 'br', 'PT', 'UK', 'EL', 'NO', 'NO', 'DE', 'JP', 'AQ', 'Norway'] as const;
const EXACTNESS = ['1993', '1993-05', '1993-05-01', 'September 8, 2008', '2008-09-08', 'long ago', 'n/a'] as const;
/** Dates, some of them equal to the second. */
const DATES = [
  ...['1993-05-01T00:00:00Z', '2008-09-08', '2015-06-03T14:05:27+02:00', '2015-06-03T12:05:27+00:00', '2015-06-03'],
  ...[
    'Thu, 02 Apr 2026 21:28:40 GMT',
    'Thu, 02 Apr 2026 21:28:40 +0000',
    '2016-06-09 13:59:39 +00:00',
    'unknown',
    'Tue, 01 Jan 2999 00:00:00 GMT',
  ],
] as const;
const PHONES = ['+1 202 555 0100', '(fax)', '+1 202 555 0101 (fax)', '+1 202 555 0102'] as const;
const RANKS = [1, 2, 10, -3, '10', '9', 'first', true, [3, 1], null] as const;

/** The value unchanged; sometimes undefined, or in one of the irregular forms that repositories send. */
function messy(value: unknown, chance: SeededRandom): unknown {
  const how = chance.below(24);
  if (how < 3) return undefined;
  if (how === 3) return [value];
  if (how === 4) return typeof value === 'string' ? `  ${value}\t` : value;
  return how === 5 ? chance.of(['', null, []]) : value;
}

function messyList(values: readonly [string, ...string[]], chance: SeededRandom): unknown {
  const list = Array.from({ length: chance.below(3) }, () => chance.of(values));
  return messy(list.length === 1 ? list[0] : list, chance);
}

/** A unique name within the source, built from a stem that other names share. */
function named(at: number, chance: SeededRandom): string {
  return chance.below(4) === 0 ? `${at % 7} ${chance.of(STEMS)} ${at}` : `${chance.of(STEMS)} ${at}`;
}

/** The properties of a team with the same name on both interfaces. */
function facts(at: number, chance: SeededRandom): Readonly<Record<string, unknown>> {
  return {
    host: messy(chance.of(HOSTS), chance),
    email: messy(`${chance.of(['cert', 'CERT', 'abuse'])}-${at % 9}@example.org`, chance),
    establishment: messy(chance.of([...EXACTNESS, ...DATES]), chance),
    website: messyList(['https://www.example.org/', 'http://example.net'], chance),
    rank: messy(chance.of(RANKS), chance),
    'last-modified': messy(chance.of(DATES), chance),
  };
}

/**
 * Generates teams of the directory interface in random order. Their short names are unique: for top records, Rollcall resolves equal slugs
 * only among the fetched records, not among all records of the source, which is a known limit. All other sort properties have ties.
 */
export function directoryTeams(count: number, chance: SeededRandom): readonly RawRecord[] {
  return many(count, chance, (at) => ({
    ...(chance.below(12) > 0 && { 'short-team-name': messy(named(at, chance), chance) }),
    'official-team-name': `Team ${at} of ${chance.of(HOSTS)}`,
    'country-code': messy(chance.of(COUNTRIES), chance),
    'additional-country-code': messyList(['NO', 'PT', 'el', 'JP'], chance),
    'phone-numbers': messyList(PHONES, chance),
    'constituency-code': messy(chance.of(['008', '8', 8]), chance),
    ...facts(at, chance),
  }));
}

/** Generates teams of the data interface in random order, with ids; their names need not be unique. */
export function dataTeams(count: number, chance: SeededRandom): readonly RawRecord[] {
  return many(count, chance, (at) => ({
    id: `${chance.of(['t', 'T', 'å', 'ø_'])}${at}`,
    team: messy(chance.below(2) === 0 ? named(at, chance) : chance.of(STEMS), chance),
    'team-full': `Team ${at}`,
    country: messy(chance.of(COUNTRIES), chance),
    'country-other': messyList(['NO', 'PT', 'el', 'JP'], chance),
    phone: messyList(PHONES, chance),
    'member-since': messy(chance.of([...EXACTNESS, ...DATES]), chance),
    'pgp-fingerprint':
      chance.below(3) === 0 ? `0123456789ABCDEF0123456789ABCDEF${String(at).padStart(8, '0')}` : undefined,
    ...facts(at, chance),
  }));
}

/** Generates news items in random order; some have the same publication time, and some have an unreadable date. */
export function newsItems(count: number, chance: SeededRandom): readonly RawRecord[] {
  const start = Date.UTC(2026, 0, 1, 9, 30);
  return many(count, chance, (at) => ({
    id: at * 3 + 1,
    title: chance.below(3) === 0 ? chance.of(STEMS) : named(at, chance),
    summary: messy(chance.of(HOSTS), chance),
    link: messy(`https://www.example.org/${chance.of(['a', 'A', 'å'])}/${at % 40}`, chance),
    published:
      chance.below(20) === 0
        ? messy(chance.of(DATES), chance)
        : new Date(
            start - Math.floor(at / (1 + chance.below(3))) * chance.of([1_000, 3_600_000, 40_000_000]),
          ).toUTCString(),
    rank: messy(chance.of(RANKS), chance),
  }));
}

function many(
  count: number,
  chance: SeededRandom,
  make: (at: number) => Readonly<Record<string, unknown>>,
): readonly RawRecord[] {
  const records = chance.shuffled(Array.from({ length: count }, (_, at) => make(at)));
  return records.map((record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)));
}
