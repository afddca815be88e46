import type { RecordRow } from '../../src/model/record.js';
import { findPropertyPosition } from '../../src/model/resource.js';
import { dataTeams as resource } from '../../src/model/resources/data-teams.js';
import { toItems } from '../../src/model/property-value.js';
import type { PropertyValue } from '../../src/model/property-value.js';
import { findRegion } from '../../src/region/region.js';
import { dialled, hosted, fromTemplates, numbered, templatesOf, timed } from './records.js';
import type { RecordTemplate, BenchRecord } from './records.js';
import { enveloped, joined } from './subject.js';
import type { Filter, Subject } from './subject.js';

/** Properties of nearly every real team, which bring a demo record near the 1,000 bytes and 20 properties of a real one. */
const COMMON_PROPERTIES = {
  address: '14 Harbour Street, 3rd floor\nRiverside Business Park',
  'phone-emergency': '+999 5550 0199',
  'constituency-description': 'Customers and staff.',
};
const DESCRIPTION =
  'The team answers incidents reported by its constituents, coordinates with other teams, and publishes advisories and reports.';

/** A property of every fourth real team. */
const OCCASIONAL_PROPERTIES = {
  'other-communication': 'See the website to report an issue; use the key below for what is confidential.',
};

const template: RecordTemplate = {
  templates: templatesOf(resource, ['beacon-teams', 'quay-teams']),
  complete: (record, at): BenchRecord => ({
    ...COMMON_PROPERTIES,
    ...record,
    ...(at % 4 === 0 && OCCASIONAL_PROPERTIES),
  }),
  vary,
};

function vary(name: string, text: string, at: number): string {
  switch (name) {
    case 'id':
      return `${text}_${at}`;
    case 'team':
    case 'team-full':
      return numbered(text, at);
    case 'email':
    case 'website':
      return hosted(text, at);
    case 'phone':
    case 'phone-emergency':
    case 'pgp-id':
    case 'pgp-fingerprint':
      return dialled(text, at);
    case 'pgp-key':
      return text.replace('a sample', `sample ${at}`);
    case 'constituency-description':
      return `${text} ${DESCRIPTION}`;
    case 'last-modified':
      return timed(text, at);
    default:
      return text;
  }
}

const team = findPropertyPosition(resource, 'team');
const country = findPropertyPosition(resource, 'country');
const europe: ReadonlySet<unknown> = findRegion('Europe')?.countries ?? new Set();

function extraProperty({ extraProperties }: RecordRow, property: string): PropertyValue | undefined {
  return extraProperties.find(([name]) => name === property)?.[1];
}

/** The short name of a team that the records contain, however they are divided among sources. */
const known = String(fromTemplates(template, { code: 's1', count: 1, from: 4_711 })[0]?.['team']).trim();

const filters: readonly Filter[] = [
  {
    query: 'country=BR',
    plain: (record) =>
      record.values[country] === 'BR' || toItems(extraProperty(record, 'country-other')).includes('BR'),
  },
  {
    query: 'region=Europe',
    plain: (record) =>
      europe.has(record.values[country]) ||
      toItems(extraProperty(record, 'country-other')).some((code) => europe.has(code)),
  },
  { query: `team=${encodeURIComponent(known)}`, shown: 'team=…', plain: ({ values }) => values[team] === known },
  { query: 'membership=Liaison', plain: (record) => extraProperty(record, 'membership') === 'Liaison' },
  { query: 'q=university', plain: (_, text) => text.includes('university') },
  {
    query: 'q=bank+japan+of',
    plain: (_, text) => text.includes('bank') && text.includes('japan') && text.includes('of'),
  },
];

/** Properties that are neither filters nor sort properties, and properties that are only sort properties. */
const notQueryable: ReadonlySet<string> = new Set(resource.pgpKeyProperties);
const sortOnly: ReadonlySet<string> = new Set(['source-name']);

/** Team profiles of the data interface, in the form of 2026. */
export const dataTeams: Subject = {
  name: 'data teams',
  resource,
  registered: (address) => `data: "${address}", resources: [teams], all-keys-public: true`,
  recordsOf: (portion) => fromTemplates(template, portion),
  envelope: enveloped,
  filters,
  texts: (set) => joined(set, ['team', 'team-full', 'country', '(country-name)']),
  ordinary: ['q=bank', '', 'team=cert', 'country=BR', 'region=Asia', 'membership=Liaison', 'sort=-establishment'],
  exhaustive: [...resource.properties, ...resource.knownExtraProperties]
    .filter(({ name }) => !notQueryable.has(name))
    .flatMap(({ name }) => (sortOnly.has(name) ? [`sort=${name}`] : [`sort=-${name}`, `${name}=${filterValue(name)}`])),
};

/** A value that the parameter with a name accepts. */
function filterValue(name: string): string {
  return name === 'country' ? 'BR' : 'x';
}
