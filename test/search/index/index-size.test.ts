import { expect, it } from 'vitest';
import { IndexAssembly } from '../../../src/search/index/index-thread.js';
import { SEARCH_FIELDS } from '../../../src/search/index/terms.js';
import type { SearchField } from '../../../src/model/resource.js';

type Texts = Partial<Record<SearchField, string>>;

/** Bytes of the index of 2,000 records, to those of their texts. */
function ratioOf(record: (at: number) => Texts): number {
  const assembly = new IndexAssembly();
  const records = Array.from({ length: 2_000 }, (_, at) => record(at));
  assembly.add({
    longIds: [],
    ids: records.map((_, at) => `id${at}`),
    texts: records.map((texts) => SEARCH_FIELDS.map((field) => texts[field] ?? '')),
  });
  const { index, textBytes } = assembly.finish();
  return index.byteLength / textBytes;
}

/** A word of seven letters and digits that no other record has. */
const word = (at: number): string =>
  Math.imul(at + 1, 0x9e3779b1)
    .toString(36)
    .replace('-', 'y')
    .padStart(7, 'x');
const place = 'NO\nNorway';
const phone = (at: number): string => `+47${22_000_000 + at * 37}`;
const email = (at: number): string => `cert@${word(at)}.no`;
const range = (length: number): readonly number[] => Array.from({ length }, (_, at) => at);

it.each<[string, (at: number) => Texts]>([
  ['short names and addresses', (at) => ({ 'short-name': `T${word(at)}`, place, contact: email(at) })],
  ['telephone numbers, too', (at) => ({ 'short-name': `T${word(at)}`, place, contact: email(at), phone: phone(at) })],
  ['nothing but telephone numbers', (at) => ({ phone: `${phone(at)}\n${phone(at + 2_000)}` })],
  ['nothing but key ids', (at) => ({ key: `0x${word(at).length}${(0x1000000 + at * 4_099).toString(16)}` })],
  [
    'complete teams',
    (at) => ({
      'short-name': `${word(at).toUpperCase()}-CERT`,
      'official-name': `Computer Emergency Response Team of ${word(at * 7)}`,
      place,
      contact: `${email(at)}\nhttps://www.${word(at)}.no/`,
      phone: phone(at),
    }),
  ],
  [
    'names of thirty different words of four letters',
    (at) => ({
      'official-name': range(30)
        .map((nth) => (at * 30 + nth).toString(36).padStart(4, 'a'))
        .join(' '),
    }),
  ],
  [
    'names in a script without spaces',
    (at) => ({
      'official-name': range(30)
        .map((nth) => String.fromCharCode(0x4e00 + ((at * 31 + nth * nth * 7) % 20_000)))
        .join(''),
    }),
  ],
  [
    'IP prefixes',
    (at) => ({
      constituency: range(50)
        .map((nth) => `10.${at % 256}.${nth}.0/24`)
        .join('\n'),
    }),
  ],
  [
    'one address many times',
    () => ({
      constituency: range(200)
        .map(() => '::1')
        .join('\n'),
    }),
  ],
])('is at most six times that of its text: %s', (_shape, record) => {
  expect(ratioOf(record)).toBeLessThanOrEqual(6);
});
