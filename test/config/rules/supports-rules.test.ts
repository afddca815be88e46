import { describe, expect, test } from 'vitest';
import { formatConfigError } from '../../../src/config/load-config.js';
import { parseConfig } from '../../../src/config/parse-config.js';
import type { SourceConfig } from '../../../src/config/config.js';
import { reservedPropertyNames, selectionParameters } from '../../../src/config/rules/property-rules.js';
import type { SourceCapabilities } from '../../../src/model/registration/capability.js';
import { listStoredProperties } from '../../../src/model/resource.js';
import type { Resource } from '../../../src/model/resource.js';
import { channels } from '../../../src/model/resources/channels.js';
import { dataTeams } from '../../../src/model/resources/data-teams.js';
import { directoryTeams } from '../../../src/model/resources/directory-teams.js';
import { news } from '../../../src/model/resources/news.js';
import { defaultScopeAccess } from '../../../src/model/resources/team-scopes.js';
import { formatSupportsBlock, deriveSupports } from '../../../src/probe/supports-block.js';
import type { ProbeFinding, CapabilityGrant } from '../../../src/probe/finding.js';
import { listParameters } from '../../../src/query/reserved-parameters.js';
import { parseQuery } from '../../../src/query/parse-query.js';
import { resourceParameters } from '../../../src/query/resource-parameters.js';
import { probeRepository, distinctiveNews, distinctiveTeams } from '../../support/gateway/run-probe.js';

const both = "number: 1, directory: 'https://a.example.org', data: 'https://b.example.org'";

/** Errors of a source with the given keys and `supports`, as `f:line:column: path: message`. */
function errorsOf(supports: string, keys = both): string[] {
  const text = `sources:\n  a: { ${keys},\n   supports: ${supports} }\n  b: { number: 2, data: 'https://c.example.org', properties: [rank] }`;
  const parsed = parseConfig(text, {});
  return 'errors' in parsed ? parsed.errors.map((error) => formatConfigError('f', error)) : [];
}

/** Configuration of a source with the `supports` block that a probe wrote. */
function sourceWithBlock(block: string, keys: readonly string[] = []): SourceConfig | undefined {
  const lines = ['number: 1', 'directory: https://a.example.org', 'data: https://b.example.org', ...keys];
  const parsed = parseConfig(`sources:\n  one:\n${lines.map((line) => `    ${line}\n`).join('')}${block}`, {});
  if (!('config' in parsed)) throw new Error(`${JSON.stringify(parsed)}\n${block}`);
  return parsed.config.sources[0];
}

describe('rules for supports', () => {
  test.each([
    ['nothing', '{}'],
    ['resources without declarations', '{ teams: , news: {}, channels: ~ }'],
    [
      'filters of either interface',
      '{ teams: { filters: [country-code, country, team, region, source-name, membership] } }',
    ],
    [
      'orders in each direction',
      '{ teams: { sort: [team, -team, -last-modified, source-name] }, news: { sort: [id, -id, published] } }',
    ],
    ['filters of channels', '{ channels: { filters: [channel, link, rsslink, source-name] } }'],
    [
      'properties with the code of the source',
      '{ teams: { filters: [-a-type], sort: [-a-type, --a-type] }, news: { sort: [-a-x] } }',
    ],
    ['properties that another source registers', '{ teams: { filters: [rank], sort: [-rank] } }'],
  ])('accept %s', (_, supports) => {
    expect(errorsOf(supports)).toEqual([]);
  });

  test.each([
    [
      'an unknown filter, with the nearest name',
      '{ teams: { filters: [country, contry] } }',
      '3:44: sources.a.supports.teams.filters[1]: is not a filter of teams on any interface; did you mean country?',
    ],
    [
      'an unknown filter without a near name',
      '{ teams: { filters: [colour] } }',
      '3:35: sources.a.supports.teams.filters[0]: is not a filter of teams on any interface',
    ],
    [
      'last-modified as a filter',
      '{ teams: { filters: [last-modified] } }',
      '3:35: sources.a.supports.teams.filters[0]: is not a filter of teams on any interface',
    ],
    [
      'a PGP property as a filter',
      '{ teams: { filters: [pgp-id] } }',
      '3:35: sources.a.supports.teams.filters[0]: is not a filter of teams on any interface',
    ],
    [
      'a channel of news',
      '{ news: { filters: [channel], total: true } }',
      '3:34: sources.a.supports.news.filters[0]: is not declared since 0.2.0; the items of a channel are always drained',
    ],
    [
      'q as a filter',
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
      'an unknown order, with the nearest name',
      '{ teams: { sort: [-teem] } }',
      '3:32: sources.a.supports.teams.sort[0]: is not a property of teams on any interface; did you mean team?',
    ],
    [
      'a parameter as an order',
      '{ teams: { sort: [region] } }',
      '3:32: sources.a.supports.teams.sort[0]: is not a property of teams on any interface',
    ],
    [
      'a computed property as an order',
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
  ])('reject %s', (_, supports, error) => {
    expect(errorsOf(supports)).toEqual([`f:${error}`]);
  });

  test('reject news and channels without the data interface', () => {
    expect(errorsOf('{ teams: {}, news: {}, channels: {} }', "number: 1, directory: 'https://a.example.org'")).toEqual([
      'f:3:27: sources.a.supports.news: is only on the data interface',
      'f:3:37: sources.a.supports.channels: is only on the data interface',
    ]);
  });

  test('accept properties of any code for an aggregate, and of its prefixes for any source', () => {
    expect(errorsOf('{ teams: { filters: [-c-type] } }', `${both}, aggregate: true`)).toEqual([]);
    expect(errorsOf('{ teams: { filters: [-c-type] } }', `${both}, prefixes: [c]`)).toEqual([]);
    expect(errorsOf('{ teams: { filters: [-c-type] } }', both)).toHaveLength(1);
  });

  test('never repeat the value of an environment variable', () => {
    const text =
      "sources: { a: { number: 1, data: 'https://a.example.org', supports: { news: { sort: ['${SECRET}'] } } } }";
    const parsed = parseConfig(text, { SECRET: 'hunter2' });
    expect(parsed).toHaveProperty('errors.0.path', 'sources.a.supports.news.sort[0]');
    expect(JSON.stringify(parsed)).not.toContain('hunter2');
  });
});

const resources = [directoryTeams, dataTeams, news, channels];

/** Whether the parameter is valid in a query of the resource. */
function isValidParameter(resource: Resource, raw: string): boolean {
  const vocabulary = { resource, sourceNames: ['One'], codes: [], properties: [], aggregate: true };
  const limit = { default: 1, max: 1 };
  const rules = { vocabulary, limit, envelope: true, scopeAccess: defaultScopeAccess };
  return 'query' in parseQuery(raw, rules, 'public');
}

const VALUES: Readonly<Record<string, string>> = {
  country: 'BR',
  region: 'Asia',
  before: '2026-01-01',
  after: '2026-01-01',
};

describe('property and parameter names', () => {
  test('reserve all parameters of lists of teams', () => {
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
      const never = { teams: ['q', 'scope'], news: ['q', 'channel'], channels: ['q'] }[path];
      expect([...selectionParameters[path], ...never].sort()).toEqual([...named].sort());
    }
  });

  test.each(resources)('are accepted in supports exactly where a query of $name accepts them', (resource) => {
    const { path } = resource;
    for (const { name } of [...listStoredProperties(resource), ...resource.knownExtraProperties]) {
      const filter = isValidParameter(resource, `${name}=${VALUES[name] ?? 'One'}`);
      if (filter || resource.interfaceName === 'data')
        expect([name, errorsOf(`{ ${path}: { filters: ["${name}"] } }`).length]).toEqual([name, filter ? 0 : 1]);
      const sort = isValidParameter(resource, `sort=${name}`);
      expect([name, errorsOf(`{ ${path}: { sort: ["${name}"] } }`).length]).toEqual([name, sort ? 0 : 1]);
    }
  });
});

describe('the supports block written by a probe', () => {
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
  ] as const)('of a source that %j is parsed as the proved capabilities', async (behaviours) => {
    const named = lists.directory.map((team, at) => ({ ...team, 'source-name': at % 3 === 0 ? 'Bahía' : 'Reef' }));
    for (const aggregate of [false, true]) {
      const all = aggregate ? { directory: named } : lists;
      const { report } = await probeRepository(all, behaviours, { registered: { aggregate } });
      expect(report.supports.teams).toBeDefined();
      const keys = [`aggregate: ${aggregate}`];
      expect(sourceWithBlock(formatSupportsBlock(report.supports, 'proved'), keys)?.supports).toEqual(report.supports);
    }
  });

  test('is parsed for any proved capabilities', () => {
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
          ...(name === 'news' ? [{ filter: 'before' }, { filter: 'after' }] : []),
          ...[{ search: true as const }, { total: true as const }],
        ];
        return grants.map((grant) => ({ resource: name, topic: '', verdict: 'proved', evidence: '', grant }));
      },
    );
    const sides: readonly Resource[][] = [resources, [directoryTeams], [dataTeams], [news], [channels]];
    for (const side of sides) {
      const supports: SourceCapabilities = deriveSupports(usual, side);
      expect(sourceWithBlock(formatSupportsBlock(supports, 'proved'))?.supports).toEqual(supports);
    }
  });
});
