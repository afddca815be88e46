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

/** What brings a demo record near the 1,000 bytes and 20 properties of a real one: what nearly every real team gives. */
const USUAL = {
  address: '14 Harbour Street, 3rd floor\nRiverside Business Park',
  'phone-emergency': '+999 5550 0199',
  'constituency-description': 'Customers and staff.',
};
const DESCRIPTION =
  'The team answers incidents reported by its constituents, coordinates with other teams, and publishes advisories and reports.';

/** Every fourth real team gives some. */
const OTHER = {
  'other-communication': 'See the website to report an issue; use the key below for what is confidential.',
};

const mould: RecordTemplate = {
  templates: templatesOf(resource, ['beacon-teams', 'quay-teams']),
  whole: (record, at): BenchRecord => ({ ...USUAL, ...record, ...(at % 4 === 0 && OTHER) }),
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

function further({ extraProperties: further }: RecordRow, property: string): PropertyValue | undefined {
  return further.find(([name]) => name === property)?.[1];
}

/** A team that every set of records has, wherever the sources part it. */
const known = String(fromTemplates(mould, { code: 's1', count: 1, from: 4_711 })[0]?.['team']).trim();

const filters: readonly Filter[] = [
  {
    query: 'country=BR',
    plain: (record) => record.values[country] === 'BR' || toItems(further(record, 'country-other')).includes('BR'),
  },
  {
    query: 'region=Europe',
    plain: (record) =>
      europe.has(record.values[country]) || toItems(further(record, 'country-other')).some((code) => europe.has(code)),
  },
  { query: `team=${encodeURIComponent(known)}`, shown: 'team=…', plain: ({ values }) => values[team] === known },
  { query: 'membership=Liaison', plain: (record) => further(record, 'membership') === 'Liaison' },
  { query: 'q=university', plain: (_, text) => text.includes('university') },
  {
    query: 'q=bank+japan+of',
    plain: (_, text) => text.includes('bank') && text.includes('japan') && text.includes('of'),
  },
];

/** Properties that nobody may filter on or sort by at public access, and those that only sort. */
const unasked: ReadonlySet<string> = new Set(resource.pgpKeyProperties);
const unfiltered: ReadonlySet<string> = new Set(['source-name']);

/** Team profiles of the data interface, in the shape of 2026. */
export const dataTeams: Subject = {
  name: 'data teams',
  resource,
  registered: (address) => `data: "${address}", resources: [teams], all-keys-public: true`,
  recordsOf: (portion) => fromTemplates(mould, portion),
  envelope: enveloped,
  filters,
  texts: (set) => joined(set, ['team', 'team-full', 'country', '(country-name)']),
  ordinary: ['q=bank', '', 'team=cert', 'country=BR', 'region=Asia', 'membership=Liaison', 'sort=-establishment'],
  exhaustive: [...resource.properties, ...resource.knownExtraProperties]
    .filter(({ name }) => !unasked.has(name))
    .flatMap(({ name }) => (unfiltered.has(name) ? [`sort=${name}`] : [`sort=-${name}`, `${name}=${sought(name)}`])),
};

/** A value that the parameter of this name takes. */
function sought(name: string): string {
  return name === 'country' ? 'BR' : 'x';
}
