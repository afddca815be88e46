import { describe, expect, it } from 'vitest';
import { demoFiles } from '../../config/demo/generator/demo-files.js';
import keys from '../../config/demo/generator/keys.json' with { type: 'json' };
import type { Raw } from './sample-files.js';
import { files, jsonFiles, listOf, recordsOf, rowsOf, textOf } from './sample-files.js';

const harbour = recordsOf('harbour');
const lantern = recordsOf('lantern');
const attic = recordsOf('attic');
const all = [...harbour, ...lantern, ...attic];
const ledger = rowsOf('ledger');
const publishers = ['chronicle', 'beacon', 'quay'];
const profiles = publishers.flatMap((name) => recordsOf(`${name}-teams`));
const news = publishers.flatMap((name) => recordsOf(`${name}-news`));
const channels = publishers.flatMap((name) => recordsOf(`${name}-channels`));
/** Without the names of XML namespaces, which are addresses. */
const everyText = files.map((name) => textOf(name).replaceAll(/ xmlns(?::\w+)?="[^"]*"/g, '')).join('');

/** All values of these properties as trimmed text. Lists are flattened, empty values left out. */
function values(records: readonly Raw[], ...properties: readonly string[]): readonly string[] {
  const found = records.flatMap((record) => properties.flatMap((property) => record[property]));
  return found.map(text).filter((value) => value !== '');
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

/** Identifies a team across samples that spell it differently: the domain of its e-mail address, and its country. */
function organisation(record: Raw): string {
  const [email = ''] = values([record], 'email');
  const [country = ''] = values([record], 'country-code', 'country');
  const code = country.toUpperCase().replace('UK', 'GB').replace('EL', 'GR');
  return `${email.replace(/^.*@/, '')} ${code}`;
}

describe('the sample data', () => {
  it('equals the output of its generator byte for byte', () => {
    const written = demoFiles();
    expect([...written.keys()].sort()).toEqual(files);
    for (const [file, text] of written) expect(text === textOf(file), file).toBe(true);
  });

  it('has one record on each line of JSON', () => {
    for (const name of jsonFiles)
      expect(textOf(name).split('\n')).toHaveLength(listOf(JSON.parse(textOf(name))).length + 3);
  });

  it('has about 400 teams in 60 countries', () => {
    const teams = new Set(all.map(organisation));
    expect(teams.size).toBeGreaterThan(370);
    expect(teams.size).toBeLessThan(430);
    expect(new Set(values([...harbour, ...lantern], 'country-code')).size).toBe(60);
  });

  it('has about 100 teams that are only in data sources, and some that are in both kinds', () => {
    const inDirectories = new Set(all.map(organisation));
    const inDataSources = [...new Set(profiles.map(organisation))];
    expect(inDataSources.filter((team) => !inDirectories.has(team)).length).toBeGreaterThan(90);
    expect(inDataSources.filter((team) => inDirectories.has(team)).length).toBeGreaterThan(30);
  });

  it('lists some teams in two directories and some in three, and no record twice in harbour and lantern', () => {
    const homes = [harbour, lantern, attic].map((records) => new Set(records.map(organisation)));
    const counts = [...new Set(all.map(organisation))].map((team) => homes.filter((home) => home.has(team)).length);
    expect(counts.filter((count) => count === 2).length).toBeGreaterThan(30);
    expect(counts.filter((count) => count === 3).length).toBeGreaterThan(10);
    const content = (record: Raw): string =>
      values([record], 'short-team-name', 'official-team-name', 'email', 'enckeys', 'last-modified').join('\n');
    const inHarbour = new Set(harbour.map(content));
    expect(lantern.filter((record) => inHarbour.has(content(record)))).toEqual([]);
  });

  it('contains only hosts of the example domains', () => {
    const hosts = [...everyText.matchAll(/(?:[a-z]+:\/\/|www\.|@)([\w-]+\.)*?([\w-]+\.[a-z]{2,})(?=[/"\s,;)>]|$)/gi)];
    expect(hosts.length).toBeGreaterThan(600);
    expect(new Set(hosts.map((match) => match[2]))).toEqual(new Set(['example.org', 'example.net', 'example.com']));
    const emails = [...values([...all, ...profiles], 'email'), ...values(ledger, 'E-mail')];
    for (const email of emails.filter((text) => text !== 'use the form on the web site'))
      expect(email).toMatch(/^[^@\s]+@([\w-]+\.)*example\.(org|net|com)$/);
    for (const site of values([...harbour, ...lantern, ...profiles], 'website')) {
      expect(new URL(site).hostname).toMatch(/(^|\.)example\.(org|net|com)$/);
    }
  });

  it('contains only telephone numbers reserved for fiction, and and fingerprints of the keys of the samples', () => {
    const fiction =
      /^(1\d{3}55501\d\d|15550100|9995550\d{4}9?|442079460\d{3}|49302312\d{4}|33199\d{6}|35320910\d{4}|468465004\d\d|6125550\d{4})$/;
    const properties = ['phone-numbers', 'phone', 'fax', 'phone-emergency', 'Phone', 'Fax'];
    const digits = values([...all, ...profiles, ...ledger], ...properties).map((number) =>
      number.replaceAll(/\D/g, ''),
    );
    for (const number of digits.filter((text) => text !== '')) expect(number).toMatch(fiction);
    const known = new Set(keys.map(({ fingerprint }) => fingerprint));
    const stated = [
      ...values([...all, ...recordsOf('quay')], 'enckeys').map((key) => key.replace(/^0x/, '')),
      ...values(profiles, 'pgp-fingerprint').flatMap((text) => text.split(', ')),
      ...values(ledger, 'PGP fingerprint').map((key) => key.replaceAll(' ', '')),
    ];
    expect(stated.length).toBeGreaterThan(500);
    expect(stated.filter((fingerprint) => !known.has(fingerprint))).toEqual([]);
    const ids = new Set([...known].map((fingerprint) => `0x${fingerprint.slice(-16)}`));
    // The Milestone states the id of a key that nobody has.
    expect(values(profiles, 'pgp-id').filter((id) => !ids.has(id))).toEqual(['0xDE30000000000001']);
  });

  it('is older than the Last-Modified of harbour and lantern', () => {
    for (const moment of values([...harbour, ...lantern], 'last-modified')) expect(moment < '2026-08').toBe(true);
  });

  it('has the right weekday in every date', () => {
    const moments = [...values(attic, 'last-modified'), ...values(recordsOf('beacon-teams'), 'last-modified')]
      .filter((text) => /^[A-Z]/.test(text))
      .concat(values(news, 'published'));
    expect(moments.length).toBeGreaterThan(360);
    for (const moment of moments) expect(new Date(moment).toUTCString().slice(0, 16)).toBe(moment.slice(0, 16));
  });
});

const scripts = 'Han Hiragana Hangul Cyrillic Arabic Hebrew Greek Thai Devanagari Georgian Armenian'.split(' ');

describe('the oddities of a real directory', () => {
  it.each(scripts)('include team names in %s script', (script) => {
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

  it('include two records without a name, unsafe property names and foreign properties in the attic', () => {
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
    ['a database timestamp', 'last-modified', /^\d{4}-\d\d-\d\d [\d:]{8} \+00:00$/],
    ['a colloquial country code', 'country-code', /^UK$/],
    ['another colloquial country code', 'country-code', /^EL$/i],
    ['a country code in lower case', 'country-code', /^[a-z]{2}$/],
    ['a fax suffix without a number', 'phone-numbers', /^\(fax\)$/],
  ])('include %s in the attic', (_, property, pattern) => {
    expect(values(attic, property).some((value) => pattern.test(value))).toBe(true);
  });

  it('include scalars instead of lists, lists instead of scalars, numbers instead of text, and empty values in the attic', () => {
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

describe('the sample profiles of the data interface', () => {
  it('have ids that are unique within their source', () => {
    for (const name of publishers) {
      const ids = values(recordsOf(`${name}-teams`), 'id');
      expect(new Set(ids).size).toBe(ids.length);
      for (const id of ids) expect(id).toMatch(/^[a-z0-9]+([_-][a-z0-9]+)*$/);
    }
  });

  it('have the form of the documentation of 2016 in the chronicle', () => {
    const chronicle = recordsOf('chronicle-teams');
    for (const day of values(chronicle, 'establishment')) expect(day).toMatch(/^\d{4}-\d\d-\d\d$/);
    for (const moment of values(chronicle, 'last-modified')) expect(moment).toMatch(/^[\d-]{10} [\d:]{8} \+00:00$/);
    expect(values(chronicle, 'address').some((text) => text.includes('\r\n'))).toBe(true);
    expect(values(chronicle, 'phone').some((text) => text.endsWith(' (fax)'))).toBe(true);
    const unknown = ['membership', 'team-type', 'country-other', 'member-since'];
    expect(values(chronicle, ...unknown)).toEqual([]);
  });

  it('have the form observed in 2026 in the beacon', () => {
    const beacon = recordsOf('beacon-teams');
    const words = /^([A-Z][a-z]+ \d{1,2}, )?\d{4}$/;
    for (const day of values(beacon, 'establishment', 'member-since')) expect(day).toMatch(words);
    for (const moment of values(beacon, 'last-modified'))
      expect(moment).toMatch(/^\w{3}, \d\d \w{3} \d{4} [\d:]{8} GMT$/);
    expect(values(beacon, 'phone')).toContain('(fax)');
    expect(values(beacon, 'pgp-key').length).toBeGreaterThan(20);
    const loose = (text: unknown): boolean => typeof text === 'string' && text !== text.trim();
    expect(beacon.filter((team) => Object.values(team).some(loose)).length).toBeGreaterThan(10);
    expect(values(beacon, 'address').some((text) => text.includes('\r'))).toBe(false);
    for (const name of ['membership', 'team-type', 'country-other', 'timezone-dst']) {
      expect(values(beacon, name).length, name).toBeGreaterThan(0);
    }
  });

  it('have the same values in the quay as its directory records', () => {
    const facts = (team: Raw, names: readonly string[]): readonly unknown[] => names.map((name) => team[name]);
    const directory = ['short-team-name', 'official-team-name', 'postal-address', 'country-code', 'phone-numbers'];
    const data = ['team', 'team-full', 'address', 'country', 'phone'];
    const alike = ['host', 'email', 'website', 'establishment', 'operating-hours', 'constituency'];
    expect(
      recordsOf('quay-teams').map((team) => facts(team, [...data, 'membership', 'country-other', ...alike])),
    ).toEqual(
      recordsOf('quay').map((team) =>
        facts(team, [...directory, '-quay-member-type', 'additional-country-code', ...alike]),
      ),
    );
  });
});

describe('the sample news', () => {
  it('has 300 items of three years in 8 channels, each with items', () => {
    expect(news).toHaveLength(300);
    expect(new Set(values(news, 'published').map((date) => date.slice(8, 16))).size).toBe(36);
    expect(channels).toHaveLength(8);
    for (const name of publishers) {
      const titles = new Set(values(recordsOf(`${name}-news`), 'channels'));
      expect([...titles].sort()).toEqual([...values(recordsOf(`${name}-channels`), 'title')].sort());
    }
  });

  it('is numbered from 1 in each source, in the order of the dates', () => {
    for (const name of publishers) {
      const items = recordsOf(`${name}-news`);
      expect(items.map((item) => item['id'])).toEqual(items.map((_, at) => at + 1));
      const dates = values(items, 'published').map(Date.parse);
      expect(dates).toEqual(dates.toSorted((a, b) => a - b));
    }
  });

  it('has HTML content, and sometimes no summary', () => {
    for (const body of values(news, 'content'))
      expect(body).toMatch(/^<p class="lead">.*<\/p>\n<ul>.*<\/ul>\n<p>.*<\/p>$/s);
    expect(news.filter((item) => item['summary'] === undefined).length).toBeGreaterThan(20);
    expect(news.filter((item) => item['summary'] === '').length).toBeGreaterThan(20);
  });

  it('has absolute and relative links', () => {
    const links = values(news, 'link');
    const relative = links.filter((link) => link.startsWith('/'));
    expect(relative.length).toBeGreaterThan(100);
    expect(links.length - relative.length).toBeGreaterThan(100);
    expect(values(channels, 'link').some((link) => link.startsWith('/'))).toBe(true);
  });

  it('has items in several channels, items with equal dates, and titles that several sources share', () => {
    expect(news.filter((item) => listed(item['channels']).length > 1).length).toBeGreaterThan(20);
    for (const name of publishers) {
      const seconds = values(recordsOf(`${name}-news`), 'published');
      expect(new Set(seconds).size).toBeLessThan(seconds.length - 3);
    }
    const titles = publishers.map((name) => new Set(values(recordsOf(`${name}-news`), 'title')));
    const shared = [...new Set(values(news, 'title'))].filter(
      (title) => titles.filter((set) => set.has(title)).length > 1,
    );
    expect(shared.length).toBeGreaterThan(3);
    expect(values(channels, 'title').filter((title) => title === 'Newsletters')).toHaveLength(2);
  });

  it.each(['Han', 'Hangul', 'Cyrillic', 'Arabic', 'Hebrew', 'Greek', 'Thai', 'Georgian'])(
    'has titles in %s',
    (script) => {
      expect(values(news, 'title').some((title) => new RegExp(`\\p{Script=${script}}`, 'u').test(title))).toBe(true);
    },
  );

  it('has channels with all properties, and one with two properties', () => {
    const names = ['id', 'title', 'link', 'rss', 'image', 'summary', 'copyright'];
    expect(channels.filter((channel) => Object.keys(channel).join() === names.join()).length).toBeGreaterThan(3);
    expect(channels.filter((channel) => Object.keys(channel).length === 2)).toHaveLength(1);
  });
});

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
