import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../src/config/parse-config.js';

const DOCUMENT = { url: 'https://lists.example.org/teams.json?all=1', map: { 'short-team-name': 'name' } };

/** The errors of a configuration with one document, below `sources.one`. */
function errorsOf(document: object, source: object = {}): readonly string[] {
  const sources = { one: { number: 1, document: { ...DOCUMENT, ...document }, ...source } };
  const parsed = parseConfig(JSON.stringify({ sources }), {});
  return 'errors' in parsed ? parsed.errors.map(({ path, message }) => `${path.slice(12)}: ${message}`) : [];
}

const mapOf = (map: object): object => ({ map: { ...DOCUMENT.map, ...map } });

it('accepts properties of teams, further properties, and those with the codes of the source', () => {
  const map = { email: 'mail', sector: 'sector', '-one-rank': 'rank', '-two-rank': 'rank', 'last-modified': 'at' };
  expect(errorsOf(mapOf(map), { properties: ['sector'], prefixes: ['two'] })).toEqual([]);
  expect(errorsOf({ records: 'teams[]', only: "status != 'old'", defaults: { 'country-code': 'AT' } })).toEqual([]);
});

it.each([
  ['source-name', 'document.map.source-name: is not a property of teams'],
  ['emial', 'document.map.emial: is not a property of teams; did you mean "email"?'],
  ['sector', 'document.map.sector: is not a property of teams'],
  ['-three-rank', 'document.map.-three-rank: is not a property of teams'],
  ['team', 'document.map.team: is the same property as short-team-name'],
])('refuses the property %s', (name, error) => {
  expect(errorsOf(mapOf({ [name]: 'value' })).some((found) => found.startsWith(error))).toBe(true);
});

it.each([
  ['teams[', 'is not a valid expression: Syntax error'],
  ['nosuch(name)', 'is not a valid expression: unknown function nosuch() (known: abs, avg, '],
  ['uper(name)', 'is not a valid expression: unknown function uper(); did you mean upper()? (known: abs, '],
  ['short-name', `reads short-name as a subtraction; for a name, write '"short-name"', with both quotes`],
  ['contact.e-mail', 'reads e-mail as a subtraction'],
])('refuses the expression %s where it stands', (expression, message) => {
  expect(errorsOf({ records: expression })[0]).toContain(`document.records: ${message}`);
  expect(errorsOf({ only: expression })[0]).toContain(`document.only: ${message}`);
  expect(errorsOf(mapOf({ email: expression }))[0]).toContain(`document.map.email: ${message}`);
});

it.each([
  ['short name', 'short name'],
  ['contact.e mail[0] || fax', 'e mail'],
  ["first name == 'a b' && last name", 'first name'],
  ['E-Mail Adresse', 'E-Mail Adresse'],
  ['téléphone', 'téléphone'],
])('says of the expression %s that a name needs quotes', (expression, name) => {
  expect(errorsOf(mapOf({ email: expression }))[0]).toMatch(
    new RegExp(`is not a valid expression: Syntax error.*; for a name, write '"${name}"', with both quotes$`),
  );
});

it.each(['a b)', 'join(a b', 'a ||'])('speaks of no quotes where these do not make %s valid', (expression) => {
  expect(errorsOf(mapOf({ email: expression }))[0]).not.toContain('quotes');
});

it.each(['"short-name"', "join('-', [a, b])", '`"a-b"`', 'count - `1`'])('accepts the hyphen in %s', (expression) => {
  expect(errorsOf(mapOf({ email: expression }))).toEqual([]);
});

it('requires the name of a team and an address without credentials', () => {
  expect(errorsOf({ map: { email: 'mail' } })).toEqual([
    'document.map: needs one of short-team-name, official-team-name, team, team-full',
  ]);
  for (const url of ['teams.json', 'ftp://a.example.org/', 'https://u:p@a.example.org/', 'https://a.example.org/#x'])
    expect(errorsOf({ url })).toEqual([
      'document.url: must be an absolute http or https URL without credentials and fragment',
    ]);
});

it('needs either an address or a file, which is relative to the folder of the configuration', () => {
  expect(errorsOf({ file: 'teams.json' })).toEqual(['document: needs either url or file']);
  expect(errorsOf({ url: undefined })).toEqual(['document: needs either url or file']);
  const credentials = { public: { bearer: 'token' } };
  expect(errorsOf({ url: undefined, file: 'teams.json' }, { credentials })).toEqual([
    'credentials: is not a setting of a file',
  ]);
  const document = { file: 'lists/own list.csv', map: DOCUMENT.map };
  const text = JSON.stringify({ sources: { one: { number: 1, document } } });
  const parsed = parseConfig(text, {}, undefined, { folder: '/etc/rollcall', readFile: () => ({ content: '' }) });
  expect(parsed).toMatchObject({
    config: { sources: [{ origin: { document: { url: 'file:///etc/rollcall/lists/own%20list.csv' } } }] },
  });
});

it('refuses the settings of the two interfaces', () => {
  const settings = { directory: 'https://a.example.org', data: 'https://a.example.org', aggregate: 'true' };
  expect(errorsOf({}, { ...settings, 'page-size': '10', resources: ['teams', 'news'] }).toSorted()).toEqual([
    'aggregate: is not a setting of a document',
    'data: is not a setting of a document',
    'directory: is not a setting of a document',
    'page-size: is not a setting of a document',
    'resources: is not a setting of a document',
  ]);
});

describe('a document of news', () => {
  const news = { resource: 'news', map: { id: 'number', title: 'headline' } };

  it('maps the properties of a news item', () => {
    expect(errorsOf({ ...news, map: { ...news.map, content: 'text', channels: 'tags', published: 'at' } })).toEqual([]);
    expect(errorsOf({ ...news, map: { ...news.map, email: 'mail' } })).toEqual([
      'document.map.email: is not a property of news',
    ]);
  });

  it('needs an id and a name', () => {
    expect(errorsOf({ ...news, map: { published: 'at' } })).toEqual([
      'document.map: needs one of title, summary, link; and id',
    ]);
  });
});

describe('names of both interfaces', () => {
  it('may be mixed as far as the data interface has them', () => {
    expect(errorsOf(mapOf({ 'pgp-key': 'key', id: 'uuid', 'phone-numbers': 'phones' }))).toEqual([]);
    expect(errorsOf(mapOf({ 'pgp-key': 'key', enckeys: 'ids' }))).toEqual([
      'document.map.enckeys: is not on the data interface, whose properties the other names belong to; pgp-fingerprint and pgp-id are',
    ]);
  });

  it('must not name a property twice', () => {
    expect(errorsOf(mapOf({ phone: 'phone', 'phone-numbers': 'phones' }))).toEqual([
      'document.map.phone-numbers: is the same property as phone',
    ]);
  });

  it('have no identity among the defaults', () => {
    expect(errorsOf({ defaults: { id: '1' } })).toEqual(['document.defaults.id: has no default']);
  });
});

it('refuses the settings of CSV beside another format', () => {
  expect(errorsOf({ format: 'csv', delimiter: 'tab', encoding: 'utf-8' })).toEqual([]);
  expect(errorsOf({ delimiter: ';' })).toEqual([]);
  expect(errorsOf({ format: 'json', delimiter: ';' })).toEqual(['document.delimiter: is a setting of the format csv']);
});

describe('pages of a document', () => {
  it('are linked or counted', () => {
    expect(errorsOf({ next: 'links.next' })).toEqual([]);
    expect(errorsOf({ page: { parameter: 'page', from: '0' } })).toEqual([]);
    expect(errorsOf({ page: { parameter: 'page' }, next: 'links.next' })).toEqual([
      'document.page: is given beside next: pages are linked or counted',
    ]);
    expect(errorsOf({ page: { from: '1' } })).toEqual(['document.page: needs parameter']);
  });

  it('do not exist in a file', () => {
    expect(errorsOf({ url: undefined, file: 'a.json', next: 'next' })).toEqual(['document.next: a file has one page']);
  });
});

describe('a second document', () => {
  const join = { url: 'https://lists.example.org/keys.json', on: ['id', 'owner'], as: 'keys' };

  it('is at the origin of the first one', () => {
    expect(errorsOf({ join })).toEqual([]);
    expect(errorsOf({ join: { ...join, url: 'http://lists.example.org/keys.json' } })).toEqual([
      'document.join.url: must have the scheme, host and port of the first document',
    ]);
  });

  it('is a file where the first one is a file', () => {
    const files = { url: undefined, file: 'teams.json' };
    expect(errorsOf({ ...files, join: { ...join, url: undefined, file: 'keys.json' } })).toEqual([]);
    expect(errorsOf({ ...files, join })).toEqual([
      'document.join: must be at an address if the first document is, and in a file if that is',
    ]);
  });

  it('needs an address, the keys of both documents, and a name', () => {
    expect(errorsOf({ join: { on: ['id'] } })).toEqual([
      'document.join: needs on: two expressions, for the keys of both documents; as: the name of the added list; either url or file',
    ]);
  });

  it('has its expressions checked', () => {
    const errors = errorsOf({ join: { ...join, records: 'keys[', on: ['id', 'nosuch(owner)'] } });
    expect(errors.map((error) => error.split(':', 1)[0])).toEqual(['document.join.on[1]', 'document.join.records']);
  });
});
