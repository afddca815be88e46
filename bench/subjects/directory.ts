import { findPropertyPosition } from '../../src/model/resource.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { toItems } from '../../src/model/property-value.js';
import { findRegion } from '../../src/region/region.js';
import { dialled, hosted, fromTemplates, numbered, templatesOf, timed } from './records.js';
import type { RecordTemplate } from './records.js';
import type { Filter, Subject } from './subject.js';

/** An address and a long description, which bring a demo record near the 1,000 bytes of a real one. */
const ADDRESS = '14 Harbour Street, 3rd floor\r\nRiverside Business Park';
const DESCRIPTION =
  'The team answers incidents reported by its constituents, coordinates with other teams, and publishes advisories and reports.';

const template: RecordTemplate = {
  templates: templatesOf(directoryTeams, ['harbour', 'lantern', 'attic']),
  complete: (record) => ({ 'postal-address': ADDRESS, ...record }),
  vary,
};

function vary(name: string, text: string, at: number): string {
  switch (name) {
    case 'short-team-name':
    case 'official-team-name':
      return numbered(text, at);
    case 'email':
    case 'website':
      return hosted(text, at);
    case 'phone-numbers':
    case 'enckeys':
      return dialled(text, at);
    case 'constituency-description':
      return `${text} ${DESCRIPTION}`;
    case 'last-modified':
      return timed(text, at);
    default:
      return text;
  }
}

const country = findPropertyPosition(directoryTeams, 'country-code');
const further = findPropertyPosition(directoryTeams, 'additional-country-code');
const hours = findPropertyPosition(directoryTeams, 'operating-hours');
const europe: ReadonlySet<unknown> = findRegion('Europe')?.countries ?? new Set();

const filters: readonly Filter[] = [
  { query: 'country=BR', plain: ({ values }) => values[country] === 'BR' || toItems(values[further]).includes('BR') },
  {
    query: 'region=Europe',
    plain: ({ values }) => europe.has(values[country]) || toItems(values[further]).some((code) => europe.has(code)),
  },
  { query: 'operating-hours=24x7', plain: ({ values }) => values[hours] === '24x7' },
  { query: 'q=university', plain: (_, text) => text.includes('university') },
  {
    query: 'q=bank+mon-fri+example.org',
    plain: (_, text) => text.includes('bank') && text.includes('mon-fri') && text.includes('example.org'),
  },
];

/** Teams of the directory interface. */
export const directory: Subject = {
  name: 'directory',
  resource: directoryTeams,
  registered: (address) => `directory: "${address}"`,
  recordsOf: (portion) => fromTemplates(template, portion),
  envelope: ({ total, limit, offset, data }) => ({
    status: 'OK',
    status_code: 200,
    version: '1.0',
    total,
    'last-modified': 'Tue, 01 Sep 2026 06:00:00 GMT',
    limit,
    offset,
    data,
  }),
  filters,
  texts: (set) => set.searchTexts(),
  ordinary: ['q=bank', '', 'team=cert', 'country=BR', 'region=Asia', 'operating-hours=24x7', 'sort=-establishment'],
  exhaustive: directoryTeams.properties.flatMap(({ name }) =>
    ['source-name', 'last-modified'].includes(name) ? [`sort=${name}`] : [`sort=-${name}`, `${name}=x`],
  ),
};
