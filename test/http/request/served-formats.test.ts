import { describe, expect, it } from 'vitest';
import { describeFormatTarget, listServedFormats } from '../../../src/http/request/served-formats.js';
import { channels } from '../../../src/model/resources/channels.js';
import { dataTeams } from '../../../src/model/resources/data-teams.js';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import { news, newsItem } from '../../../src/model/resources/news.js';
import type { Resource } from '../../../src/model/resource.js';

type PathRules = Parameters<typeof listServedFormats>[0];

function rulesOf(resource: Resource, facts: Partial<PathRules> = {}): PathRules {
  return { vocabulary: { resource, sourceNames: [], codes: [], properties: [], aggregate: false }, ...facts };
}

const ROWS = 'json yaml xml csv xlsx ndjson';

describe('the formats that a path serves (decisions 2.5)', () => {
  it.each([
    ['teams of the directory interface', rulesOf(directoryTeams), `${ROWS} vcf geojson`],
    ['teams of the data interface', rulesOf(dataTeams), `${ROWS} vcf geojson`],
    ['news', rulesOf(news), 'json yaml xml csv atom rss'],
    ['channels', rulesOf(channels), 'json yaml xml csv xlsx'],
    ['a single team', rulesOf(dataTeams, { item: true }), `${ROWS} vcf`],
    ['a single news item', rulesOf(newsItem, { item: true }), 'json yaml xml csv'],
    ['teams of other repositories', rulesOf(directoryTeams, { item: true, fixedProperties: true }), ROWS],
  ])('%s', (_title, rules, names) => {
    expect(listServedFormats(rules, 'public').map(({ name }) => name)).toEqual(names.split(' '));
  });

  it.each([
    ['public', false],
    ['minimal', false],
    ['pgp', true],
    ['members', true],
    [undefined, true],
  ] as const)('include the keyring in the scope %s: %s', (scope, isServed) => {
    const names = listServedFormats(rulesOf(dataTeams), scope).map(({ name }) => name);
    expect(names.includes('asc')).toBe(isServed);
  });

  it.each([
    [rulesOf(news), 'news'],
    [rulesOf(dataTeams, { search: true }), 'results of a search for teams'],
    [rulesOf(newsItem, { item: true }), 'single records of news'],
    [rulesOf(directoryTeams, { item: true, fixedProperties: true }), 'teams of other repositories'],
  ])('are described with the noun of the path', (rules, noun) => {
    expect(describeFormatTarget(rules, 'public').noun).toBe(noun);
  });
});
