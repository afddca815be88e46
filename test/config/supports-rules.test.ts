import { describe, expect, test } from 'vitest';
import { formatConfigError } from '../../src/config/load-config.js';
import { parseConfig } from '../../src/config/parse-config.js';
import type { SourceConfig } from '../../src/config/config.js';
import { reservedPropertyNames } from '../../src/config/further-property-names.js';
import { selectionParameters } from '../../src/config/supports-rules.js';
import type { SourceCapabilities } from '../../src/model/capability.js';
import { listStoredProperties } from '../../src/model/resource.js';
import type { Resource } from '../../src/model/resource.js';
import { channels } from '../../src/model/resources/channels.js';
import { dataTeams } from '../../src/model/resources/data-teams.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { news } from '../../src/model/resources/news.js';
import { formatSupportsBlock, deriveSupports } from '../../src/probe/findings/derive-supports.js';
import type { ProbeFinding, CapabilityGrant } from '../../src/probe/findings/finding.js';
import { listParameters } from '../../src/query/reserved-parameters.js';
import { parseQuery } from '../../src/query/parse-query.js';
import { resourceParameters } from '../../src/query/resource-parameters.js';
import { probeRepository, distinctiveNews, distinctiveTeams } from '../support/repository/run-probe.js';

const both = "number: 1, directory: 'https://a.example.org', data: 'https://b.example.org'";

/** Faults of a source whose keys are these, as `line:column path: message`. */
function told(supports: string, keys = both): string[] {
  const text = `sources:\n  a: { ${keys},\n   supports: ${supports} }\n  b: { number: 2, data: 'https://c.example.org', properties: [rank] }`;
  const parsed = parseConfig(text, {});
  return 'errors' in parsed ? parsed.errors.map((fault) => formatConfigError('f', fault)) : [];
}

/** What a source is read with when a block stands under it as the probe wrote it. */
function pasted(block: string, keys: readonly string[] = []): SourceConfig | undefined {
  const lines = ['number: 1', 'directory: https://a.example.org', 'data: https://b.example.org', ...keys];
  const parsed = parseConfig(`sources:\n  one:\n${lines.map((line) => `    ${line}\n`).join('')}${block}`, {});
  if (!('config' in parsed)) throw new Error(`${JSON.stringify(parsed)}\n${block}`);
  return parsed.config.sources[0];
}

describe('supports', () => {
  test.each([
    ['nothing', '{}'],
    ['a resource of which nothing is known', '{ teams: , news: {}, channels: ~ }'],
    [
      'filters of either interface',
      '{ teams: { filters: [country-code, country, team, region, source-name, membership] } }',
    ],
    [
      'orders each way',
      '{ teams: { sort: [team, -team, -last-modified, source-name] }, news: { sort: [id, -id, published] } }',
    ],
    ['what only aggregates and channels have', '{ channels: { filters: [channel, link, rsslink, source-name] } }'],
    [
      'properties of its own code',
      '{ teams: { filters: [-a-type], sort: [-a-type, --a-type] }, news: { sort: [-a-x] } }',
    ],
    ['properties that another source registers', '{ teams: { filters: [rank], sort: [-rank] } }'],
  ])('may name %s', (_, supports) => {
    expect(told(supports)).toEqual([]);
  });

  test.each([
    [
      'no filter',
      '{ teams: { filters: [country, contry] } }',
      '3:44: sources.a.supports.teams.filters[1]: is not a filter of teams on any interface; did you mean country?',
    ],
    [
      'no filter, and none that is near',
      '{ teams: { coarse: [colour] } }',
      '3:34: sources.a.supports.teams.coarse[0]: is not a filter of teams on any interface',
    ],
    [
      'the one property that is no filter',
      '{ teams: { filters: [last-modified] } }',
      '3:35: sources.a.supports.teams.filters[0]: is not a filter of teams on any interface',
    ],
    [
      'a key',
      '{ teams: { filters: [pgp-id] } }',
      '3:35: sources.a.supports.teams.filters[0]: is not a filter of teams on any interface',
    ],
    [
      'a channel that would have to be filtered again',
      '{ news: { coarse: [channel], total: true } }',
      '3:33: sources.a.supports.news.coarse[0]: must not be coarse, because items do not name their channels',
    ],
    [
      'a channel that is not counted',
      '{ news: { filters: [channel] } }',
      '3:34: sources.a.supports.news.filters[0]: requires total: true, because only a total shows whether the source applies the filter',
    ],
    [
      'a search',
      '{ teams: { filters: [q] } }',
      '3:35: sources.a.supports.teams.filters[0]: is declared by search and exact',
    ],
    [
      'a property of news as a filter',
      '{ news: { filters: [title] } }',
      '3:34: sources.a.supports.news.filters[0]: is not a filter of news on any interface',
    ],
    [
      'a filter of another resource',
      '{ news: { filters: [country] } }',
      '3:34: sources.a.supports.news.filters[0]: is not a filter of news on any interface',
    ],
    [
      'the code of another source',
      '{ teams: { filters: [-b-type] } }',
      '3:35: sources.a.supports.teams.filters[0]: is not a filter of teams on any interface',
    ],
    [
      'no order',
      '{ teams: { sort: [-teem] } }',
      '3:32: sources.a.supports.teams.sort[0]: is not a property of teams on any interface; did you mean team?',
    ],
    [
      'a parameter as an order',
      '{ teams: { sort: [region] } }',
      '3:32: sources.a.supports.teams.sort[0]: is not a property of teams on any interface',
    ],
    [
      'what is computed as an order',
      '{ news: { sort: [(link)] } }',
      '3:31: sources.a.supports.news.sort[0]: is not a property of news on any interface; did you mean link?',
    ],
    [
      'a filter twice',
      '{ teams: { filters: [country, country] } }',
      '3:44: sources.a.supports.teams.filters[1]: is the same as sources.a.supports.teams.filters[0]',
    ],
    [
      'an order twice',
      '{ teams: { sort: [team, -team, team] } }',
      '3:45: sources.a.supports.teams.sort[2]: is the same as sources.a.supports.teams.sort[0]',
    ],
    [
      'a filter as exact and as coarse',
      '{ news: { filters: [before], coarse: [after, before] } }',
      '3:59: sources.a.supports.news.coarse[1]: is the same as sources.a.supports.news.filters[0]',
    ],
  ])('may not name %s', (_, supports, fault) => {
    expect(told(supports)).toEqual([`f:${fault}`]);
  });

  test('may not be of news and channels without the data interface', () => {
    expect(told('{ teams: {}, news: {}, channels: {} }', "number: 1, directory: 'https://a.example.org'")).toEqual([
      'f:3:27: sources.a.supports.news: is only on the data interface',
      'f:3:37: sources.a.supports.channels: is only on the data interface',
    ]);
  });

  test('of an aggregate may name properties of any code', () => {
    expect(told('{ teams: { filters: [-c-type] } }', `${both}, aggregate: true`)).toEqual([]);
    expect(told('{ teams: { filters: [-c-type] } }', `${both}, prefixes: [c]`)).toEqual([]);
    expect(told('{ teams: { filters: [-c-type] } }', both)).toHaveLength(1);
  });

  test('never repeats what a variable holds', () => {
    const text =
      "sources: { a: { number: 1, data: 'https://a.example.org', supports: { news: { sort: ['${SECRET}'] } } } }";
    const parsed = parseConfig(text, { SECRET: 'hunter2' });
    expect(parsed).toHaveProperty('errors.0.path', 'sources.a.supports.news.sort[0]');
    expect(JSON.stringify(parsed)).not.toContain('hunter2');
  });
});

const resources = [directoryTeams, dataTeams, news, channels];

/** Whether a query of the resource may have the parameter. */
function asks(resource: Resource, raw: string): boolean {
  const vocabulary = { resource, sourceNames: ['One'], codes: [], properties: [], aggregate: true };
  const limit = { default: 1, max: 1 };
  return 'query' in parseQuery(raw, { vocabulary, limit, envelope: true });
}

const VALUES: Readonly<Record<string, string>> = {
  country: 'BR',
  region: 'Asia',
  before: '2026-01-01',
  after: '2026-01-01',
};

describe('the names that no source can have for a property', () => {
  test('are all parameters that lists of teams have', () => {
    const teams = [...resourceParameters['directory-teams'], ...resourceParameters['data-teams']];
    const named = new Set([...listParameters, ...teams].map(({ name }) => name));
    expect([...new Set(reservedPropertyNames)].sort()).toEqual([...named, '_'].sort());
  });
});

describe('the names that supports knows', () => {
  test('are the parameters that queries have', () => {
    const paths = resources.map(({ path }) => path);
    for (const path of paths) {
      const sides = resources.filter((resource) => resource.path === path);
      const named = new Set(sides.flatMap(({ name }) => resourceParameters[name].map((parameter) => parameter.name)));
      expect([...selectionParameters[path], 'q', ...(path === 'teams' ? ['scope'] : [])].sort()).toEqual(
        [...named].sort(),
      );
    }
  });

  test.each(resources)('are the filters and orders that a query of $name may have', (resource) => {
    const { path } = resource;
    for (const { name } of [...listStoredProperties(resource), ...resource.knownExtraProperties]) {
      const filter = asks(resource, `${name}=${VALUES[name] ?? 'One'}`);
      if (filter || resource.interfaceName === 'data')
        expect([name, told(`{ ${path}: { filters: ["${name}"] } }`).length]).toEqual([name, filter ? 0 : 1]);
      const sort = asks(resource, `sort=${name}`);
      expect([name, told(`{ ${path}: { sort: ["${name}"] } }`).length]).toEqual([name, sort ? 0 : 1]);
    }
  });
});

describe('the block that a probe writes', () => {
  const lists = {
    directory: distinctiveTeams(60, 'directory'),
    teams: distinctiveTeams(60, 'data'),
    news: distinctiveNews(60),
    channels: [],
  };

  test.each([
    [['caps pages at 30']],
    [['caps pages at 30', 'treats before as inclusive', 'treats after as inclusive']],
    [['caps pages at 30', 'ignores sort', 'reports the page size as total']],
  ] as const)('of a source that %j is read as what was proved', async (behaviours) => {
    const named = lists.directory.map((team, at) => ({ ...team, 'source-name': at % 3 === 0 ? 'Bahía' : 'Reef' }));
    for (const aggregate of [false, true]) {
      const all = aggregate ? { directory: named } : lists;
      const { report } = await probeRepository(all, behaviours, { budget: 200, registered: { aggregate } });
      expect(report.supports.teams).toBeDefined();
      const keys = [`aggregate: ${aggregate}`];
      expect(pasted(formatSupportsBlock(report.supports, 'proved'), keys)?.supports).toEqual(report.supports);
    }
  });

  test('is read whatever was proved', () => {
    const usual = resources.flatMap(
      ({
        name,
        properties,
        knownExtraProperties: extra,
        hasPropertyFilters: filters,
        sourceNameProperty: sourceName,
        pgpKeyProperties: keys,
        trailingProperty: trailing,
      }): ProbeFinding[] => {
        const table = [...properties, ...extra].map((one) => one.name).filter((one) => !keys.includes(one));
        const filtering = filters ? [...table, 'country', 'team', 'region'] : [sourceName, 'link'];
        const ordering = [...table, ...(trailing ? [trailing.name] : [])];
        const grants: CapabilityGrant[] = [
          ...[...new Set(filtering)].map((filter) => ({ filter })),
          ...ordering.flatMap((sort) => [{ sort }, { sort: `-${sort}` }]),
          ...(name === 'news' ? [{ coarse: 'before' }, { filter: 'after' }] : []),
          ...[{ search: true as const }, { total: true as const }, { limitMax: 30 }],
        ];
        return grants.map((grant) => ({ resource: name, topic: '', verdict: 'proved', evidence: '', grant }));
      },
    );
    const sides: readonly Resource[][] = [resources, [directoryTeams], [dataTeams], [news], [channels]];
    for (const side of sides) {
      const supports: SourceCapabilities = deriveSupports(usual, side);
      expect(pasted(formatSupportsBlock(supports, 'proved'))?.supports).toEqual(supports);
    }
  });
});
