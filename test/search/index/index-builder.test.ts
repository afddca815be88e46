import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseIpRange } from '../../../src/identifiers/ip-range.js';
import { IndexBuilder } from '../../../src/search/index/index-builder.js';
import { listTerms } from '../../../src/search/index/record-terms.js';
import { SearchIndex } from '../../../src/search/index/search-index.js';
import { FIRST_WORD, SEARCH_FIELDS } from '../../../src/search/index/terms.js';
import type { FieldTexts } from '../../../src/search/index/field-texts.js';
import { naiveTypingErrors } from '../../support/naive-typing-errors.js';

const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c', '1', 'ä', 'ж', '日', '-', ' '), maxLength: 8 });
const contact = fc.constantFrom('', 'a.example.org', 'https://b.a.example.org/', 'cert@example.org', 'x@y.internal');
const constituency = fc.constantFrom('', 'AS1', 'AS2 10.0.0.0/8', '2001:db8::/32\n10.1.0.0/16', '::/1, ::/1', 'abc');
const texts: fc.Arbitrary<FieldTexts> = fc
  .record({ 'short-name': word, 'official-name': word, host: word, place: word, other: word, contact, constituency })
  .map((chosen) => SEARCH_FIELDS.map((field) => (field in chosen ? chosen[field as keyof typeof chosen] : '')));

const SPELLED_BIT = 128;

interface NaiveIndex {
  /** Fields, as bits, and whether it is spelled so, by record and term. */
  readonly fields: ReadonlyMap<string, ReadonlyMap<number, number>>;
  readonly ranges: readonly string[];
  readonly nameWords: readonly number[];
}

function indexNaively(records: readonly FieldTexts[]): NaiveIndex {
  const fields = new Map<string, Map<number, number>>();
  const ranges: string[] = [];
  const add = (position: number, term: string, bits: number): void => {
    const ofTerm = fields.get(term) ?? new Map<number, number>();
    fields.set(term, ofTerm.set(position, (ofTerm.get(position) ?? 0) | bits));
  };
  const nameWords = records.map((record, position) =>
    listTerms(record, {
      addTerm: (term, field) => {
        add(position, term, 2 ** field + SPELLED_BIT);
      },
      addJoined: (term, field) => {
        add(position, term, 2 ** field);
      },
      addRange: ({ first, last }) => {
        const range = `${position} ${first} ${last}`;
        if (!ranges.includes(range)) ranges.push(range);
      },
    }),
  );
  return { fields, ranges, nameWords };
}

function build(records: readonly FieldTexts[]): SearchIndex {
  const builder = new IndexBuilder();
  for (const record of records) builder.add(record);
  return new SearchIndex(builder.finish(Uint32Array.from(records.keys()).reverse()));
}

function postingsOf(index: SearchIndex, term: number): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  index.forEachPosting(term, (position, fields, isSpelled) =>
    found.set(position, fields + (isSpelled ? SPELLED_BIT : 0)),
  );
  return found;
}

it('has for each term the records and fields of a naive map', () => {
  const property = fc.property(fc.array(texts, { maxLength: 12 }), (records) => {
    const [naive, index] = [indexNaively(records), build(records)];
    const all = [...index.terms.findFrom('')];
    expect(all.map((term) => index.terms.textOf(term))).toEqual([...naive.fields.keys()].sort());
    for (const term of all) {
      const text = index.terms.textOf(term);
      expect(index.terms.find(text)).toBe(term);
      expect(index.terms.lengthOf(term)).toBe(text.length);
      expect(new Map([...postingsOf(index, term)])).toEqual(naive.fields.get(text));
    }
    expect([...records.keys()].map((position) => index.nameWordsOf(position))).toEqual(naive.nameWords);
    expect([...index.positionsById]).toEqual([...records.keys()].reverse());
  });
  fc.assert(property, { numRuns: 200 });
});

it('finds the terms that begin with a text, and the words with few typing errors, and nothing else', () => {
  const property = fc.property(fc.array(texts, { maxLength: 12 }), word, fc.nat(2), (records, searched, most) => {
    const index = build(records);
    const terms = [...indexNaively(records).fields.keys()].sort();
    const begun = [...index.terms.findFrom(searched)].map((term) => index.terms.textOf(term));
    expect(begun).toEqual(terms.filter((term) => term.startsWith(searched)));
    const similar = [...index.findSimilarWords(searched, most)].map(({ term, errors }) => [
      index.terms.textOf(term),
      errors,
    ]);
    const expected = terms
      .filter((term) => term >= FIRST_WORD)
      .map((term) => [term, naiveTypingErrors(searched, term)] as const)
      .filter(([, errors]) => errors > 0 && errors <= most);
    expect(similar).toEqual(expected);
  });
  fc.assert(property, { numRuns: 300 });
});

it('finds the ranges that have an address in common', () => {
  const range = fc.constantFrom(
    '10.0.0.0/8',
    '10.1.2.3',
    '10.2.0.0/16',
    '11.0.0.0/8',
    '2001:db8::/48',
    '::/0',
    '2001:db9::1',
  );
  const property = fc.property(fc.array(texts, { maxLength: 12 }), range, (records, searched) => {
    const parsed = parseIpRange(searched);
    if (parsed === undefined) throw new Error('no range');
    const found: string[] = [];
    build(records).forEachRange(parsed, (position, size) => found.push(`${position} ${size}`));
    const isCommon = (one: string): boolean => {
      const [, first = '', last = ''] = one.split(' ');
      return BigInt(first) <= parsed.last && BigInt(last) >= parsed.first;
    };
    const sizeOf = (one: string): string => {
      const [position = '', first = '', last = ''] = one.split(' ');
      return `${position} ${Number(BigInt(last) - BigInt(first) + 1n)}`;
    };
    expect(found).toEqual(indexNaively(records).ranges.filter(isCommon).map(sizeOf));
  });
  fc.assert(property, { numRuns: 200 });
});

it('counts at most 255 words of the names of a record', () => {
  const index = build(
    [3, 256, 300].map((count) =>
      SEARCH_FIELDS.map((field) =>
        field === 'official-name' ? Array.from({ length: count }, () => 'w').join(' ') : '',
      ),
    ),
  );
  expect([0, 1, 2].map((position) => index.nameWordsOf(position))).toEqual([3, 255, 255]);
});

it('grows beyond the memory that it starts with', () => {
  const records = Array.from({ length: 3_000 }, (_, at) =>
    SEARCH_FIELDS.map((field) => (field === 'other' ? `w${at} same 10.0.0.1` : '')),
  );
  const index = build(records);
  expect([index.size, postingsOf(index, index.terms.find('same') ?? -1).size]).toEqual([3_000, 3_000]);
  expect([...postingsOf(index, index.terms.find('w2999') ?? -1).keys()]).toEqual([2_999]);
  let ranges = 0;
  index.forEachRange(parseIpRange('10.0.0.1') ?? { first: 0n, last: 0n }, () => (ranges += 1));
  expect(ranges).toBe(3_000);
});

it('is empty for no records', () => {
  const index = build([]);
  expect([index.size, index.terms.find('a'), [...index.terms.findFrom('')]]).toEqual([0, undefined, []]);
  expect([...index.findSimilarWords('acorn', 2)]).toEqual([]);
});
