import { describe, expect, it } from 'vitest';
import { demoFiles } from '../../config/demo/files.js';
import { sampleNames } from '../../src/demo/samples.js';
import type { Raw } from './support.js';
import { recordsOf, textOf } from './support.js';

const harbour = recordsOf('harbour');
const lantern = recordsOf('lantern');
const attic = recordsOf('attic');
const all = [...harbour, ...lantern, ...attic];
const everyText = sampleNames.map((name) => textOf(`${name}.json`)).join('');

/** Every value of these properties, lists taken apart, as trimmed text; empty ones left out. */
function values(records: readonly Raw[], ...properties: readonly string[]): readonly string[] {
  const found = records.flatMap((record) => properties.flatMap((property) => record[property]));
  return found.map(text).filter((value) => value !== '');
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** A team whatever its spelling: by the part of its mailbox that registers agree on, and its country. */
function organisation(record: Raw): string {
  const [email = ''] = values([record], 'email');
  const [country = ''] = values([record], 'country-code');
  const code = country.toUpperCase().replace('UK', 'GB').replace('EL', 'GR');
  return `${email.replace(/^.*@/, '')} ${code}`;
}

describe('the data of the demo', () => {
  it('is what the generator writes, byte for byte', () => {
    const written = demoFiles();
    expect([...written.keys()].sort()).toEqual(sampleNames.map((name) => `${name}.json`).sort());
    for (const [file, text] of written) expect(text === textOf(file), file).toBe(true);
  });

  it('has one record on each line', () => {
    for (const name of sampleNames) expect(textOf(`${name}.json`).split('\n')).toHaveLength(recordsOf(name).length + 3);
  });

  it('has about 400 teams in 60 countries', () => {
    const teams = new Set(all.map(organisation));
    expect(teams.size).toBeGreaterThan(370);
    expect(teams.size).toBeLessThan(430);
    expect(new Set(values([...harbour, ...lantern], 'country-code')).size).toBe(60);
  });

  it('lists some teams in two repositories, some in all three, never with the same record', () => {
    const homes = [harbour, lantern, attic].map((records) => new Set(records.map(organisation)));
    const counts = [...new Set(all.map(organisation))].map((team) => homes.filter((home) => home.has(team)).length);
    expect(counts.filter((count) => count === 2).length).toBeGreaterThan(30);
    expect(counts.filter((count) => count === 3).length).toBeGreaterThan(10);
    const shown = (record: Raw): string =>
      values([record], 'short-team-name', 'official-team-name', 'email', 'enckeys', 'last-modified').join('\n');
    const inHarbour = new Set(harbour.map(shown));
    expect(lantern.filter((record) => inHarbour.has(shown(record)))).toEqual([]);
  });

  it('names no host but those of the example domains', () => {
    const hosts = [...everyText.matchAll(/(?:[a-z]+:\/\/|www\.|@)([\w-]+\.)*?([\w-]+\.[a-z]{2,})(?=[/"\s,)>]|$)/gi)];
    expect(hosts.length).toBeGreaterThan(600);
    expect(new Set(hosts.map((match) => match[2]))).toEqual(new Set(['example.org', 'example.net', 'example.com']));
    for (const email of values(all, 'email')) expect(email).toMatch(/^[^@\s]+@([\w-]+\.)*example\.(org|net|com)$/);
    for (const site of values([...harbour, ...lantern], 'website')) {
      expect(new URL(site).hostname).toMatch(/(^|\.)example\.(org|net|com)$/);
    }
  });

  it('names no telephone number but those kept for fiction, and no key but plainly made ones', () => {
    const fiction =
      /^(1\d{3}55501\d\d|15550100|9995550\d{4}9?|442079460\d{3}|49302312\d{4}|33199\d{6}|35320910\d{4}|468465004\d\d|6125550\d{4})$/;
    const digits = values(all, 'phone-numbers').map((number) => number.replaceAll(/\D/g, ''));
    for (const number of digits.filter((text) => text !== '')) expect(number).toMatch(fiction);
    for (const key of values(all, 'enckeys')) expect(key).toMatch(/^0xDE30DE30DE300{10,}[0-9A-F]+$/);
  });

  it('is older than the last change that the good repositories tell', () => {
    for (const moment of values([...harbour, ...lantern], 'last-modified')) expect(moment < '2026-08').toBe(true);
  });

  it('gives every weekday of the attic its right name', () => {
    const moments = values(attic, 'last-modified').filter((text) => /^[A-Z]/.test(text));
    expect(moments.length).toBeGreaterThan(30);
    for (const moment of moments) expect(new Date(moment).toUTCString().slice(0, 16)).toBe(moment.slice(0, 16));
  });
});

const scripts = 'Han Hiragana Hangul Cyrillic Arabic Hebrew Greek Thai Devanagari Georgian Armenian'.split(' ');

describe('the oddities of a real directory', () => {
  it.each(scripts)('include names in %s script', (script) => {
    const pattern = new RegExp(`\\p{Script=${script}}`, 'u');
    expect(values(all, 'short-team-name', 'official-team-name').some((name) => pattern.test(name))).toBe(true);
  });

  it.each('ı İ Þ ð ß ẞ ł ø Æ đ Œ 🦉 👩🏽‍💻 " \\ < > | , ; \u0301 \u200f \u0000 \u2028'.split(' '))(
    'include %j in a name',
    (character) => {
      expect(values(all, 'short-team-name', 'official-team-name', 'host').join('\n')).toContain(character);
    },
  );

  it.each(['=', '+', '-', '@', '\t'])('include a value that begins with %j', (character) => {
    const texts = all.flatMap((record) =>
      ['short-team-name', 'official-team-name', 'host'].map((name) => record[name]),
    );
    expect(texts.some((text) => typeof text === 'string' && text.startsWith(character))).toBe(true);
  });

  it('include the same short name in several countries, and twice in one repository', () => {
    const deltas = all.filter((record) => /^delta-cert$/i.test(String(record['short-team-name'])));
    expect(new Set(values(deltas, 'country-code')).size).toBeGreaterThanOrEqual(3);
    expect(harbour.filter((record) => record['short-team-name'] === 'DELTA-CERT')).toHaveLength(2);
  });

  it('include two records without a name, and unsafe names of properties, in the attic', () => {
    expect(
      attic.filter((record) => values([record], 'short-team-name', 'official-team-name').join('') === ''),
    ).toHaveLength(2);
    expect(attic.flatMap((record) => Object.keys(record))).toEqual(
      expect.arrayContaining(['__proto__', 'constructor']),
    );
    expect(values(attic, '-harbour-member-type').length).toBeGreaterThan(3);
  });

  it.each([
    ['a date in words', 'establishment', /^[A-Z][a-z]+ \d{1,2}, \d{4}$/],
    ['a bare year', 'establishment', /^\d{4}$/],
    ['an HTTP date', 'last-modified', /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} [\d:]{8} GMT$/],
    ['an HTTP date with a zone in digits', 'last-modified', / \+0000$/],
    ['a date of a database', 'last-modified', /^\d{4}-\d\d-\d\d [\d:]{8} \+00:00$/],
    ['a colloquial country code', 'country-code', /^UK$/],
    ['another colloquial country code', 'country-code', /^EL$/i],
    ['a country code in small letters', 'country-code', /^[a-z]{2}$/],
    ['a fax that has no number', 'phone-numbers', /^\(fax\)$/],
  ])('include %s in the attic', (_, property, pattern) => {
    expect(values(attic, property).some((value) => pattern.test(value))).toBe(true);
  });

  it('include scalars for lists, lists for scalars, numbers for text and empty values in the attic', () => {
    const kinds = (property: string): Set<string> =>
      new Set(attic.map((record) => (Array.isArray(record[property]) ? 'list' : typeof record[property])));
    expect(kinds('website')).toEqual(new Set(['list', 'string', 'object', 'undefined']));
    expect(kinds('phone-numbers')).toEqual(new Set(['list', 'string', 'number', 'undefined']));
    expect(kinds('email')).toEqual(new Set(['list', 'string', 'undefined']));
    const present = new Set(attic.flatMap((record) => Object.values(record)).map((value) => JSON.stringify(value)));
    expect([...present]).toEqual(expect.arrayContaining(['null', '""', '[]', '{}', '"  "']));
  });

  it('include a very long description, and addresses with CR LF', () => {
    expect(values(all, 'constituency-description').some((text) => text.length > 5000)).toBe(true);
    expect(values(all, 'postal-address').some((text) => text.includes('\r\n'))).toBe(true);
  });
});
