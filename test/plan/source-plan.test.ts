import { describe, expect, it } from 'vitest';
import { noCapability } from '../../src/model/capability.js';
import type { Capability } from '../../src/model/capability.js';
import type { Resource } from '../../src/model/resource.js';
import { dataTeams } from '../../src/model/resources/data-teams.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { news } from '../../src/model/resources/news.js';
import { planSource } from '../../src/plan/source-plan.js';
import type { SnapshotAvailability, SourcePlan } from '../../src/plan/source-plan.js';
import { parseQuery } from '../../src/query/parse-query.js';

const ABLE: Partial<Capability> = {
  filters: ['country'],
  sort: ['short-team-name', 'team', '-published'],
  total: true,
};

interface Case {
  readonly resource?: Resource;
  readonly availability?: SnapshotAvailability;
  readonly can?: Partial<Capability>;
  /** The resource as the source has it; absent: as it is asked for. */
  readonly native?: Resource;
}

function way(
  raw: string,
  { resource = directoryTeams, availability = 'large', can = ABLE, native }: Case = {},
): SourcePlan {
  const vocabulary = { resource, sourceNames: ['Harbour'], codes: ['harbour'], properties: [], aggregate: false };
  const parsed = parseQuery(raw, { vocabulary, limit: { default: 100, max: 10_000 }, envelope: false });
  if (!('query' in parsed)) throw new Error(JSON.stringify(parsed));
  const origin = {
    sourceName: 'Harbour',
    aggregate: false,
    resolvesLinks: false,
    ...(native && { nativeResource: native }),
  };
  return planSource(parsed.query, { availability, capability: { ...noCapability, ...can }, traits: origin });
}

describe('the way of a query to one source', () => {
  it('is what is held, and all is done here, whatever the source can do', () => {
    const expected = { strategy: 'cached', sent: {}, residual: ['country', 'sort'] };
    expect(way('country=BR', { availability: 'fresh' })).toEqual({ ...expected, isStale: false });
    expect(way('country=BR', { availability: 'stale' })).toEqual({ ...expected, isStale: true });
  });

  it('is a drain where nothing is known, and tells what it is if that finds too much', () => {
    const drained = way('country=BR', { availability: 'none' });
    expect(drained).toMatchObject({ strategy: 'drain', sent: {}, residual: ['country', 'sort'] });
    expect(drained).toMatchObject({ ifLarge: way('country=BR', { availability: 'large' }) });
  });

  it('is a stream where filters, order and total are guaranteed', () => {
    expect(way('country=BR')).toMatchObject({
      strategy: 'push-down',
      isTopN: true,
      sent: { country: 'BR', sort: 'short-team-name' },
      residual: [],
    });
  });

  it.each([
    ['a filter is left', 'country=BR&host=x', ABLE, ['host', 'sort']],
    ['the order is another', 'country=BR&sort=host', ABLE, ['sort']],
    ['nothing is counted', 'country=BR', { ...ABLE, total: false }, ['sort']],
  ])('is what a filter lets through, put in order here, where %s', (_, raw, can, here) => {
    expect(way(raw, { can })).toMatchObject({
      strategy: 'push-down',
      isTopN: false,
      sent: { country: 'BR' },
      residual: here,
    });
  });

  it('is a drain of all that it has where no filter that the source has makes it less, unless that may not be held', () => {
    expect(way('host=x')).toMatchObject({ strategy: 'drain-large', sent: {}, residual: ['host', 'sort'] });
    expect(way('', { can: { ...ABLE, total: false } })).toMatchObject({ strategy: 'drain-large', residual: ['sort'] });
    expect(way('host=x', { availability: 'too-large' })).toMatchObject({ strategy: 'too-large' });
    expect(way('country=BR', { availability: 'too-large' })).toMatchObject({ strategy: 'push-down' });
  });

  it('is a number without an order where nothing else is wanted', () => {
    const counted = { strategy: 'push-down', isTopN: true, sent: { country: 'BR' }, residual: [] };
    expect(way('country=BR&sort=host&limit=0')).toMatchObject({ ...counted, isCountOnly: true });
    expect(way('country=BR&sort=host&limit=1')).toMatchObject({
      ...counted,
      isTopN: false,
      isCountOnly: false,
      residual: ['sort'],
    });
    expect(way('country=BR&host=x&limit=0')).toMatchObject({ isTopN: false, residual: ['host', 'sort'] });
    expect(way('limit=0&sort=host')).toMatchObject({ ...counted, sent: {}, isCountOnly: true });
    expect(way('limit=0', { can: { ...ABLE, total: false } })).toMatchObject({ strategy: 'drain-large' });
  });

  it('is a drain of all that it has for the keys of teams, and for a channel that is not known to be filtered by and counted', () => {
    const able = { ...ABLE, filters: ['country', 'before'] };
    const both = 'before=2026-01-01&channel=Alerts';
    expect(way('before=2026-01-01', { resource: news, can: able })).toMatchObject({
      strategy: 'push-down',
      isTopN: true,
    });
    expect(way(both, { resource: news, can: able })).toMatchObject({
      strategy: 'drain-large',
      residual: ['before', 'sort'],
    });
    const filtering = { ...able, filters: [...able.filters, 'channel'] };
    expect(way(both, { resource: news, can: { ...filtering, total: false } })).toMatchObject({
      strategy: 'drain-large',
    });
    expect(way(both, { resource: news, can: filtering })).toMatchObject({
      strategy: 'push-down',
      isTopN: true,
      sent: { before: '2026-01-01T00:00:00+00:00', channel: 'alerts', sort: '-published' },
      residual: [],
    });
    expect(way('country=BR', { resource: dataTeams })).toMatchObject({ strategy: 'push-down', isTopN: true });
    expect(way('country=BR&scope=pgp', { resource: dataTeams })).toMatchObject({ strategy: 'drain-large' });
  });

  it('is translated for a source that has teams on the other interface', () => {
    const can = {
      filters: ['country', 'team', 'host', 'country-other'],
      sort: ['team', '-last-modified'],
      total: true,
    };
    const of = (raw: string): SourcePlan => way(raw, { can, native: dataTeams });
    expect(of('country=BR&short-team-name=Bay&host=x')).toMatchObject({
      strategy: 'push-down',
      isTopN: true,
      sent: { country: 'BR', host: 'x', sort: 'team', team: 'Bay' },
      residual: [],
    });
    expect(of('country=BR&sort=-last-modified')).toMatchObject({ isTopN: true, residual: [] });
    expect(of('additional-country-code=BR')).toMatchObject({ sent: { 'country-other': 'BR', sort: 'team' } });
    // Of the same name, and not the same: words in two names, and a property of the one that is a search of two on the other.
    expect(of('team=Bay&host=x')).toMatchObject({ sent: { host: 'x' }, residual: ['team', 'sort'] });
    expect(of('country-code=BR&host=x')).toMatchObject({ sent: { host: 'x' }, residual: ['country-code', 'sort'] });
    expect(of('q=bay&host=x')).toMatchObject({ sent: { host: 'x' }, residual: ['q', 'sort'] });
  });

  it('is translated the other way, too', () => {
    const can = { filters: ['country', 'short-team-name', 'team'], sort: ['short-team-name'], total: true };
    const of = (raw: string): SourcePlan => way(raw, { resource: dataTeams, can, native: directoryTeams });
    expect(of('country=BR&team=Bay')).toMatchObject({
      isTopN: true,
      sent: { country: 'BR', 'short-team-name': 'Bay', sort: 'short-team-name' },
      residual: [],
    });
  });

  it('asks for a channel beside all items', () => {
    expect(way('channel=Alerts', { resource: news, availability: 'none' })).toMatchObject({
      strategy: 'drain',
      sent: { channel: 'alerts' },
      residual: ['sort'],
    });
  });
});
