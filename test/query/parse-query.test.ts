import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Predicate, Query } from '../../src/model/query.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { defaultScopeAccess } from '../../src/model/resources/team-scopes.js';
import { parseQuery } from '../../src/query/parse-query.js';
import type { OutputOptions, QueryRules } from '../../src/query/parse-query.js';

const rules: QueryRules = {
  vocabulary: {
    resource: directoryTeams,
    sourceNames: ['FIRST.Org', 'Harbour'],
    codes: ['first', 'harbour'],
    properties: ['accreditation'],
    aggregate: false,
  },
  limit: { default: 100, max: 10_000 },
  envelope: false,
  scopeAccess: defaultScopeAccess,
};

function query(raw: string, other: Partial<QueryRules> = {}): Query {
  const parsed = parseQuery(raw, { ...rules, ...other }, 'public');
  if (!('query' in parsed)) throw new Error(JSON.stringify(parsed));
  return parsed.query;
}

function errorsOf(raw: string): string[] {
  const parsed = parseQuery(raw, rules, 'public');
  return 'errors' in parsed ? parsed.errors.map(({ parameter, message }) => `${parameter} ${message}`) : [];
}

function form(raw: string): OutputOptions | undefined {
  const parsed = parseQuery(raw, rules, 'public');
  return 'errors' in parsed ? parsed.form : undefined;
}

function countries(raw: string): string[] {
  return query(raw).predicates.flatMap((predicate) =>
    predicate.kind === 'countries' ? [...predicate.codes].sort() : [],
  );
}

describe('parseQuery', () => {
  test('selects all records, a hundred on a page, by short name, without parameters', () => {
    expect(query('')).toEqual({
      access: 'public',
      resource: directoryTeams,
      predicates: [],
      order: [{ property: 'short-team-name', descending: false }],
      scope: 'public',
      offset: 0,
      limit: 100,
      envelope: false,
      pretty: true,
      requestParameters: [],
      canonicalKey: 'public directory-teams?sort=short-team-name',
    });
  });

  test.each([
    'limit',
    'offset',
    'sort',
    'fields',
    'envelope',
    'pretty',
    'callback',
    'team',
    'country',
    'region',
    'q',
    'host',
    'source-name',
  ])('treats an empty %s as absent', (name) => {
    expect(query(`${name}=`)).toEqual(query(''));
    expect(query(name)).toEqual(query(''));
  });

  test('returns an immutable query', () => {
    const parsed = query('country=PT&sort=host');
    for (const value of [parsed, parsed.predicates, parsed.order, parsed.requestParameters])
      expect(Object.isFrozen(value)).toBe(true);
  });

  test('reports all errors together, in the order of the query', () => {
    expect(errorsOf('limit=x&colour=red&q=a&q=b&envelope=maybe')).toEqual([
      'q is repeated',
      'limit must be a whole number of at least 0',
      'colour is not a parameter of this resource',
      'envelope must be true, false, 0 or 1',
    ]);
  });

  test('names the parameter or property nearest to an unknown one', () => {
    expect(errorsOf('limt=1')).toEqual(['limt is not a parameter of this resource; did you mean "limit"?']);
    expect(errorsOf('Country-Code=BR')).toEqual([
      'Country-Code is not a parameter of this resource; did you mean "country-code"?',
    ]);
    expect(errorsOf('acreditation=1')).toEqual([
      'acreditation is not a parameter of this resource; did you mean "accreditation"?',
    ]);
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', ''])(
    'rejects the unknown parameter "%s"',
    (name) => {
      expect(errorsOf(`${name}=1`)).toEqual([expect.stringMatching(/is not a parameter of this resource/)]);
    },
  );

  test('returns the output options for an error even when other parameters are wrong', () => {
    expect(form('limit=x')).toEqual({ pretty: true });
    expect(form('limit=x&pretty=0&callback=show1')).toEqual({ pretty: false, callback: 'show1' });
    expect(form('pretty=x&callback=a-b')).toEqual({ pretty: true });
  });

  test('keeps the requested parameters without limit and offset for links to other pages', () => {
    const { requestParameters } = query('q=a+b&limit=5&_=17&host=&offset=10&envelope=1');
    expect(requestParameters).toEqual([
      ['q', 'a b'],
      ['envelope', '1'],
    ]);
  });
});

describe('limit and offset', () => {
  test.each([
    ['limit=0', 0],
    ['limit=1', 1],
    ['limit=007', 7],
    ['limit=10000', 10_000],
    ['limit=10001', 10_000],
    ['limit=999999999999999999999999', 10_000],
  ])('%s is applied as %i', (raw, limit) => {
    expect(query(raw).limit).toBe(limit);
  });

  test('a default above the maximum is reduced to it', () => {
    expect(query('', { limit: { default: 50, max: 20 } }).limit).toBe(20);
  });

  test('an offset above the largest exact integer is reduced to it', () => {
    expect(query('offset=12').offset).toBe(12);
    expect(query(`offset=${'9'.repeat(400)}`).offset).toBe(Number.MAX_SAFE_INTEGER);
  });

  test.each(['-1', '1.0', '1e3', '0x10', 'ten', '+5', ' 5', '٣', 'NaN', 'Infinity', '5%00'])('reject %s', (value) => {
    expect(errorsOf(`limit=${encodeURIComponent(value)}`)).toEqual(['limit must be a whole number of at least 0']);
    expect(errorsOf(`offset=${encodeURIComponent(value)}`)).toEqual(['offset must be a whole number of at least 0']);
  });
});

describe('envelope, pretty and callback', () => {
  test.each([
    ['true', true],
    ['1', true],
    ['false', false],
    ['0', false],
  ])('read %s as %s', (value, boolean) => {
    expect(query(`envelope=${value}`).envelope).toBe(boolean);
    expect(query(`pretty=${value}`).pretty).toBe(boolean);
  });

  test.each(['TRUE', 'yes', '2', 'on', 'null'])('reject %s as a boolean', (value) => {
    expect(errorsOf(`envelope=${value}`)).toEqual(['envelope must be true, false, 0 or 1']);
    expect(errorsOf(`pretty=${value}`)).toEqual(['pretty must be true, false, 0 or 1']);
  });

  test('default to the configuration', () => {
    expect(query('', { envelope: true }).envelope).toBe(true);
    expect(query('envelope=0', { envelope: true }).envelope).toBe(false);
  });

  test('always include the envelope with a callback, because a script cannot read header fields', () => {
    expect(query('callback=show&envelope=0')).toMatchObject({ callback: 'show', envelope: true });
  });

  test.each(['a', 'Z9', 'x'.repeat(64)])('accept the callback %s', (name) => {
    expect(query(`callback=${name}`).callback).toBe(name);
  });

  test.each(['a.b', 'a_b', '$', 'x'.repeat(65), 'a b', 'é', 'alert(1)', 'a\n'])('reject the callback %s', (name) => {
    expect(errorsOf(`callback=${encodeURIComponent(name)}`)).toEqual(['callback must be 1 to 64 letters and digits']);
  });
});

describe('fields and sort', () => {
  test('fields are the requested ones, each once, in the requested order', () => {
    expect(query('fields=email, short-team-name,email,-first-member-type,last-modified,accreditation').fields).toEqual([
      'email',
      'short-team-name',
      '-first-member-type',
      'last-modified',
      'accreditation',
    ]);
  });

  test.each([
    ['fields=email,phone-number', 'fields names the unknown property "phone-number"; did you mean "phone-numbers"?'],
    ['fields=-second-member-type', 'fields names the unknown property "-second-member-type"'],
    ['fields=,', 'fields names the unknown property ""'],
    ['fields=limit', 'fields names the unknown property "limit"'],
    ['sort=email,,host', 'sort names the unknown property ""'],
    ['sort=team', 'sort names the unknown property "team"; did you mean "short-team-name"?'],
    ['fields=team', 'fields names the unknown property "team"; did you mean "short-team-name"?'],
    ['sort=-country', 'sort names the unknown property "country"; did you mean "country-code"?'],
    [
      'sort=-frist-member-type',
      'sort names the unknown property "-frist-member-type"; did you mean "-first-member-type"?',
    ],
    [
      'sort=--frist-member-type',
      'sort names the unknown property "-frist-member-type"; did you mean "-first-member-type"?',
    ],
    ['fields=-frist-rank', 'fields names the unknown property "-frist-rank"; did you mean "-first-rank"?'],
    ['sort=-nosuch-member-type', 'sort names the unknown property "-nosuch-member-type"'],
    [
      '-frist-member-type=x',
      '-frist-member-type is not a parameter of this resource; did you mean "-first-member-type"?',
    ],
    ['postal=x', 'postal is not a parameter of this resource; did you mean "postal-address"?'],
    ['sort=-emial', 'sort names the unknown property "emial"; did you mean "email"?'],
    ['sort=-first-', 'sort names the unknown property "first-"'],
    ['sort=--email', 'sort names the unknown property "-email"; did you mean "email"?'],
  ])('%s is rejected', (raw, fault) => {
    expect(errorsOf(raw)).toEqual([fault]);
  });

  test('a name of many kilobytes is shortened in an error', () => {
    expect(errorsOf(`fields=${'x'.repeat(5_000)}`).join('').length).toBeLessThan(200);
  });

  test.each([
    ['sort=email', [{ property: 'email', descending: false }]],
    ['sort=-email', [{ property: 'email', descending: true }]],
    [
      'sort=-last-modified, email',
      [
        { property: 'last-modified', descending: true },
        { property: 'email', descending: false },
      ],
    ],
    ['sort=-first-member-type', [{ property: '-first-member-type', descending: false }]],
    ['sort=--first-member-type', [{ property: '-first-member-type', descending: true }]],
    ['sort=email,-email,email', [{ property: 'email', descending: false }]],
  ])('%s sets the order', (raw, order) => {
    expect(query(raw).order).toEqual(order);
  });

  test.each([
    ['sort=-short-team-name', { property: 'short-team-name', descending: true }],
    ['sort=-first-member-type', { property: '-first-member-type', descending: false }],
    ['sort=-other-member-type', { property: '-other-member-type', descending: false }],
    ['sort=--other-member-type', { property: '-other-member-type', descending: true }],
  ])('%s sets the order also where an aggregate may have a property of any code', (raw, key) => {
    const aggregate = { ...rules.vocabulary, aggregate: true };
    expect(query(raw, { vocabulary: aggregate }).order).toEqual([key]);
  });
});

describe('filters', () => {
  test.each([
    ['host=Example%20Ltd', 'host', 'example ltd'],
    ['short-team-name=%C3%85sg%C3%A5rd', 'short-team-name', 'asgard'],
    ['enckeys=0xABCD', 'enckeys', '0xabcd'],
    ['-first-member-type=Full+Member', '-first-member-type', 'full member'],
    ['accreditation=Yes', 'accreditation', 'yes'],
    ['source-name=first.ORG', 'source-name', 'first.org'],
    ['establishment=2008', 'establishment', '2008'],
  ])('%s is an exact comparison of folded text', (raw, property, value) => {
    expect(query(raw).predicates).toEqual([{ kind: 'equals', properties: [property], value, parameter: property }]);
  });

  test.each(
    directoryTeams.properties
      .map(({ name }) => name)
      .filter((name) => !['last-modified', 'source-name'].includes(name)),
  )('exist for %s', (property) => {
    const where = [{ kind: 'equals', properties: [property], value: 'a', parameter: property }];
    expect(query(`${property}=a`).predicates).toEqual(where);
  });

  test('do not exist for last-modified', () => {
    expect(errorsOf('last-modified=2015')).toEqual(['last-modified is not a filter']);
  });

  test('list the registered source-names for an unknown one', () => {
    expect(errorsOf('source-name=nobody')).toEqual([
      'source-name names no registered source; the source-names are "FIRST.Org", "Harbour"',
    ]);
  });

  test('combine with AND', () => {
    expect(query('host=a&country=BR&q=b').predicates.map(({ kind }) => kind)).toEqual(['equals', 'countries', 'words']);
  });
});

describe('q and team', () => {
  test('search for folded words, each once, q in all properties and team in the names', () => {
    expect(query('q=+Zwei++eins%09zwei%C2%A0EINS').predicates).toEqual([
      { kind: 'words', words: ['eins', 'zwei'], parameter: 'q' },
    ]);
    expect(query('team=CERT').predicates).toEqual([
      { kind: 'words', words: ['cert'], properties: ['short-team-name', 'official-team-name'], parameter: 'team' },
    ]);
  });

  test('select everything without a word', () => {
    expect(query('q=+%09').predicates).toEqual([]);
    expect(query('q=%CC%81').predicates).toEqual([]);
    expect(query('q=+').canonicalKey).toBe(query('').canonicalKey);
  });

  test('split words at white space, also where folding creates it', () => {
    expect(query('q=x%C2%A8y').predicates).toEqual([{ kind: 'words', words: ['x', 'y'], parameter: 'q' }]);
    expect(query('q=%EF%B7%BA').predicates).toEqual(
      query(`q=${encodeURIComponent('\ufdfa'.normalize('NFKD'))}`).predicates,
    );
  });
});

describe('country and region', () => {
  test('country accepts codes in any case, and UK and EL', () => {
    expect(countries('country=br,%20PT,Br')).toEqual(['BR', 'PT']);
    expect(countries('country=uk,EL')).toEqual(['GB', 'GR']);
    expect(query('country=BR').predicates).toMatchObject([{ properties: ['country-code', 'additional-country-code'] }]);
  });

  test.each(['BR,XX', 'Brazil', 'B', ',', 'BR,', '840', '__'])('country rejects %s', (value) => {
    expect(errorsOf(`country=${value}`)).toEqual([
      expect.stringMatching(/^country names the unknown country code ".*"; codes/),
    ]);
  });

  test('region accepts names in any case and codes of UN M49', () => {
    expect(countries('region=south%20AMERICA')).toEqual(countries('region=005'));
    expect(countries('region=005')).toContain('BR');
    expect(countries('region=005')).not.toContain('MX');
    expect(query('region=Europe').predicates).toMatchObject([
      { properties: ['country-code', 'additional-country-code'] },
    ]);
  });

  test('region rejects an unknown region, and lists all regions', () => {
    expect(errorsOf('region=Atlantis')).toEqual([
      expect.stringMatching(
        /^region names an unknown region; .*"Northern Africa".*"Polynesia", or their UN M49 codes$/,
      ),
    ]);
  });
});

/** The meaning of a query, without its spelling. */
interface Meaning {
  readonly words: readonly string[];
  readonly team: readonly string[];
  readonly countries: readonly string[];
  readonly region: '' | 'Europe' | '150' | 'Asia';
  readonly host: string;
  readonly member: string;
  readonly sort: readonly string[];
}

/** The spelling of a query: everything that must not change its canonical key. */
interface Spelling {
  readonly shuffled: readonly number[];
  readonly upper: boolean;
  readonly plus: boolean;
  readonly everyByte: boolean;
  readonly doubled: boolean;
  readonly page: string;
}

const word = fc.constantFrom('a', 'b', 'a b', 'é', 'e', 'x¨y', 'x', 'y', '&', '=', 'sort=a', '%', ',');

const meanings: fc.Arbitrary<Meaning> = fc.record({
  words: fc.array(word, { maxLength: 3 }),
  team: fc.array(word, { maxLength: 2 }),
  countries: fc.array(fc.constantFrom('BR', 'GB', 'UK', 'PT'), { maxLength: 3 }),
  region: fc.constantFrom<Meaning['region']>('', 'Europe', '150', 'Asia'),
  host: fc.oneof(fc.constant(''), word),
  member: fc.oneof(fc.constant(''), word),
  sort: fc.array(
    fc.constantFrom(
      'short-team-name',
      '-short-team-name',
      'host',
      '-host',
      '-first-member-type',
      '--first-member-type',
    ),
    {
      maxLength: 2,
    },
  ),
});

const spellings: fc.Arbitrary<Spelling> = fc.record({
  shuffled: fc.shuffledSubarray([0, 1, 2, 3, 4, 5, 6, 7], { minLength: 8, maxLength: 8 }),
  upper: fc.boolean(),
  plus: fc.boolean(),
  everyByte: fc.boolean(),
  doubled: fc.boolean(),
  page: fc.constantFrom(
    '',
    'limit=3',
    'fields=email',
    'pretty=0',
    'envelope=1',
    'offset=7',
    'callback=f',
    '_=1',
    'email=',
  ),
});

function encode(text: string, { plus, everyByte }: Spelling): string {
  if (everyByte)
    return Buffer.from(text)
      .toString('hex')
      .replace(/../g, (byte) => `%${byte}`);
  return plus ? encodeURIComponent(text).replaceAll('%20', '+') : encodeURIComponent(text);
}

function spell(meaning: Meaning, spelling: Spelling): string {
  const { upper, doubled, shuffled } = spelling;
  const text = (value: string): string => encode(upper ? value.toUpperCase() : value, spelling);
  const twice = (items: readonly string[]): string[] => (doubled ? [...items, ...[...items].reverse()] : [...items]);
  const parts = [
    `q=${text(twice(meaning.words).join(doubled ? '  ' : ' '))}`,
    `team=${text(twice(meaning.team).join(' '))}`,
    `country=${text(twice(meaning.countries).join(','))}`,
    `region=${text(meaning.region)}`,
    `host=${text(meaning.host)}`,
    `-first-member-type=${text(meaning.member)}`,
    `sort=${encode((doubled ? [...meaning.sort, ...meaning.sort] : meaning.sort).join(','), spelling)}`,
    spelling.page,
  ];
  return shuffled.map((at) => parts[at] ?? '').join('&');
}

/** The selection and order of a query: the model that the canonical key is compared with. */
function selected({ predicates: where, order }: Query): string {
  return JSON.stringify([where.map(plain).sort(), order]);
}

function plain(predicate: Predicate): string {
  const sorted = predicate.kind === 'countries' ? { ...predicate, codes: [...predicate.codes].sort() } : predicate;
  return JSON.stringify(sorted);
}

describe('the canonical key', () => {
  test('is equal for queries that differ only in order, case, encoding, repetition and page', () => {
    fc.assert(
      fc.property(meanings, spellings, spellings, (meaning, one, other) => {
        expect(query(spell(meaning, one)).canonicalKey).toBe(query(spell(meaning, other)).canonicalKey);
      }),
      { numRuns: 500 },
    );
  });

  test('is equal for two queries exactly if they select the same records in the same order', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(meanings, spellings), { minLength: 2, maxLength: 12 }), (generated) => {
        const queries = generated.map(([meaning, spelling]) => query(spell(meaning, spelling)));
        const bySet = new Map(queries.map((parsed) => [selected(parsed), parsed.canonicalKey]));
        const byKey = new Map(queries.map((parsed) => [parsed.canonicalKey, selected(parsed)]));
        for (const parsed of queries) {
          expect(bySet.get(selected(parsed))).toBe(parsed.canonicalKey);
          expect(byKey.get(parsed.canonicalKey)).toBe(selected(parsed));
        }
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    ['q=a&host=b', 'host=b&q=a'],
    ['q=a+b', 'q=B%20%20a'],
    ['country=BR,uk', 'country=gb,br,BR'],
    ['region=EUROPE', 'region=150'],
    ['sort=short-team-name', ''],
    ['sort=email,-email', 'sort=email'],
    ['host=%C3%89lan', 'host=ELAN'],
    ['q=a&limit=1&offset=5&fields=email&envelope=1&pretty=0', 'q=a'],
  ])('of "%s" equals that of "%s"', (one, other) => {
    expect(query(one).canonicalKey).toBe(query(other).canonicalKey);
  });

  test.each([
    ['q=a', 'team=a'],
    ['q=a+b', 'host=a+b'],
    ['q=a', 'q=b'],
    ['host=a', 'host=a+'],
    ['q=a', ''],
    ['country=BR', 'country-code=BR'],
    ['sort=email', 'sort=-email'],
    ['sort=email,host', 'sort=host,email'],
    ['sort=-first-x', 'sort=--first-x'],
    ['host=a%26sort%3Db', 'host=a'],
    ['email=a%26host%3Db', 'email=a&host=b'],
  ])('of "%s" differs from that of "%s"', (one, other) => {
    expect(query(one).canonicalKey).not.toBe(query(other).canonicalKey);
  });
});
