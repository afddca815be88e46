import { describe, expect, it } from 'vitest';
import { dataTeams, directoryTeams } from '../../support/gateway/program.js';
import { startGateway } from '../../support/gateway/test-gateway.js';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import { send, startDocument } from './document-scene.js';

/** Texts that a format guards, escapes, folds, or could read as another type. */
const TEXTS = [
  '=1+1',
  "'=1+1",
  '@here',
  '-5 | 6',
  'a|b',
  'a\\|b\\',
  'NO',
  '0150',
  '1.10',
  '2026-11-24',
  'null',
  'two\nlines',
  'two\r\nlines\r\n\r\nand more',
  '  inner   spaces ',
  '"quoted", and more; <b>&amp;</b> ]]>',
  'Ærø 東京 😀',
  `long ${'word '.repeat(60)}end`,
];

const directoryRecords = TEXTS.map((text, at) => ({
  'short-team-name': `T${String(at).padStart(2, '0')}`,
  'official-team-name': text,
  'country-code': 'NO',
  'additional-country-code': at % 2 === 0 ? ['SJ', 'DK'] : ['SJ'],
  email: 't@example.org',
  website: at % 3 === 0 ? ['https://a.example.org/?a=1|2', 'https://b.example.org'] : undefined,
  'phone-numbers': ['+47 5550 0100', '+47 5550 0101 (fax)', text],
  enckeys: ['0x00000000DEADBEEF'],
  establishment: '1998-05',
  '-two-member-type': 'Full Member',
  '-two-tags': ['x|y', text, 'z'],
  '-two-note': at % 2 === 0 ? `note ${at}` : undefined,
  'last-modified': '2026-03-13T16:07:00+00:00',
}));

const dataRecords = TEXTS.map((text, at) => ({
  id: `team-${at}`,
  team: `T${String(at).padStart(2, '0')}`,
  'team-full': text,
  country: 'NO',
  'country-other': ['SJ', 'DK'],
  website: ['https://a.example.org'],
  phone: ['+47 5550 0100', text],
  fax: '+47 5550 0101',
  timezone: 'Europe/Oslo',
  membership: 'Liaison',
  'member-since': '1998-05-01',
  '-two-tags': ['x', 'y'],
  'last-modified': '2026-03-13 16:07:00+00:00',
}));

interface Side {
  readonly path: string;
  readonly records: readonly object[];
  readonly names: readonly string[];
  readonly source: (address: string) => object;
}

const namesOf = (records: readonly object[]): readonly string[] => [
  ...new Set(records.flatMap((one) => Object.keys(one))),
];

const SIDES: readonly Side[] = [
  {
    path: '/directory/v1/teams',
    records: directoryRecords,
    names: namesOf(directoryRecords),
    source: (directory) => ({ directory }),
  },
  {
    path: '/data/v1/teams',
    records: dataRecords,
    names: namesOf(dataRecords).filter((name) => name !== 'id'),
    source: (data) => ({ data }),
  },
];

/** Names that are lists in XML: their items are elements `item`. */
const isList = (name: string): boolean =>
  name === '-two-tags' ||
  [...directoryTeams.properties, ...dataTeams.properties, ...dataTeams.knownExtraProperties].some(
    (property) => property.name === name && ['texts', 'phones', 'countries'].includes(property.kind),
  );

/** The expression for a property in the XML of a Rollcall: a name that is no element's name is an attribute (decisions 3.5). */
function inXml(name: string): string {
  if (!name.startsWith('-')) return isList(name) ? `"${name}".item` : `"${name}"`;
  const property = `[property][][] | [?"@name" == '${name}'] | [0]`;
  return isList(name) ? `(${property}).item` : `(${property})."#text"`;
}

interface Form {
  readonly extension: string;
  readonly settings: (path: string) => object;
  readonly expression: (name: string) => string;
}

const quoted = (name: string): string => `"${name}"`;
const FORMS: readonly Form[] = [
  { extension: 'json', settings: () => ({ records: 'data' }), expression: quoted },
  { extension: 'yaml', settings: () => ({ format: 'yaml', records: 'data' }), expression: quoted },
  { extension: 'csv', settings: () => ({ format: 'rollcall-csv' }), expression: quoted },
  { extension: 'xml', settings: () => ({ format: 'xml', records: 'response.data.item' }), expression: inXml },
];

describe('what a Rollcall writes, registered as a document', () => {
  it.each(SIDES.flatMap((side) => FORMS.map((form) => [form.extension, side.path, form, side] as const)))(
    'has the same properties as %s of %s, but for id and source-name',
    async (extension, path, { settings, expression }, { records, names, source }) => {
      const handler = path.startsWith('/data') ? dataUpstream({ teams: records }) : directoryUpstream(records);
      const upstream = await startUpstream(handler);
      const first = await startGateway({ sources: { two: source(upstream.address) } });
      const written = await first.get(`${path}.${extension}?limit=100&envelope=true`);
      const expected = await first.get(`${path}?limit=100&envelope=false`);
      await Promise.all([first.close(), upstream.close()]);
      expect([written.status, expected.status]).toEqual([200, 200]);

      const { gateway } = await startDocument(
        send(written.text),
        (address) => ({
          url: `${address}/document`,
          ...settings(path),
          map: Object.fromEntries(names.map((name) => [name, expression(name)])),
        }),
        { prefixes: ['two'] },
      );
      const read = await gateway.get(`${path}?limit=100&envelope=false`);
      expect(withoutOrigin(read.json)).toEqual(withoutOrigin(expected.json));
      expect(read.headers.get('source-status')).toContain(`state=fresh;records=${records.length}`);
    },
  );
});

/** The records without the properties that say where they come from. */
function withoutOrigin(json: unknown): unknown {
  const records = Array.isArray(json) ? json : [];
  return records.map((record: Record<string, unknown>) => ({ ...record, id: undefined, 'source-name': undefined }));
}
