import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PropertyKind } from '../../../src/model/resource.js';
import type { PropertyValue } from '../../../src/model/property-value.js';
import type { FindingRule } from '../../../src/source/record/findings.js';
import {
  createLinkResolver,
  readExtraValue,
  valueReaders,
  readingTime,
} from '../../../src/source/record/read-value.js';

/** Time of reading in these tests. */
const NOW = readingTime(Date.UTC(2026, 5, 1, 12, 0, 0, 500));

type Reading = readonly [value: PropertyValue | undefined, rules: readonly FindingRule[]];

function read(kind: PropertyKind, raw: unknown): Reading {
  const rules: FindingRule[] = [];
  return [valueReaders[kind](raw, (rule) => rules.push(rule), NOW), rules];
}

function readExtra(raw: unknown): Reading {
  const rules: FindingRule[] = [];
  return [readExtraValue(raw, (rule) => rules.push(rule)), rules];
}

/** Nested so deep that recursion overflows the stack; JSON.parse accepts any depth. */
const DEPTH = 100_000;
const deepList: unknown = JSON.parse('['.repeat(DEPTH) + ']'.repeat(DEPTH));
const deepObject: unknown = JSON.parse(`${'{"a":'.repeat(DEPTH)}1${'}'.repeat(DEPTH)}`);

const kinds = Object.keys(valueReaders) as PropertyKind[];

describe('every kind of property', () => {
  test.each(kinds)('%s drops empty values without a finding', (kind) => {
    for (const empty of [null, '', [], {}, [null], ['', {}, []]]) expect(read(kind, empty)).toEqual([undefined, []]);
  });

  test.each(kinds)('%s drops white space with a finding', (kind) => {
    expect(read(kind, ' \t\n')).toEqual([undefined, ['white-space']]);
  });

  test.each(kinds.filter((kind) => kind !== 'id'))(
    '%s yields non-empty text or a list of it, whatever was sent',
    (kind) => {
      fc.assert(
        fc.property(fc.jsonValue({ maxDepth: 3 }), (raw) => {
          const [value] = read(kind, raw);
          for (const text of Array.isArray(value) ? value : [value ?? 'absent']) {
            expect(text).toBeTypeOf('string');
            expect(text).not.toBe('');
            expect(text).toBe(String(text).trim());
          }
          if (Array.isArray(value)) expect(value.length).toBeGreaterThan(0);
        }),
      );
    },
  );

  test('id yields a whole number or Infinity, whatever was sent', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.nat().map(String), fc.maxSafeNat()), (raw) => {
        const [value = 0] = read('id', raw);
        expect(Number.isSafeInteger(value) || value === Infinity).toBe(true);
        expect(Number(value)).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  test.each(kinds)('%s drops lists and objects nested 100,000 deep', (kind) => {
    for (const deep of [deepList, deepObject, [deepList], [deepObject]]) {
      expect(read(kind, deep)[0]).toBeUndefined();
      expect(read(kind, deep)[1]).toContain('nested-value');
    }
  });
});

describe('text', () => {
  test.each<[string, unknown, string, FindingRule[]]>([
    ['text unchanged', 'a\r\nb', 'a\r\nb', []],
    ['text without surrounding white space', '\ufeff a b\u00a0\n', 'a b', ['white-space']],
    ['a number', 42, '42', ['not-text']],
    ['a list with a number that lost its last digits', [1e21, 'a'], 'a', ['number-range', 'list-for-scalar']],
    ['a number that JSON can read but not write', JSON.parse('1e999'), 'Infinity', ['not-text']],
    ['a boolean', false, 'false', ['not-text']],
    ['a list of one', ['a'], 'a', ['list-for-scalar']],
    [
      'a list of several, all kept',
      ['a@example.org', 'b@example.org'],
      'a@example.org, b@example.org',
      ['list-for-scalar'],
    ],
    ['a list with gaps', ['', 'a', null], 'a', ['list-for-scalar']],
    ['a list of numbers', [1, 2], '1, 2', ['not-text', 'not-text', 'list-for-scalar']],
    ['an object, as its JSON text', { street: 'Main St', no: 1 }, '{"street":"Main St","no":1}', ['nested-value']],
    ['a list in a list, as its JSON text', [['a', 'b'], 'c'], '["a","b"], c', ['nested-value', 'list-for-scalar']],
    ['a lone surrogate', '\ud800', '\ud800', []],
  ])('reads %s', (_, raw, value, rules) => {
    expect(read('text', raw)).toEqual([value, rules]);
  });
});

describe('texts', () => {
  test.each<[string, unknown, string[], FindingRule[]]>([
    ['a list unchanged', ['a', 'b'], ['a', 'b'], []],
    ['a single text instead of a list', 'http://www.example.org/', ['http://www.example.org/'], []],
    ['a single text with a comma as one item', 'a, b', ['a, b'], []],
    ['a single number instead of a list', 7, ['7'], ['not-text']],
    ['a list with gaps', ['a', '', null, [], {}, 'b'], ['a', 'b'], []],
    ['items with surrounding white space', [' a', 'b '], ['a', 'b'], ['white-space', 'white-space']],
    ['numbers as text', [1, true], ['1', 'true'], ['not-text', 'not-text']],
    ['an object in a list', [{ url: 'a' }], ['{"url":"a"}'], ['nested-value']],
    ['an object instead of a list', { url: 'a' }, ['{"url":"a"}'], ['nested-value']],
    ['repeated items', ['a', 'a'], ['a', 'a'], []],
  ])('reads %s', (_, raw, value, rules) => {
    expect(read('texts', raw)).toEqual([value, rules]);
  });
});

describe('phones', () => {
  test.each<[string, unknown, string[] | undefined, FindingRule[]]>([
    ['telephone and fax numbers', ['+1 555 0100', '+1 555 0101 (fax)'], ['+1 555 0100', '+1 555 0101 (fax)'], []],
    [
      'a list without its bare (fax) items',
      ['+1 555 0100', '(fax)', ' (FAX)'],
      ['+1 555 0100'],
      ['white-space', 'bare-fax'],
    ],
    ['a list of a bare (fax) as absent', ['(fax)'], undefined, ['bare-fax']],
    ['a single number instead of a list', '+1 555 0100', ['+1 555 0100'], []],
    ['a bare (fax) instead of a list', '(fax)', undefined, ['bare-fax']],
    ['a number without quotes', [15550100], ['15550100'], ['not-text']],
  ])('reads %s', (_, raw, value, rules) => {
    expect(read('phones', raw)).toEqual([value, rules]);
  });
});

describe('country', () => {
  test.each<[string, unknown, string, FindingRule[]]>([
    ['a code', 'BR', 'BR', []],
    ['a code in lower case', 'br', 'BR', ['country-form']],
    ['UK, which is not in ISO 3166-1, as GB', 'UK', 'GB', ['country-form']],
    ['EL, which is not in ISO 3166-1, as GR', 'el', 'GR', ['country-form']],
    ['a name', 'brazil', 'BR', ['country-form']],
    ['the European Union, which is no country', 'EU', 'EU', []],
    ['the name of several countries unchanged', 'Congo', 'Congo', ['unknown-country']],
    ['an unknown code unchanged', 'XX', 'XX', ['unknown-country']],
    ['a list of one', ['BR'], 'BR', ['list-for-scalar']],
    ['a list of two as text', ['BR', 'PT'], 'BR, PT', ['list-for-scalar', 'unknown-country']],
    ['a numeric code', 840, 'US', ['not-text', 'country-form']],
    ['a number that is no code', 76, '76', ['not-text', 'unknown-country']],
  ])('reads %s', (_, raw, value, rules) => {
    expect(read('country', raw)).toEqual([value, rules]);
  });
});

describe('countries', () => {
  test.each<[string, unknown, string[], FindingRule[]]>([
    ['codes', ['BR', 'PT'], ['BR', 'PT'], []],
    ['codes in other forms', ['uk', ' pt'], ['GB', 'PT'], ['white-space', 'country-form', 'country-form']],
    ['a single code instead of a list', 'BR', ['BR'], []],
    ['several codes in one text', 'BR, pt', ['BR', 'PT'], ['country-form']],
    ['several names in one text', 'Brazil, PRT', ['BR', 'PT'], ['country-form', 'country-form']],
    ['a name with a comma', 'Korea, Republic of', ['KR'], ['country-form']],
    [
      'a text with a comma that is not a list of countries unchanged',
      ['Bonaire, Saba', 'BR'],
      ['Bonaire, Saba', 'BR'],
      ['unknown-country'],
    ],
  ])('reads %s', (_, raw, value, rules) => {
    expect(read('countries', raw)).toEqual([value, rules]);
  });
});

describe('date', () => {
  test.each<[string, unknown, string, FindingRule[]]>([
    ['a day', '2014-11-15', '2014-11-15', []],
    ['a year without a month', '1993', '1993', []],
    ['a month without a day', '1993-05', '1993-05', []],
    ['a day in words', 'September 8, 2008', '2008-09-08', ['date-form']],
    ['a time', '2014-11-15T10:00:00+00:00', '2014-11-15T10:00:00+00:00', []],
    ['a time with a space and an offset', '2016-06-09 13:59:39 +00:00', '2016-06-09T13:59:39+00:00', ['date-form']],
    ['an HTTP date', 'Thu, 02 Apr 2026 21:28:40 GMT', '2026-04-02T21:28:40+00:00', ['date-form']],
    ['a year without quotes', 1993, '1993', ['not-text']],
    ['a list of one', ['1993'], '1993', ['list-for-scalar']],
    ['text that is not a date unchanged', 'founded in 1993', 'founded in 1993', ['unreadable-date']],
    ['a day that does not exist unchanged', '2015-02-30', '2015-02-30', ['unreadable-date']],
  ])('reads %s', (_, raw, value, rules) => {
    expect(read('date', raw)).toEqual([value, rules]);
  });
});

describe('timestamp', () => {
  test.each<[string, unknown, string, FindingRule[]]>([
    ['a timestamp', '2015-06-03T14:05:27+00:00', '2015-06-03T14:05:27+00:00', []],
    ['another zone as UTC', '2015-06-03T16:05:27+02:00', '2015-06-03T14:05:27+00:00', ['date-form']],
    ['a day as its first second', '2015-06-03', '2015-06-03T00:00:00+00:00', ['date-form']],
    ['an HTTP date with an offset', 'Wed, 13 May 2015 01:56:15 +0000', '2015-05-13T01:56:15+00:00', ['date-form']],
    ['text that is not a date unchanged', 'yesterday', 'yesterday', ['unreadable-date']],
    ['a zero date of a database unchanged', '0000-00-00 00:00:00', '0000-00-00 00:00:00', ['unreadable-date']],
  ])('reads %s', (_, raw, value, rules) => {
    expect(read('timestamp', raw)).toEqual([value, rules]);
  });
});

describe('extra property', () => {
  test.each<[string, unknown, PropertyValue | undefined, FindingRule[]]>([
    ['text', ' a ', 'a', ['white-space']],
    ['a number as a number', 7.5, 7.5, []],
    ['zero', 0, 0, []],
    ['the largest exact integer', 9007199254740991, 9007199254740991, []],
    ['an integer that JSON.parse rounds', JSON.parse('12345678901234567890'), 12345678901234567000, ['number-range']],
    [
      'a negative integer that JSON.parse rounds',
      [JSON.parse('-9007199254740993')],
      [-9007199254740992],
      ['number-range'],
    ],
    ['a fraction as the nearest number', JSON.parse('0.1000000000000000055'), 0.1, []],
    ['a number that JSON can read but not write', JSON.parse('-1e999'), '-Infinity', ['not-text']],
    ['a boolean as a boolean', false, false, []],
    ['a list of several types', ['a', 1, true], ['a', 1, true], []],
    ['a list with gaps', [null, '', 0], [0], []],
    ['an object, as its JSON text', { a: [1] }, '{"a":[1]}', ['nested-value']],
    ['a list in a list, as its JSON text', [[1, 2], 3], ['[1,2]', 3], ['nested-value']],
    ['a list of empty values as absent', [[], {}, null], undefined, []],
  ])('reads %s', (_, raw, value, rules) => {
    expect(readExtra(raw)).toEqual([value, rules]);
  });

  test('drops and counts a value that is nested too deep to be written', () => {
    expect(readExtra(deepObject)).toEqual([undefined, ['nested-value']]);
    expect(readExtra([deepList, 'a'])).toEqual([['a'], ['nested-value']]);
  });
});

describe('createLinkResolver', () => {
  const sites = fc.constantFrom(
    'https://www.example.org',
    'https://www.example.org/news/',
    'http://example.org:8080/a/b',
    'https://EXAMPLE.org:443',
    'https://someone@example.org/',
  );
  const links = fc.array(
    fc.constantFrom(
      '/',
      '//',
      '.',
      '..',
      'a',
      'news',
      '-',
      '~',
      '_',
      '%2e',
      '%41',
      '?',
      '=',
      '&',
      '#',
      ' ',
      'é',
      '\\',
      ':',
      '|',
      '\n',
    ),
    { maxLength: 8 },
  );

  const resolved = (link: string, site: string): string => {
    try {
      return new URL(link, site).href;
    } catch {
      return link;
    }
  };

  test('resolves a link against the site as a browser does', () => {
    fc.assert(
      fc.property(sites, links, fc.boolean(), (site, parts, rooted) => {
        const link = `${rooted ? '/' : ''}${parts.join('')}`;
        const naive = /^[a-z][a-z0-9+.-]*:/i.test(link) ? link : resolved(link, site);
        expect(createLinkResolver(site)(link)).toBe(naive);
      }),
      { numRuns: 3_000 },
    );
  });

  test.each([
    ['a scheme', 'https://www.example.org', 'mailto:cert@example.org'],
    ['no site', undefined, '/news'],
    ['an invalid site', 'no site', '/news'],
  ])('leaves a link with %s unchanged', (_title, site, link) => {
    expect(createLinkResolver(site)(link)).toBe(link);
  });
});

describe('a date later than the time of reading is kept and counted', () => {
  test.each<[kind: PropertyKind, raw: string, written: string, rules: readonly FindingRule[]]>([
    ['timestamp', '2026-06-01T12:00:00+00:00', '2026-06-01T12:00:00+00:00', []],
    ['timestamp', '2026-06-01T12:00:01+00:00', '2026-06-01T12:00:01+00:00', ['future-date']],
    ['timestamp', '2026-06-01T14:00:00+02:00', '2026-06-01T12:00:00+00:00', ['date-form']],
    ['timestamp', '2026-06-01T14:00:01+02:00', '2026-06-01T12:00:01+00:00', ['date-form', 'future-date']],
    ['spaced-timestamp', '2026-06-01 12:00:00+00:00', '2026-06-01 12:00:00+00:00', []],
    ['spaced-timestamp', '2026-06-01 12:00:01+00:00', '2026-06-01 12:00:01+00:00', ['future-date']],
    ['spaced-timestamp', '2026-06-02', '2026-06-02 00:00:00+00:00', ['date-form', 'future-date']],
    ['http-date', 'Mon, 01 Jun 2026 12:00:00 GMT', 'Mon, 01 Jun 2026 12:00:00 GMT', []],
    ['http-date', 'Mon, 01 Jun 2026 12:00:01 GMT', 'Mon, 01 Jun 2026 12:00:01 GMT', ['future-date']],
    ['http-date', '2026-06-01T12:00:01Z', 'Mon, 01 Jun 2026 12:00:01 GMT', ['date-form', 'future-date']],
    ['date', '2026', '2026', []],
    ['date', '2026-06', '2026-06', []],
    ['date', '2026-06-01', '2026-06-01', []],
    ['date', '2026-06-02', '2026-06-02', ['future-date']],
    ['date', '2026-07', '2026-07', ['future-date']],
    ['date', '2027', '2027', ['future-date']],
    ['date', 'September 8, 2028', '2028-09-08', ['date-form', 'future-date']],
    ['date', '2026-05-31T23:59:59+00:00', '2026-05-31T23:59:59+00:00', []],
  ])('%s %s', (kind, raw, written, rules) => {
    expect(read(kind, raw)).toEqual([written, rules]);
  });
});
