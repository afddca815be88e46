import { describe, expect, it } from 'vitest';
import { IndexAssembly } from '../../../src/search/index/index-thread.js';
import { SEARCH_FIELDS } from '../../../src/search/index/terms.js';
import { searchRecords } from '../../../src/search/ranking/search-records.js';
import { parseSearchText } from '../../../src/search/text/search-request.js';
import type { SearchField } from '../../../src/model/resource.js';

type Texts = Partial<Record<SearchField, string>>;

function indexOf(records: readonly Texts[]): SharedArrayBuffer {
  const assembly = new IndexAssembly();
  assembly.add({
    longIds: [],
    ids: records.map((_, at) => `id${at}`),
    texts: records.map((texts) => SEARCH_FIELDS.map((field) => texts[field] ?? '')),
  });
  return assembly.finish().index;
}

function search(q: string, records: readonly Texts[], searchesKeys = true): ReturnType<typeof searchRecords> {
  return searchRecords({
    request: parseSearchText(q),
    searchesKeys,
    sources: [{ index: indexOf(records) }],
    offset: 0,
    limit: 99,
  });
}

/** Searches where only the first `count` records may be hits. */
function searchFirst(count: number, q: string, records: readonly Texts[]): ReturnType<typeof searchRecords> {
  const allowed = Uint8Array.from(records, (_, at) => (at < count ? 1 : 0));
  return searchRecords({
    request: parseSearchText(q),
    searchesKeys: true,
    sources: [{ index: indexOf(records), allowed }],
    offset: 0,
    limit: 99,
  });
}

const positions = (q: string, records: readonly Texts[]): readonly number[] =>
  search(q, records).hits.map(({ position }) => position);

describe('order of hits', () => {
  it('is that of the fields', () => {
    const fields = ['other', 'place', 'contact', 'constituency', 'host', 'official-name', 'short-name'] as const;
    const records = fields.map((field) => ({ [field]: 'acorn birch' }));
    expect(positions('acorn', records)).toEqual([6, 5, 4, 3, 2, 1, 0]);
  });

  it('puts the country of a code before words that begin with it, also behind another word', () => {
    const records = [
      { 'short-name': 'A', 'official-name': 'Hospital Computer Team', place: 'IN India' },
      { 'short-name': 'B', 'official-name': 'Hospital Team of the Coast', place: 'CO Colombia' },
    ];
    for (const q of ['hospital CO', 'CO hospital', 'hospital co'])
      expect([q, positions(q, records)[0]]).toEqual([q, 1]);
  });

  it('reads an article in capital letters as a country where a record has it, and else as an article', () => {
    const records = [
      { 'short-name': 'A', 'official-name': 'Hospital de la Costa', place: 'Plaza de la Costa\nES\nSpain' },
      { 'short-name': 'B', 'official-name': 'Hospital', place: 'DE\nGermany' },
    ];
    expect(['hospital DE', 'DE hospital', 'hospital de'].map((q) => positions(q, records))).toEqual([[1], [1], [1, 0]]);
    expect(positions('hospital AT', records)).toEqual([1, 0]);
  });

  it('is that of an article in capital letters where records have it in names and other texts only', () => {
    const records = [{ 'official-name': 'Hospital de la Costa' }, { 'official-name': 'Hospital', other: 'de' }];
    expect(search('hospital DE', records).hits).toEqual(search('hospital de', records).hits);
  });

  it('puts the own country of a team before its further ones', () => {
    const records = [
      { 'short-name': 'A bank', other: 'BR Brazil' },
      { 'short-name': 'Another long bank', place: 'BR Brazil' },
    ];
    for (const q of ['bank Brazil', 'bank BR']) expect([q, positions(q, records)]).toEqual([q, [1, 0]]);
  });

  it('puts rare words before frequent ones where no record has all', () => {
    const records = [{ other: 'cert' }, { other: 'cert' }, { other: 'cert' }, { other: 'acorn' }];
    expect(positions('cert acorn', records)[0]).toBe(3);
  });

  it('puts the code of a country before names that begin with it', () => {
    const records = [{ 'official-name': 'CSIRT of Ukraine' }, { 'short-name': 'UKR' }, { place: 'GB\nUK' }];
    expect(positions('UK', records)[0]).toBe(2);
    expect(positions('ukr', records)).toEqual([1, 0]);
  });

  it('is that of the ids for equal scores', () => {
    expect(
      positions(
        'acorn',
        Array.from({ length: 12 }, () => ({ other: 'acorn' })),
      ),
    ).toEqual([0, 1, 10, 11, 2, 3, 4, 5, 6, 7, 8, 9]);
  });
});

describe('words for kinds of teams', () => {
  const records = [
    { 'short-name': 'N-CSIRT-IE', 'official-name': 'National CSIRT', place: 'IE\nIreland' },
    { 'short-name': 'Port CERT', 'official-name': 'National Port', place: 'IE\nIreland' },
    { 'short-name': 'N-CSIRT-IS', 'official-name': 'National CSIRT Social CERT', place: 'IS\nIceland' },
    { 'short-name': 'Bank', 'official-name': 'CERT of the Bank', place: 'NO\nNorway' },
    { 'short-name': 'Credit SOC', 'official-name': 'CERT', place: 'NO\nNorway' },
  ];

  it.each([
    ['ireland national csirt', [0, 1]],
    ['ireland national cert', [1, 0]],
    ['ireland soc', [1, 0]],
    ['bank certs', [3]],
    ['social soc', [2]],
    ['zimbabwe cert', []],
  ])('need not be there beside another word, and raise the score: %s', (q, expected) => {
    expect(positions(q, records)).toEqual(expected);
  });

  it('are required where there is no other word, also beside the code of a country that no record has', () => {
    expect([...positions('soc', records)].sort()).toEqual([2, 4]);
    expect(positions('csirt cert', records)).toEqual([2]);
    expect(positions('soc AT', records)).toEqual([4]);
    expect([...positions('soc NO', records)]).toEqual([4, 3]);
  });
});

describe('words of which no record has all', () => {
  const records = [
    ...Array.from({ length: 9 }, (_, at) => ({ 'short-name': `Bank ${at}` })),
    ...[{ 'short-name': 'Tideglass' }, { 'short-name': 'Iceland Bank' }, { 'short-name': 'Ireland' }],
  ];

  it('are found in records with a rare one, whatever else is searched', () => {
    for (const q of ['report phishing to tideglass', 'please kindly advise what tideglass has'])
      expect([q, positions(q, records)]).toEqual([q, [9]]);
    expect(positions('zimbabwe bank', records)).toEqual([]);
    // A part of a telephone number is no rare word.
    expect(positions('call 202-555-7', records)).toEqual([]);
  });

  it('are found with typing errors in words that records have, and where only a rare one is written', () => {
    expect(positions('ireland bank', records)).toEqual([11, 10]);
    expect(positions('ireland quarry', records)).toEqual([11]);
  });
});

it('finds the singular of a word behind the word itself, and no further beginnings', () => {
  const records = [
    { other: 'bank' },
    { other: 'banks' },
    { other: 'banking' },
    ...[{ other: 'pres' }, { other: 'press' }],
  ];
  expect([positions('banks', records), positions('press', records)]).toEqual([[1, 0], [4]]);
  expect(search('banks', records.slice(0, 1)).suggestion).toBeUndefined();
});

describe('suggestion', () => {
  it('is for a word of four letters only where a record has all words of it', () => {
    const records = [{ other: 'thong vong all' }, { other: 'cert acorn' }];
    const suggestions = ['hong kong', 'call 112', 'acorn cret', 'acron cret', 'acron hong'].map(
      (q) => search(q, records).suggestion,
    );
    expect(suggestions).toEqual([undefined, undefined, 'acorn cert', 'acorn cert', 'acorn hong']);
    expect(positions('call', records)).toEqual([0]);
  });

  it.each([
    ['acron cert', 'acorn cert'],
    ['acorn cert', undefined],
    ['acron unlikely', 'acorn unlikely'],
    ['open svit', undefined],
    ['open svit cert', undefined],
    ['acorn from', undefined],
    ['20255', undefined],
    ['acr', undefined],
  ])('for %s is %s', (q, suggestion) => {
    const records = [{ 'short-name': 'Acorn CERT 20256' }, { 'short-name': 'OpenSvit', other: 'spit open form' }];
    expect(search(q, records).suggestion).toBe(suggestion);
  });

  it('is the word with the fewest errors, also where more records have another one', () => {
    const records = [{ other: 'acornwoods' }, { other: 'acornswood' }, { other: 'acornswood' }];
    expect(search('acornwoodz', records).suggestion).toBe('acornwoods');
  });

  it('is no text where the complete name of a record is the searched text', () => {
    expect(search('acorn', [{ 'short-name': 'A C O R N' }, { other: 'acarn' }]).suggestion).toBeUndefined();
  });

  it('is no pair of words as one that no record spells', () => {
    const split = search('opensvut', [{ 'short-name': 'Open Svit' }]);
    expect([split.total, split.suggestion]).toEqual([1, undefined]);
    expect(search('opensvut', [{ 'short-name': 'Open Svit' }, { other: 'OpenSvit' }]).suggestion).toBe('opensvit');
  });

  it('keeps words in a script without spaces as they are', () => {
    expect(search('日本語 acron', [{ 'short-name': '日本語 acorn' }]).suggestion).toBe('日本語 acorn');
  });

  it('is the one that most records have, and else the first by its letters', () => {
    expect(search('acirn', [{ other: 'acarn' }, { other: 'acorn' }, { other: 'acorn' }]).suggestion).toBe('acorn');
    expect(search('acirn', [{ other: 'acorn' }, { other: 'acarn' }]).suggestion).toBe('acarn');
  });
});

it('finds words with typing errors also by their transliteration', () => {
  const records = [{ 'short-name': 'Sofia CERT' }, { 'short-name': 'Kyiv CERT' }, { 'short-name': 'София' }];
  expect([positions('Софии', records), positions('Київ', records)]).toEqual([[2, 0], [1]]);
  expect(positions('София', records.slice(0, 2))).toEqual([0]);
  expect(positions('sofia', records.slice(2))).toEqual([0]);
});

describe('score', () => {
  it('is higher with an article that is searched', () => {
    expect(positions('bank of north', [{ other: 'bank north' }, { other: 'bank of north' }])).toEqual([1, 0]);
  });

  it('is higher for two words than for one word that they are written as', () => {
    const records = [{ 'short-name': 'OpenSvit A B' }, { 'short-name': 'Open Svit A' }];
    expect(positions('open svit', records)).toEqual([1, 0]);
  });

  it('is the best one of a record that has several identifiers like the searched one', () => {
    const records = [
      { contact: 'https://example.org/\nhttps://dept.example.org/' },
      { contact: 'https://example.org/' },
    ];
    expect(search('example.org', records).hits.map(({ score }) => score)).toEqual([970, 970]);
  });

  it('is at most that of all words in a short name, also with an article', () => {
    expect(search('bank of north', [{ 'short-name': 'North Bank of' }]).hits.map(({ score }) => score)).toEqual([950]);
  });

  it('is the same for names of more words than are counted', () => {
    const [one, other] = search(
      'acorn',
      [21, 30].map((count) => ({ 'official-name': Array.from({ length: count }, () => 'acorn').join(' ') })),
    ).hits;
    expect(one?.score).toBe(other?.score);
  });

  it('is lower for long names, also those of more words than are counted', () => {
    const long = Array.from({ length: 256 }, () => 'acorn').join(' ');
    expect(positions('acorn', [{ 'official-name': long }, { 'official-name': 'acorn b' }])).toEqual([1, 0]);
  });
});

it('finds keys only where they are searched, and never as words', () => {
  const records = [{ key: '0x89ABCDEF', phone: '+47 22113344' }];
  expect([search('89abcdef', records).total, search('89abcdef', records, false).total]).toEqual([1, 0]);
  expect(search('89abcde', records).total).toBe(0);
});

it('finds no key of version 4 by its first digits', () => {
  const key = `${'1'.repeat(16)}${'2'.repeat(24)}`;
  expect([search(key, [{ key: '1'.repeat(16) }]).total, search('1'.repeat(16), [{ key }]).total]).toEqual([0, 0]);
});

it('puts the searched key id before keys that end with it', () => {
  const id = '89abcdef01234567';
  expect(positions(id, [{ key: `${'1'.repeat(24)}${id}` }, { key: id }])).toEqual([1, 0]);
});

it('puts the searched telephone number before numbers that end with it', () => {
  expect(positions('22113344', [{ phone: '+47 22113344' }, { phone: '22113344' }])).toEqual([1, 0]);
});

it('finds telephone numbers by seven digits at their end, and numbers of seven digits at the end of the searched one', () => {
  const found = (q: string, phone: string): number => search(q, [{ phone }]).total;
  expect([found('2113344', '+47 2113344'), found('+47 2113344', '2113344')]).toEqual([1, 1]);
  expect([found('113344', '+47 2113344'), found('+47 2113344', '113344')]).toEqual([0, 0]);
});

it('finds records that have at least a third of the importance of all words, where none has every word or a rare one', () => {
  const words = ['acorn', 'birch', 'cedar'];
  // Each word is in two records, more than the root of up to three.
  const found = (count: number): number =>
    search(words.slice(0, count).join(' '), [{ other: 'acorn' }, { other: 'acorn' }, { other: 'oak' }]).total;
  expect([found(2), found(3)]).toEqual([2, 0]);
});

it('finds a word of one character only where it is a word', () => {
  expect(positions('x bank', [{ other: 'xylem bank' }, { other: 'bank x' }])).toEqual([1]);
});

it('finds nothing by a number that no record has, also where a name has it as a word', () => {
  const records = [{ 'short-name': 'AS64500 Team' }, { 'short-name': 'Team 192.0.2.1' }];
  expect(['AS64500', '192.0.2.1'].map((q) => search(q, records).total)).toEqual([0, 0]);
});

it('searches the words beside an identifier only where no record that may be a hit has the identifier', () => {
  const records = [{ other: 'traffic 10 1 2 3' }, { other: '10.0.0.0/8' }];
  expect(positions('traffic from 10.1.2.3', records)).toEqual([1]);
  expect(searchFirst(1, 'traffic from 10.1.2.3', records).hits.map(({ position }) => position)).toEqual([0]);
});

it.each([
  'acorn birch',
  'acirn',
  'acorn cedar dogwood',
  'example.org',
  'AS64500',
  '10.0.0.1',
  'acorm',
  '22113344',
  'oak team',
])('finds the same by %j, with the same scores, as if the records that may be no hits did not exist', (q) => {
  const records: readonly Texts[] = [
    { 'short-name': 'Acorn', other: 'birch AS64500 10.0.0.0/8' },
    { 'official-name': 'Cedar', contact: 'https://example.org/', phone: '+47 22113344' },
    { other: 'acorn' },
  ];
  const others: readonly Texts[] = [
    { 'short-name': 'Oak Acarn Team', contact: 'https://example.org/ https://dept.example.org/', phone: '22113344' },
    { other: 'acarn' },
    { other: 'acarn acorn acorm birch dogwood AS64500 10.0.0.0/9' },
  ];
  const { hits, total, suggestion } = search(q, records);
  expect(searchFirst(3, q, [...records, ...others])).toMatchObject({ hits, total, suggestion });
});

it.each([
  ...['192.0.2.7 8080', '192.0.2.7 10.1.2.3', '192.0.2.7 and 192.0.2.9', '192.0.2.7 - 10.1.2.3', '192.0.2.7 (2)'],
  ...['2026-11-26 192.0.2.7', '192.0.2.0 netmask 255.255.255.0', '192.0.2.0 to 192.0.2.255', '192.0.2.0-255'],
  ...['192.0.2/24', '192.0.2.0 /24'],
])('finds the range of the IP address in %j', (q) => {
  expect(positions(q, [{ other: '192.0.2.0/24' }, { phone: '+47 192027' }])).toEqual([0]);
});

it.each([
  ...['Tel. 0228 9582-5110', 'Telefon 0228/9582-5110', '0228 9582-5110 (Zentrale)', 'Tel 0049 228 95825110'],
  ...['0228 9582-5110 x12', '0228 9582-5110 (24h)', 'Tel. 0228 95825110 Fax 0228 95825111', '9582-5110'],
  ...['+49 0228 9582 5110', '2.5. Telephone number: 0228 9582-5110', '\u200e0228 9582-5110'],
])('finds the telephone number in %j', (q) => {
  expect(positions(q, [{ phone: '+49 228 9582 5110' }, { other: 'Tel Fax' }])).toEqual([0]);
});

it('finds words beside digits that are no telephone number of a record', () => {
  const records = [{ place: 'Hafenweg 3, 20097 Hamburg' }, { place: '1234567 Main Street' }];
  expect([positions('20095 Hamburg 20097', records), positions('1234567 Main Street', records)]).toEqual([[0], [1]]);
});

it.each([
  ...['(24h)', '(24 hours, 7 days a week)', '(Mo-Fr 8-17)', '(option 2)', 'x12', '#12', 'ext12', '24/7/365', '/ 101'],
  '(22:00-06:00)',
])('finds a telephone number that has %j behind it in the record, as the same number', (note) => {
  const phone = `555 50 100 ${note}`;
  expect(search('55550100', [{ phone: `555 50 100 ${note}` }]).hits[0]?.score).toBe(1_000);
  expect(search('+47 555 50 100', [{ phone: `+47 ${phone}` }]).hits[0]?.score).toBe(1_000);
});

it.each([
  ['550e8400-e29b-41d4-a716-446655440000', '550e8400-e29b-41d4-a716-446655440000'],
  ['556012-5790', 'Org. 556012-5790'],
  ['Org.nr: 556012-5790', '556012-5790'],
  ['04578-000', 'CEP 04578-000'],
  ['651 81', '651 81 Karlstad'],
  ['04578000', '04578000 Sao Paulo'],
])('finds the number %j that is no identifier of a record in its texts', (q, other) => {
  expect(positions(q, [{ other: '5560125790 145780001 65181' }, { other }])).toEqual([1]);
});

it('finds a number that is no identifier of a record only where a text has each of its words as a whole', () => {
  const records = [{ other: '556012' }, { other: '556012 57901' }, { other: '5790' }];
  expect(positions('556012-5790', records)).toEqual([]);
  expect(positions('0x89ABCDEF', [{ other: '0x89ABCDEG' }, { other: '0x89ABCDEF0' }])).toEqual([]);
});

it('never finds IP addresses and AS numbers as words', () => {
  const records = [{ place: '192.0.2.1 AS64500' }];
  expect([positions('192.0.2.1', records), positions('AS64500', records)]).toEqual([[], []]);
});

it.each(['booking.com', 'https://booking.com/x', 'www.booking.com', 'info@booking.com', 'domain: booking.com'])(
  'finds the name that is the host name of %j',
  (q) => {
    expect(positions(q, [{ 'short-name': 'booking.com' }, { 'short-name': 'domain' }])).toEqual([0]);
  },
);

it('finds keys of version 6 by their first and their last digits', () => {
  const key = `${'1'.repeat(32)}${'2'.repeat(32)}`;
  for (const q of [key, '1'.repeat(16), '2'.repeat(16)]) expect([q, search(q, [{ key }]).total]).toEqual([q, 1]);
  for (const id of ['1'.repeat(16), '2'.repeat(16)]) expect([id, search(key, [{ key: id }]).total]).toEqual([id, 1]);
});

it('finds names by a host name that no record has only where one of their words is each label, also an article', () => {
  const records = [
    { 'short-name': 'CERT of Acorn' },
    { 'short-name': 'CERT at Oak' },
    { 'short-name': 'CERT', other: 'at' },
    { constituency: 'cert at sea' },
  ];
  expect(positions('cert.at', records)).toEqual([1]);
  expect(positions('acorn.of', records)).toEqual([0]);
  expect(positions('oak.of', records)).toEqual([]);
});

it('finds host names above the searched one, also without a public suffix', () => {
  const records = [{ contact: 'https://team.internal/' }, { contact: 'https://other.internal/' }];
  expect(positions('web.team.internal', records)).toEqual([0]);
});

it('puts the smallest range first, also where it is no prefix', () => {
  const records = [{ other: '10.0.0.0/26' }, { other: '10.0.0.63 - 10.0.0.64' }, { other: '10.0.0.0/8' }];
  expect(positions('10.0.0.63', records)).toEqual([1, 0, 2]);
});

it('puts the smaller of two ranges first that differ by one address', () => {
  const records = [{ other: '10.0.0.0/24' }, { other: '10.0.0.1 - 10.0.0.255' }, { other: '10.0.0.1 - 10.0.0.254' }];
  expect(positions('10.0.0.5', records)).toEqual([2, 1, 0]);
});

it('puts the host name with most labels in common first, also among long names', () => {
  const records = [
    { contact: 'https://example.org/' },
    { contact: 'https://x1.x2.x3.x4.x5.x6.x7.x8.x9.y.g.example.org/' },
  ];
  expect(positions('a.b.c.d.e.f.g.example.org', records)).toEqual([1, 0]);
});

it('has no hits in no sources', () => {
  const nothing = searchRecords({
    request: parseSearchText('acorn'),
    searchesKeys: true,
    sources: [],
    offset: 0,
    limit: 9,
  });
  expect(nothing).toEqual({ total: 0, hits: [], positions: [], suggestion: undefined });
});
