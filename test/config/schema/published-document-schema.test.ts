import { expect, it } from 'vitest';
import { parseConfig } from '../../../src/config/parse-config.js';
import type { DocumentMapping } from '../../../src/model/registration/document-mapping.js';

function parse(settings: object): Partial<DocumentMapping> | readonly string[] {
  const document = { url: 'https://lists.example.org/teams', map: { 'short-team-name': 'name' }, ...settings };
  const parsed = parseConfig(JSON.stringify({ sources: { one: { number: 1, document } } }), {});
  if ('errors' in parsed) return parsed.errors.map(({ path, message }) => `${path}: ${message}`);
  const origin = parsed.config.sources[0]?.origin;
  return origin?.kind === 'document' ? origin.document.mapping : {};
}

it.each([
  ['|', '|'],
  ['tab', '\t'],
  ['\t', '\t'],
  [';', ';'],
])('reads the delimiter %j', (text, delimiter) => {
  expect(parse({ delimiter: text })).toMatchObject({ delimiter });
});

it.each(['', ', ', '"', '\n', '😀'])('refuses the delimiter %j', (delimiter) => {
  expect(parse({ delimiter })).toEqual(['sources.one.document.delimiter: must be one character or the word tab']);
});

it('refuses an unknown format and an unknown encoding with the known ones', () => {
  expect(parse({ format: 'toml', encoding: 'utf8' })).toEqual([
    'sources.one.document.format: must be json, ndjson, csv, rollcall-csv, yaml or xml',
    'sources.one.document.encoding: must be utf-8, utf-16, windows-1252 or iso-8859-1',
  ]);
});
