import { describe, expect, it } from 'vitest';
import { findHitReasons } from '../../src/search/hit-reasons.js';
import { listReasons } from '../support/unit/list-hit-reasons.js';
import type { SearchedProperty } from '../../src/search/index/field-texts.js';
import { parseSearchText } from '../../src/search/text/search-request.js';

const KEY = `${'0123456789abcdef'.repeat(2)}89abcdef`;
const RECORD: readonly SearchedProperty[] = [
  { name: 'short-team-name', field: 'short-name', items: ['Acorn-CERT'] },
  { name: 'official-team-name', field: 'official-name', items: ['Acorn Emergency Müller'] },
  { name: 'website', field: 'contact', items: ['https://dept.example.org/', 'https://team.internal/'] },
  { name: 'email', field: 'contact', items: ['Cert@example.org'] },
  { name: 'constituency', field: 'constituency', items: ['10.0.0.0/8, AS64500', 'acorns'] },
  { name: 'phone-numbers', field: 'phone', items: ['+47 22113344', '13344'] },
  { name: 'enckeys', field: 'key', items: [`0x${KEY}`] },
];

const reasons = (q: string, searchesKeys = true): readonly string[] =>
  listReasons(RECORD, parseSearchText(q), searchesKeys).map(
    ({ kind, property, text }) => `${kind} ${property} ${text}`,
  );

describe('reasons of a hit', () => {
  it.each([
    ['acorn cert', ['name short-team-name Acorn-CERT']],
    ['ACORN EMERGENCY MUELLER', ['name official-team-name Acorn Emergency Müller']],
    ['cert acorn', ['word short-team-name cert', 'word short-team-name acorn']],
    ['emerg', ['beginning official-team-name emergency']],
    ['emergncy', ['spelling official-team-name emergency']],
    ['muellr', ['spelling official-team-name mueller']],
    ['acorncert x', ['word short-team-name acorncert']],
    ['mail.dept.example.org', ['host website dept.example.org', 'host email example.org']],
    ['other.example.org', ['host website dept.example.org', 'host email example.org']],
    ['ample.org', []],
    ['x.team.internal', ['host website team.internal']],
    ['cert@example.org', ['host website dept.example.org', 'host email example.org', 'e-mail email cert@example.org']],
    ['10.1.2.3', ['ip-range constituency 10.0.0.0/8']],
    ['9.0.0.0 - 10.0.0.0', ['ip-range constituency 10.0.0.0/8']],
    ['10.255.255.255 - 11.0.0.0', ['ip-range constituency 10.0.0.0/8']],
    ['AS64500', ['as-number constituency 64500']],
    ['4722113344', ['telephone phone-numbers 4722113344']],
    [KEY.slice(-8), [`key enckeys ${KEY.slice(-8)}`]],
    [`ff${KEY}`.slice(0, 40), []],
    ['nothing', []],
  ])('for %s are %j', (q, expected) => {
    expect(reasons(q)).toEqual(expected);
  });

  it('have no key where keys are not searched', () => {
    expect(reasons(KEY, false)).toEqual([]);
  });

  it('are at most ten, and each is listed once', () => {
    const items = Array.from({ length: 50 }, (_, at) => `https://h${at % 25}.example.org/`);
    const found = listReasons([{ name: 'website', field: 'contact', items }], parseSearchText('example.org'), true);
    expect([found.length, new Set(found.map(({ text }) => text)).size]).toEqual([10, 10]);
  });

  it('are the word as it is written rather than a similar one in a more important property', () => {
    const record: readonly SearchedProperty[] = [
      { name: 'short-team-name', field: 'short-name', items: ['Acron'] },
      { name: 'operating-hours', field: 'other', items: ['acorn'] },
    ];
    expect(listReasons(record, parseSearchText('acorn'), true)).toMatchObject([
      { kind: 'word', property: 'operating-hours' },
    ]);
  });

  it('are the ranges of a long list that have the address, each as it is and not the list', () => {
    const list = Array.from({ length: 2_000 }, (_, at) => `10.${at >> 8}.${at & 255}.0/24`).join(' ');
    const properties: readonly SearchedProperty[] = [{ name: '-x-nets', field: 'other', items: [list, list] }];
    const texts = (q: string): readonly string[] =>
      listReasons(properties, parseSearchText(q), true).map(({ text }) => text);
    expect(texts('10.1.2.3')).toEqual(['10.1.2.0/24']);
    expect(texts('10.0.0.0/8')).toEqual(Array.from({ length: 10 }, (_, at) => `10.0.${at}.0/24`));
  });

  it('are the singular of a searched word, and of a word for a kind of team no word that begins with it', () => {
    const record: readonly SearchedProperty[] = [
      { name: 'official-team-name', field: 'official-name', items: ['Social Bank', 'Certified'] },
    ];
    const found = (q: string): readonly unknown[] =>
      listReasons(record, parseSearchText(q), true).map(({ kind, text }) => [kind, text]);
    expect(found('banks soc certs')).toEqual([['spelling', 'bank']]);
    expect(found('soc')).toEqual([['beginning', 'social']]);
  });

  it('of the code of a country are the country, not an article of the address', () => {
    const record: readonly SearchedProperty[] = [
      { name: 'official-team-name', field: 'official-name', items: ['Hospital de la Costa'] },
      { name: 'address', field: 'place', items: ['Plaza de la Costa\nDE'] },
    ];
    const found = listReasons(record, parseSearchText('hospital DE'), true);
    expect(found.map(({ kind, property, text }) => [kind, property, text])).toEqual([
      ['word', 'official-team-name', 'hospital'],
      ['word', 'address', 'de'],
    ]);
    const other = listReasons(record.slice(0, 1), parseSearchText('costa DE'), true);
    expect(other.map(({ text }) => text)).toEqual(['costa']);
  });

  it('of a host name that is searched as words are in names only', () => {
    const record: readonly SearchedProperty[] = [
      { name: 'constituency-description', field: 'constituency', items: ['booking com'] },
      { name: 'host', field: 'host', items: ['Booking Com'] },
    ];
    const found = listReasons(record, parseSearchText('booking.com'), true);
    expect(found.map(({ property, text }) => [property, text])).toEqual([
      ['host', 'booking'],
      ['host', 'com'],
    ]);
    expect(listReasons(record.slice(0, 1), parseSearchText('booking.com'), true)).toEqual([]);
  });

  const reasonsOf = (q: string, record: readonly SearchedProperty[]): readonly string[] =>
    listReasons(record, parseSearchText(q), true).map(({ kind, property, text }) => `${kind} ${property} ${text}`);

  it('of the code of a country are in names and places only, and not in a word with the one before it', () => {
    const record: readonly SearchedProperty[] = [
      { name: 'short-team-name', field: 'short-name', items: ['HospitalDE North'] },
      { name: 'operating-hours', field: 'other', items: ['de'] },
    ];
    expect(reasonsOf('hospital DE', record)).toEqual(['beginning short-team-name hospitalde']);
    expect(reasonsOf('hospital de', record)).toEqual(['word short-team-name hospitalde', 'word operating-hours de']);
  });

  it('are no word that begins with an article and the word behind it', () => {
    const record: readonly SearchedProperty[] = [
      { name: 'short-team-name', field: 'short-name', items: ['Debanking'] },
      { name: 'operating-hours', field: 'other', items: ['bank'] },
    ];
    expect(reasonsOf('de bank', record)).toEqual(['word operating-hours bank']);
  });

  it('are the first of several words that match as well', () => {
    const record: readonly SearchedProperty[] = ['acornwoaxs', 'acornwoays'].map((item, at) => ({
      name: `name-${at}`,
      field: 'short-name',
      items: [item],
    }));
    expect(reasonsOf('acornwoods', record)).toEqual(['spelling name-0 acornwoaxs']);
  });

  it('are words that differ from the transliteration of a word by as many typing errors as that tolerates', () => {
    expect(reasonsOf('Søn', [{ name: 'short-team-name', field: 'short-name', items: ['Soex'] }])).toEqual([
      'spelling short-team-name soex',
    ]);
  });

  it('are found with a pause behind each item, and before each word is compared with those of a property', () => {
    const steps = findHitReasons(RECORD, parseSearchText('acorn emergncy'), true);
    let pauses = 0;
    while (steps.next().done !== true) pauses += 1;
    // Names of two items and words of seven; two words in five properties, the second with typing errors, too.
    expect(pauses).toBe(2 + 7 + 5 + 5 + 5);
    const numbers = findHitReasons(RECORD, parseSearchText('4799999999'), true);
    let more = 0;
    while (numbers.next().done !== true) more += 1;
    // Identifiers of ten items, then the words.
    expect(more).toBe(2 + 10 + 7 + 5);
  });

  it('of a hostile record are found in the words that are searched', () => {
    const words = Array.from({ length: 3_000 }, (_, at) => `acorn${at}`)
      .join(' ')
      .slice(0, 16_384);
    const hostile = RECORD.map((property) => ({ ...property, items: [words] }));
    const searched = Array.from({ length: 20 }, (_, at) => `axorn${at}9`).join(' ');
    expect(listReasons(hostile, parseSearchText(searched), true).every(({ kind }) => kind === 'spelling')).toBe(true);
  });
});
