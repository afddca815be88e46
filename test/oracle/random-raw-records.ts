import fc from 'fast-check';
import type { RawRecord } from '../support/upstream/paged-responses.js';

/** Further properties that the registrations declare. */
export const REGISTERED_PROPERTIES = ['rank', 'timezone'];

/** Equal and similar names, several scripts, astral code points, and code points that UTF-16 order puts after those. */
const NAMES = [
  ...['CERT', 'cert', 'Cért', 'CERT 9', 'CERT 10', 'Ørsted CERT', 'orsted cert', 'STRASSE', 'Straße', 'ﬁre', 'Fire'],
  ...[
    '日本CERT',
    'ΣΟΦΙΑΣ',
    'σοφιας',
    'Łódź',
    'İzmir',
    'ızmir',
    'Đà Nẵng',
    'Ａ wide',
    'فريق',
    'команда',
    '!!!',
    'A-B',
    'A B',
  ],
  ...['Team \u{1F6E1}', 'Team \uE000', 'Team \uFFFD', 'Team \u{10FFFF}', 'Team z', 'Team', '__proto__', '0', '-1'],
];
const HOSTS = [
  'Example Org',
  'EXAMPLE ORG',
  'Exämple Org',
  'Example, Ltd.',
  'a|b',
  'line\r\nfeed',
  '=1+1',
  'null',
  'true',
];
const DATES = [
  ...[
    '1993',
    '1993-05',
    '1993-05-01',
    '1993-05-01T00:00:00Z',
    'September 8, 2008',
    '2008-09-08',
    'long ago',
    'n/a',
    1993,
  ],
  ...['Thu, 02 Apr 2026 21:28:40 GMT', 'Thu, 02 Apr 2026 21:28:40 +0000', '2016-06-09 13:59:39 +00:00', 'May 1993'],
  ...['2015-06-03T14:05:27+02:00', '2015-06-03T12:05:27+00:00', '2015-06-03', 'Sat, 30 Feb 2030 99:00:00 GMT'],
  // Far in the future.
  ...['2999', '2999-01-01T00:00:00+00:00', 'Tue, 01 Jan 2999 00:00:00 GMT'],
];
const COUNTRIES = ['BR', 'br', 'PT', 'UK', 'GB', 'EL', 'NO', ' DE ', 'JP', 'AQ', 'XK', 'XX', 'Norway'];
const LINKS = [
  ...['https://www.example.org/a', '/a', '/A?b=c', 'b.html', '../c', '//cdn.example.net/d', 'mailto:press@example.org'],
  ...['#here', '/å b', 'HTTPS://www.example.org/a'],
];
const PHONES = ['+1 202 555 0100', '(fax)', '+1 202 555 0101 (fax)', '+1-202-555-0101', '+1 202 555 0102'];
const FINGERPRINTS = ['0123456789ABCDEF0123456789ABCDEF01234567', '0xABCDEF0123456789ABCDEF0123456789ABCDEF01'];
const TITLES = ['News', 'NEWS', 'Néws', 'Events & more', 'Блог', 'a,b', '10'];
const RANKS = [1, 2, 10, -3, 0.5, 1e21, '10', '9', 'first', true, false, [3, 1], [], ['2'], { a: 1 }, null];
const ZONES = ['UTC', 'utc', 'UTC+1', 'UTC-10', ['UTC', 'CET'], 7];

/** The value unchanged, or in one of the irregular forms that repositories send. */
function messy(values: readonly unknown[]): fc.Arbitrary<unknown> {
  const value = fc.constantFrom(...values);
  return fc.oneof(
    { weight: 8, arbitrary: value },
    { weight: 1, arbitrary: value.map((one) => [one]) },
    { weight: 1, arbitrary: value.map((one) => (typeof one === 'string' ? `  ${one}\t` : one)) },
    { weight: 1, arbitrary: fc.constantFrom('', null, [], {}, [''], 7, { city: 'Oslo' }, ['a', ' b ', null]) },
  );
}

function messyList(values: readonly unknown[]): fc.Arbitrary<unknown> {
  return fc.oneof(fc.array(messy(values), { maxLength: 3 }), messy(values));
}

/** A team of the directory interface; any property may be missing. */
export function directoryTeam(code: string): fc.Arbitrary<RawRecord> {
  return fc.record(
    {
      timezone: messyList(ZONES),
      'short-team-name': messy(NAMES),
      'official-team-name': messy(NAMES),
      'country-code': messy(COUNTRIES),
      'additional-country-code': messyList(COUNTRIES),
      website: messyList(['https://www.example.org/', 'http://example.net']),
      email: messy(['cert@example.org', 'CERT@example.org', 'abuse@example.net']),
      host: messy(HOSTS),
      establishment: messy(DATES),
      'phone-numbers': messyList(PHONES),
      enckeys: messyList(['0xABCDEF0123456789', ...FINGERPRINTS]),
      'constituency-code': messy(['008', 8, '8']),
      'source-name': messy(['alfa', 'Elsewhere', 'ALFA']),
      rank: messyList(RANKS),
      note: messy(HOSTS),
      [`-${code}-member-type`]: messy(['Full Member', 'Liaison', 'full member']),
      '-alfa-member-type': messy(['Full Member', 'Liaison']),
      'last-modified': messy(DATES),
    },
    { requiredKeys: [] },
  );
}

/** A team of the data interface; any property may be missing, and the properties are in no particular order. */
export function dataTeam(code: string): fc.Arbitrary<RawRecord> {
  return fc.record(
    {
      'pgp-id': messy(['0xABCDEF0123456789']),
      id: messy(['harbour', 'inland_cert', 'cert', 7, 'cert 9']),
      membership: messy(['Full Member', 'Liaison']),
      team: messy(NAMES),
      'team-full': messy(NAMES),
      country: messy(COUNTRIES),
      'country-other': messyList(COUNTRIES),
      'pgp-key': messy(['-----BEGIN PGP PUBLIC KEY BLOCK-----\n']),
      website: messyList(['https://www.example.org/', 'http://example.net']),
      email: messy(['cert@example.org', 'CERT@example.org', 'abuse@example.net']),
      host: messy(HOSTS),
      establishment: messy(DATES),
      address: messy(HOSTS),
      phone: messyList(PHONES),
      fax: messy(PHONES.slice(2)),
      'phone-emergency': messy(['+1 202 555 0102', '+1 202 555 0100']),
      timezone: messy(ZONES),
      'team-type': messy(['CSIRT', 'PSIRT']),
      'member-since': messy(DATES),
      'pgp-fingerprint': messy(FINGERPRINTS),
      'source-name': messy(['alfa', 'Elsewhere', 'ALFA']),
      rank: messyList(RANKS),
      note: messy(HOSTS),
      [`-${code}-x`]: messy(['y']),
      '-alfa-member-type': messy(['Full Member', 'Liaison']),
      'last-modified': messy(DATES),
    },
    { requiredKeys: [] },
  );
}

/** A news item, in channels with these titles; any property may be missing. */
export function newsItem(titles: readonly string[]): fc.Arbitrary<RawRecord> {
  return fc.record(
    {
      summary: messy(HOSTS),
      title: messy(NAMES),
      link: messy(LINKS),
      published: messy(DATES),
      content: messy(['<p>Content</p>', '<p>Other\r\ncontent</p>']),
      channels: fc.subarray([...titles]),
      'source-name': messy(['alfa', 'Elsewhere', 'ALFA']),
      rank: messyList(RANKS),
    },
    { requiredKeys: [] },
  );
}

/** A channel; any property but its title may be missing. */
export function channel(): fc.Arbitrary<RawRecord> {
  return fc.record(
    {
      title: fc.constantFrom(...TITLES),
      rss: messy(LINKS),
      link: messy(LINKS),
      image: messy(LINKS),
      summary: messy(HOSTS),
      copyright: messy(['© Example Org']),
      language: messy(['en', 'no']),
      'source-name': messy(['alfa', 'Elsewhere', 'ALFA']),
    },
    { requiredKeys: ['title'] },
  );
}

/**
 * Adds a name to records without one, and makes every e-mail address unique. Two records that agree in all properties that the id
 * depends on, but differ in others, would have no defined order.
 */
function distinct(records: readonly RawRecord[], [short, full]: readonly [string, string]): RawRecord[] {
  return records.map((record, at) => {
    const named: RawRecord = { [short]: NAMES[at % NAMES.length], ...record };
    const address = 'email' in record ? { email: `${JSON.stringify(record['email'])} ${at}` } : undefined;
    const official = address === undefined || EMPTY.includes(JSON.stringify(named[short]));
    return { ...named, ...address, ...(official && { [full]: `Official ${at}` }) };
  });
}

/** JSON of values that count as no name. */
export const EMPTY = ['""', 'null', '[]', '{}', '[""]'];

/** Teams of which some occur twice, and sometimes a record without a name. */
export function teams(
  team: fc.Arbitrary<RawRecord>,
  names: readonly [string, string],
): fc.Arbitrary<readonly RawRecord[]> {
  const many = fc.array(team, { maxLength: 35, size: 'max' }).map((records) => distinct(records, names));
  const spoilt = fc.tuple(many, fc.nat({ max: 3 }), fc.boolean(), fc.nat());
  return spoilt.map(([records, twins, nameless, at]) => {
    const all = [...records, ...records.slice(0, twins)];
    if (nameless && all.length > 3) all.splice(at % all.length, 0, { host: 'Nobody' });
    return all;
  });
}

/** Adds integer ids, some of them as text, and a title or summary. The first item is in no channel, so that not all items of a source are in one. */
export function numbered(records: readonly RawRecord[]): RawRecord[] {
  return records.map((record, at) => {
    const id = (at * 37) % 101;
    const named = { ...record, id: at % 5 === 0 ? `${id}` : id, title: record['title'] ?? NAMES[at % NAMES.length] };
    if (at === 0) return { ...named, 'source-name': undefined, channels: [], summary: 'The first' };
    return EMPTY.includes(JSON.stringify(named.title)) ? { ...named, summary: `Summary ${at}` } : named;
  });
}
