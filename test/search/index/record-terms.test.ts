import { expect, it } from 'vitest';
import type { SearchField } from '../../../src/model/resource.js';
import { listTerms } from '../../../src/search/index/record-terms.js';
import { SEARCH_FIELDS } from '../../../src/search/index/terms.js';

function termsOf(texts: Partial<Record<SearchField, string>>): {
  readonly terms: readonly string[];
  readonly words: number;
} {
  const terms: string[] = [];
  const words = listTerms(
    SEARCH_FIELDS.map((field) => texts[field] ?? ''),
    {
      addTerm: (term, field) => terms.push(`${SEARCH_FIELDS[field]} ${JSON.stringify(term)}`),
      addJoined: (term, field) => terms.push(`${SEARCH_FIELDS[field]} ${JSON.stringify(term)} joined`),
      addRange: ({ first, last }) => terms.push(`range ${last - first + 1n}`),
    },
  );
  return { terms, words };
}

it('are the words of names, two neighbours as one, and the complete names', () => {
  const { terms, words } = termsOf({ 'short-name': 'Open Svít', host: 'A B' });
  expect(terms).toEqual([
    'short-name "open"',
    'short-name "svit"',
    'short-name "opensvit" joined',
    'short-name "\\u0001opensvit"',
    'host "a"',
    'host "b"',
    'host "ab" joined',
  ]);
  expect(words).toBe(2);
});

it('are no neighbours across two items, each of which is a name of its own', () => {
  expect(termsOf({ host: 'Alpha\nBeta' }).terms).toEqual(['host "alpha"', 'host "beta"']);
  expect(termsOf({ 'official-name': 'A\nB' }).terms).toContain('official-name "\\u0002b"');
});

it('are no neighbours in a script without spaces, whose words overlap', () => {
  expect(termsOf({ host: '日本語' }).terms).toEqual(['host "日本"', 'host "本語"']);
});

it('are the words of other texts without their neighbours', () => {
  expect(termsOf({ other: 'a b' }).terms).toEqual(['other "a"', 'other "b"']);
});

it('are identifiers, but no words of telephone numbers and keys', () => {
  const key = `${'1'.repeat(32)}${'2'.repeat(32)}`;
  expect(termsOf({ phone: '+47 12345', key, contact: 'a@b.org', constituency: 'AS1 10.0.0.0/8' }).terms).toEqual(
    [
      'constituency "\\tas1"'.replace('as1', '1'),
      'constituency "as1"',
      'constituency "10"',
      'constituency "0"',
      'constituency "0"',
      'constituency "0"',
      'constituency "8"',
      'contact "\\u0003org.b."',
      'contact "\\u0004a@b.org"',
      'contact "a"',
      'contact "b"',
      'contact "org"',
      'other "\\u00055432174"',
      'other "\\u00064712345"',
      `other "\\u0007${'2'.repeat(32)}${'1'.repeat(32)}"`,
      `other "\\b${key}"`,
    ].toSpliced(0, 0, 'range 16777216'),
  );
});
