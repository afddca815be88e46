import { expect, it } from 'vitest';
import { parseConfig } from '../../src/config/parse-config.js';

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
  ['team', 'document.map.team: is not a property of teams'],
])('refuses the property %s', (name, error) => {
  expect(errorsOf(mapOf({ [name]: 'value' })).some((found) => found.startsWith(error))).toBe(true);
});

it.each([
  ['teams[', 'is not a valid expression: Syntax error'],
  ['nosuch(name)', 'is not a valid expression: unknown function nosuch()'],
  ['short-name', 'reads short-name as a subtraction; write "short-name", with quotes, for a name'],
  ['contact.e-mail', 'reads e-mail as a subtraction'],
])('refuses the expression %s where it stands', (expression, message) => {
  expect(errorsOf({ records: expression })[0]).toContain(`document.records: ${message}`);
  expect(errorsOf({ only: expression })[0]).toContain(`document.only: ${message}`);
  expect(errorsOf(mapOf({ email: expression }))[0]).toContain(`document.map.email: ${message}`);
});

it.each(['"short-name"', "join('-', [a, b])", '`"a-b"`', 'count - `1`'])('accepts the hyphen in %s', (expression) => {
  expect(errorsOf(mapOf({ email: expression }))).toEqual([]);
});

it('requires the name of a team and an address without credentials', () => {
  expect(errorsOf({ map: { email: 'mail' } })).toEqual(['document.map: needs short-team-name or official-team-name']);
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
    'credentials: a file needs no credentials',
  ]);
  const document = { file: 'lists/own list.csv', map: DOCUMENT.map };
  const text = JSON.stringify({ sources: { one: { number: 1, document } } });
  const parsed = parseConfig(text, {}, undefined, { folder: '/etc/rollcall', readFile: () => ({ content: '' }) });
  expect(parsed).toMatchObject({
    config: { sources: [{ document: { url: 'file:///etc/rollcall/lists/own%20list.csv' } }] },
  });
});

it('refuses the settings of the two interfaces, and other resources than teams', () => {
  const settings = { directory: 'https://a.example.org', data: 'https://a.example.org', aggregate: 'true' };
  expect(errorsOf({}, { ...settings, 'page-size': '10', resources: ['teams', 'news'] }).toSorted()).toEqual([
    'aggregate: is not a setting of a document',
    'data: is not a setting of a document',
    'directory: is not a setting of a document',
    'page-size: is not a setting of a document',
    'resources[1]: a document has teams only',
  ]);
});
