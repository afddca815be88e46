import fc from 'fast-check';
import type { TeamInput } from '../../support/unit/team-record-set.js';
import { addressNumber } from './naive-search.js';
import type { GeneratedSearch } from './naive-search.js';

const WORDS = [
  ...[
    'Acorn',
    'Acorns',
    'Acron',
    'Birch',
    'Birk',
    'Cedarwood',
    'Cedarwoods',
    'Cedarwold',
    'Willow',
    'Müller',
    'Mueller',
  ],
  ...['Muller', 'Søndag', 'Nordlyset', 'CERT', 'CSIRT', 'watch', 'of', 'the', '2024', '20241', 'AB', 'open', 'svit'],
];
const HOSTS = [
  ...['example.org', 'dept.example.org', 'mail.dept.example.org', 'lab.example.org', 'example.net', 'a.example.net'],
  ...['team.internal', 'web.team.internal', 'other.internal'],
];
/** Host names of many labels: they have more or fewer of them in common with each other. */
const LONG_HOSTS = [
  ...['a.b.c.d.e.f.g.example.org', 'x.b.c.d.e.f.g.example.org', 'f.g.example.org', 'g.example.org'],
  ...['x1.x2.x3.x4.x5.x6.x7.x8.x9.y.g.example.org', 'x1.x2.x3.x4.x5.x6.x7.x8.f.g.example.org'],
];
/** Host names that no record has: also those whose labels are words of names, articles among them. */
const SEARCHED_HOSTS = [
  ...['new.dept.example.org', 'gone.example', 'x.web.team.internal'],
  ...['watch.of', 'cert.the', 'of.acorn.the'],
];
const PHONES = ['+47 22113344', '0047 (0) 22113344', '22113344', '+46 822113344', '022113399', '12345', '+47 2211'];
const KEY = '0123456789ABCDEF0123456789ABCDEF89ABCDEF';
const KEYS = [`0x${KEY}`, `0x${KEY.slice(-16)}`, '0x89ABCDEF', '0x11111111', `0x${'2'.repeat(40)}`];
const RANGES = [
  ...['10.0.0.0/8', '10.1.0.0/16', '10.1.2.0/24', '10.1.2.3', '10.2.0.0/16', '11.0.0.0/8'],
  ...['10.1.2.1 - 10.1.2.255', '10.1.2.2 - 10.1.2.255', '10.1.0.1 - 10.1.255.255', '10.0.0.0 - 10.255.255.254'],
];
const NUMBERS = ['AS64500', 'AS64501'];

const word = fc.constantFrom(...WORDS);
const name = fc
  .array(word, { minLength: 1, maxLength: 3 })
  .chain((words) => fc.constantFrom(' ', '-', '').map((separator) => words.join(separator)));
const host = fc.constantFrom(...HOSTS, ...LONG_HOSTS);
const optional = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });

const team: fc.Arbitrary<Readonly<Record<string, string | readonly string[]>>> = fc
  .record({
    'short-team-name': optional(name),
    'official-team-name': optional(name),
    host: optional(name),
    'country-code': optional(fc.constantFrom('NO', 'SE', 'JP')),
    website: optional(
      fc.array(
        host.map((one) => `https://www.${one}/start`),
        { minLength: 1, maxLength: 2 },
      ),
    ),
    email: optional(host.map((one) => `Cert@${one}`)),
    'phone-numbers': optional(fc.array(fc.constantFrom(...PHONES), { minLength: 1, maxLength: 2 })),
    enckeys: optional(fc.array(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 2 })),
    constituency: optional(fc.constantFrom(...RANGES, ...NUMBERS, ...HOSTS.slice(0, 6), ...LONG_HOSTS, 'Willow watch')),
    'operating-hours': optional(word),
  })
  .map((chosen) =>
    Object.fromEntries(
      Object.entries(chosen).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])),
    ),
  );

/** Up to 25 teams. All have the same source-name, so that it does not matter which source lists them. */
export const teams: fc.Arbitrary<readonly TeamInput[]> = fc
  .array(team, { maxLength: 25 })
  .map((all) => all.map((one, at) => ({ 'source-name': 'Register', ...one, slug: `t${String(at).padStart(2, '0')}` })));

/** A word with up to two typing errors. */
const misspelled = fc
  .tuple(word, fc.nat(9), fc.constantFrom('swap', 'drop', 'add', 'replace', 'cut'), fc.boolean())
  .map(([one, position, change, isTwice]) => {
    const edit = (text: string, at: number): string => {
      if (change === 'cut') return text.slice(0, at + 1);
      if (change === 'drop') return text.slice(0, at) + text.slice(at + 1);
      if (change === 'swap')
        return text.slice(0, at) + text.slice(at + 1, at + 2) + text.slice(at, at + 1) + text.slice(at + 2);
      return `${text.slice(0, at)}z${text.slice(change === 'add' ? at : at + 1)}`;
    };
    const once = edit(one, position % one.length);
    const both = isTwice ? edit(once, (position + 3) % Math.max(1, once.length)) : once;
    return /[\p{L}\p{N}]/u.test(both) ? both : one;
  });

const wordSearch: fc.Arbitrary<GeneratedSearch> = fc
  .array(fc.oneof(word, misspelled), { minLength: 1, maxLength: 4 })
  // Digits alone are a telephone number, and hexadecimal digits alone may be a key id.
  .filter((words) => !/^[\da-f ]+$/i.test(words.join(' ')))
  .map((words) => ({ text: words.join(' ') }));

const identifierSearch: fc.Arbitrary<GeneratedSearch> = fc.oneof(
  fc
    .constantFrom(...HOSTS, ...LONG_HOSTS, ...SEARCHED_HOSTS)
    .chain((one) =>
      fc.constantFrom<GeneratedSearch>(
        { text: one, identifier: { kind: 'host', host: one } },
        { text: `https://WWW.${one}/x`, identifier: { kind: 'host', host: one } },
        { text: `cert@${one}`, identifier: { kind: 'host', host: one, email: `cert@${one}` } },
      ),
    ),
  fc
    .constantFrom('4722113344', '22113344', '2113344', '113344', '46822113344', '12345', '22113', '4712345')
    .chain((digits) =>
      fc
        .constantFrom(digits, `+${digits}`, `00${digits}`, `0${digits}`)
        .map((text): GeneratedSearch => ({ text, identifier: { kind: 'telephone', digits } })),
    ),
  fc
    .constantFrom(KEY, KEY.slice(-16), '89ABCDEF', '11111111', '2'.repeat(40), `3${KEY.slice(1)}`)
    .map((digits): GeneratedSearch => ({
      text: `0x${digits}`,
      identifier: { kind: 'key', digits: digits.toLowerCase() },
    })),
  fc
    .constantFrom(64_500, 64_501, 64_502)
    .map((number): GeneratedSearch => ({ text: `ASN ${number}`, identifier: { kind: 'as-number', number } })),
  fc.constantFrom('10.1.2.3', '10.1.2.9', '10.9.9.9', '11.1.1.1', '12.0.0.1').map((one): GeneratedSearch => ({
    text: `${one}/32`,
    identifier: { kind: 'ip-range', first: addressNumber(one), last: addressNumber(one) },
  })),
);

/** A searched text: words, right and wrong, or an identifier. */
export const search: fc.Arbitrary<GeneratedSearch> = fc.oneof(wordSearch, identifierSearch);

/** Complete names of some of the teams, with other characters between their words. */
export function nameSearch(all: readonly TeamInput[]): fc.Arbitrary<GeneratedSearch> {
  const names = all
    .flatMap((one) => [one['short-team-name'], one['official-team-name']])
    .filter((one) => typeof one === 'string');
  const texts = names.map((one) => one.replaceAll('-', ' ')).filter((one) => !/^[\da-f ]+$/i.test(one));
  return texts.length === 0 ? wordSearch : fc.constantFrom(...texts.map((text) => ({ text })));
}
