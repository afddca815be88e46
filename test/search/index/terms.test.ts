import { expect, it } from 'vitest';
import {
  FIRST_WORD,
  SEARCH_FIELDS,
  TERM_KINDS,
  WORD_FIELDS,
  hostTerm,
  isNameField,
  reverse,
} from '../../../src/search/index/terms.js';
import { POSTING_BITS } from '../../../src/search/index/index-format.js';

it('begin with a character of their kind that is before all words', () => {
  const kinds: readonly string[] = Object.values(TERM_KINDS);
  expect([...kinds, FIRST_WORD, '0', 'a'].sort()).toEqual([...kinds.toSorted(), FIRST_WORD, '0', 'a']);
  expect(new Set(Object.values(TERM_KINDS)).size).toBe(Object.keys(TERM_KINDS).length);
});

it('of hosts have the labels in reverse order, so that a domain is the beginning of all names below it', () => {
  expect(hostTerm('dept.example.org')).toBe(`${TERM_KINDS.host}org.example.dept.`);
  expect(hostTerm('dept.example.org').startsWith(hostTerm('example.org'))).toBe(true);
  expect(hostTerm('dept.example.orgx').startsWith(hostTerm('example.org'))).toBe(false);
});

it('have a bit for each field whose words are searched', () => {
  expect(WORD_FIELDS.length).toBeLessThan(POSTING_BITS);
  expect(SEARCH_FIELDS.slice(0, WORD_FIELDS.length)).toEqual(WORD_FIELDS);
  expect(SEARCH_FIELDS.filter(isNameField)).toEqual(['short-name', 'official-name', 'host']);
});

it('are reversed by character', () => {
  expect([reverse('a1b'), reverse('a😀')]).toEqual(['b1a', '😀a']);
});
