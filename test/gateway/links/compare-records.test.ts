import { describe, expect, it } from 'vitest';
import { compareRecords } from '../../../src/gateway/links/compare-records.js';
import type { ComparedProperty } from '../../../src/gateway/links/compare-records.js';

const KEY = 'E437A7260123456789ABCDEF0123456789ABCDEF';
const OTHER_KEY = '1'.repeat(40);

/** The row of a property that each record states so; undefined: not at all. */
function compare(property: string, ...texts: readonly (readonly string[] | undefined)[]): ComparedProperty {
  const [row] = compareRecords(texts.map((one) => new Map(one === undefined ? [] : [[property, one]])));
  if (row === undefined) throw new Error('no row');
  return row;
}

describe('a property of several records', () => {
  it('agrees where all that state it do so in the same words', () => {
    expect(compare('host', ['Acorn'], ['Acorn'], ['Acorn'])).toMatchObject({ agreement: 'agree', isSpeltAlike: true });
    expect(compare('host', ['Acorn'], ['Acorn'], undefined)).toMatchObject({ agreement: 'agree', isSpeltAlike: true });
  });

  it.each<readonly [property: string, one: readonly string[], other: readonly string[]]>([
    ['official-team-name', ['Sjúkrahúsið í Þórsvík'], ['SJUKRAHUSID I THORSVIK']],
    ['enckeys', [`0x${KEY.toLowerCase()}`], [KEY.match(/.{4}/g)?.join(' ') ?? '']],
    ['enckeys', [`0x${KEY}`], ['0x89ABCDEF']],
    ['phone-numbers', ['+49 (0)228 9582-1'], ['0049 228 95821']],
    ['phone-emergency', ['+49 228 95821'], ['+49 (0) 228-95821']],
    [
      'email',
      ['CERT@acorn.example.org, abuse@acorn.example.org'],
      ['abuse@acorn.example.org', 'cert@acorn.example.org'],
    ],
    ['operating-hours', ['24x7'], ['24/7']],
    ['country-code', ['UK'], ['gb']],
    ['website', ['https://www.acorn.example.org/'], ['http://acorn.example.org']],
  ])('that is spelt differently agrees: %s', (property, one, other) => {
    expect(compare(property, one, other)).toMatchObject({ agreement: 'agree', isSpeltAlike: false });
  });

  it.each<readonly [property: string, one: string, other: string]>([
    ['enckeys', KEY, OTHER_KEY],
    ['enckeys', KEY, '0xE437A726'],
    ['phone-numbers', '+49 228 95821', '+49 228 95822'],
    ['phone-numbers', '+49 228 95821', '+49 228 95821 (fax)'],
    ['email', 'cert@acorn.example.org', 'cert@acorn.example.net'],
    ['operating-hours', '24x7', 'Mon-Fri 09:00-17:00'],
  ])('that a reader acts on contradicts where two have nothing in common: %s %s', (property, one, other) => {
    expect(compare(property, [one], [other], undefined).agreement).toBe('contradict');
  });

  it('differs where a reader does not act on it, or where two have some facts in common', () => {
    expect(compare('constituency', ['Hospitals & care'], ['Medical']).agreement).toBe('differ');
    expect(compare('enckeys', [KEY, OTHER_KEY], [KEY]).agreement).toBe('differ');
  });

  it('is alone where one record states it, and not where there is one record only', () => {
    expect(compare('host', undefined, ['Acorn'], undefined).agreement).toBe('alone');
    expect(compare('host', ['Acorn']).agreement).toBe('agree');
  });

  it('has every value in the words of its record, with the number of records that state it', () => {
    expect(compare('enckeys', [`0x${KEY}`, OTHER_KEY], ['0x89abcdef'], undefined).values).toEqual([
      [
        { text: `0x${KEY}`, holders: 2 },
        { text: OTHER_KEY, holders: 1 },
      ],
      [{ text: '0x89abcdef', holders: 2 }],
      [],
    ]);
  });

  it('has no row where no record states it', () => {
    expect(compareRecords([new Map([['host', []]]), new Map()])).toEqual([]);
  });

  it('is compared as written, and in time, where a value is too long', () => {
    const long = 'a/'.repeat(1_000_000);
    expect(compare('website', [long], [long.slice(0, -1)]).agreement).toBe('differ');
    const many = Array.from({ length: 50_000 }, (_, at) => `0x${at}`);
    expect(compare('enckeys', many, [...many].reverse()).agreement).toBe('agree');
  });
});
