import { describe, expect, it } from 'vitest';
import { noCapability } from '../../src/model/capabilities.js';
import type { Capability } from '../../src/model/capabilities.js';
import type { Resource } from '../../src/model/resource.js';
import { dataTeams } from '../../src/model/resources/data-teams.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { news } from '../../src/model/resources/news.js';
import { wayOf } from '../../src/plan/way.js';
import type { Availability, Way } from '../../src/plan/way.js';
import { parseQuery } from '../../src/query/parse.js';

const ABLE: Partial<Capability> = {
  filters: ['country'],
  sort: ['short-team-name', 'team', '-published'],
  total: true,
};

interface Case {
  readonly resource?: Resource;
  readonly availability?: Availability;
  readonly can?: Partial<Capability>;
  /** The resource as the source has it; absent: as it is asked for. */
  readonly native?: Resource;
}

function way(raw: string, { resource = directoryTeams, availability = 'large', can = ABLE, native }: Case = {}): Way {
  const vocabulary = { resource, sourceNames: ['Harbour'], codes: ['harbour'], properties: [], aggregate: false };
  const parsed = parseQuery(raw, { vocabulary, limit: { default: 100, max: 10_000 }, envelope: false });
  if (!('query' in parsed)) throw new Error(JSON.stringify(parsed));
  const origin = { sourceName: 'Harbour', aggregate: false, relinks: false, ...(native && { native }) };
  return wayOf(parsed.query, { availability, capability: { ...noCapability, ...can }, origin });
}

describe('the way of a query to one source', () => {
  it('is what is held, and all is done here, whatever the source can do', () => {
    const expected = { way: 'held', sent: {}, here: ['country', 'sort'] };
    expect(way('country=BR', { availability: 'fresh' })).toEqual({ ...expected, stale: false });
    expect(way('country=BR', { availability: 'stale' })).toEqual({ ...expected, stale: true });
  });

  it('is a drain where nothing is known, and tells what it is if that finds too much', () => {
    const drained = way('country=BR', { availability: 'none' });
    expect(drained).toMatchObject({ way: 'drain', sent: {}, here: ['country', 'sort'] });
    expect(drained).toMatchObject({ ifLarge: way('country=BR', { availability: 'large' }) });
  });

  it('is a stream where filters, order and total are guaranteed', () => {
    expect(way('country=BR')).toMatchObject({
      way: 'push-down',
      stream: true,
      sent: { country: 'BR', sort: 'short-team-name' },
      here: [],
    });
  });

  it.each([
    ['a filter is left', 'country=BR&host=x', ABLE, ['host', 'sort']],
    ['the order is another', 'country=BR&sort=host', ABLE, ['sort']],
    ['nothing is counted', 'country=BR', { ...ABLE, total: false }, ['sort']],
  ])('is what a filter lets through, put in order here, where %s', (_, raw, can, here) => {
    expect(way(raw, { can })).toMatchObject({ way: 'push-down', stream: false, sent: { country: 'BR' }, here });
  });

  it('is a drain of all that it has where no filter that the source has makes it less, unless that may not be held', () => {
    expect(way('host=x')).toMatchObject({ way: 'drain-large', sent: {}, here: ['host', 'sort'] });
    expect(way('', { can: { ...ABLE, total: false } })).toMatchObject({ way: 'drain-large', here: ['sort'] });
    expect(way('host=x', { availability: 'too-large' })).toMatchObject({ way: 'too-large' });
    expect(way('country=BR', { availability: 'too-large' })).toMatchObject({ way: 'push-down' });
  });

  it('is a number without an order where nothing else is wanted', () => {
    const counted = { way: 'push-down', stream: true, sent: { country: 'BR' }, here: [] };
    expect(way('country=BR&sort=host&limit=0')).toMatchObject({ ...counted, counts: true });
    expect(way('country=BR&sort=host&limit=1')).toMatchObject({
      ...counted,
      stream: false,
      counts: false,
      here: ['sort'],
    });
    expect(way('country=BR&host=x&limit=0')).toMatchObject({ stream: false, here: ['host', 'sort'] });
    expect(way('limit=0&sort=host')).toMatchObject({ ...counted, sent: {}, counts: true });
    expect(way('limit=0', { can: { ...ABLE, total: false } })).toMatchObject({ way: 'drain-large' });
  });

  it('is a drain of all that it has for the keys of teams, and for a channel that is not known to be filtered by and counted', () => {
    const able = { ...ABLE, filters: ['country', 'before'] };
    const both = 'before=2026-01-01&channel=Alerts';
    expect(way('before=2026-01-01', { resource: news, can: able })).toMatchObject({ way: 'push-down', stream: true });
    expect(way(both, { resource: news, can: able })).toMatchObject({ way: 'drain-large', here: ['before', 'sort'] });
    const filtering = { ...able, filters: [...able.filters, 'channel'] };
    expect(way(both, { resource: news, can: { ...filtering, total: false } })).toMatchObject({ way: 'drain-large' });
    expect(way(both, { resource: news, can: filtering })).toMatchObject({
      way: 'push-down',
      stream: true,
      sent: { before: '2026-01-01T00:00:00+00:00', channel: 'alerts', sort: '-published' },
      here: [],
    });
    expect(way('country=BR', { resource: dataTeams })).toMatchObject({ way: 'push-down', stream: true });
    expect(way('country=BR&scope=pgp', { resource: dataTeams })).toMatchObject({ way: 'drain-large' });
  });

  it('is translated for a source that has teams on the other interface', () => {
    const can = {
      filters: ['country', 'team', 'host', 'country-other'],
      sort: ['team', '-last-modified'],
      total: true,
    };
    const of = (raw: string): Way => way(raw, { can, native: dataTeams });
    expect(of('country=BR&short-team-name=Bay&host=x')).toMatchObject({
      way: 'push-down',
      stream: true,
      sent: { country: 'BR', host: 'x', sort: 'team', team: 'Bay' },
      here: [],
    });
    expect(of('country=BR&sort=-last-modified')).toMatchObject({ stream: true, here: [] });
    expect(of('additional-country-code=BR')).toMatchObject({ sent: { 'country-other': 'BR', sort: 'team' } });
    // Of the same name, and not the same: words in two names, and a property of the one that is a search of two on the other.
    expect(of('team=Bay&host=x')).toMatchObject({ sent: { host: 'x' }, here: ['team', 'sort'] });
    expect(of('country-code=BR&host=x')).toMatchObject({ sent: { host: 'x' }, here: ['country-code', 'sort'] });
    expect(of('q=bay&host=x')).toMatchObject({ sent: { host: 'x' }, here: ['q', 'sort'] });
  });

  it('is translated the other way, too', () => {
    const can = { filters: ['country', 'short-team-name', 'team'], sort: ['short-team-name'], total: true };
    const of = (raw: string): Way => way(raw, { resource: dataTeams, can, native: directoryTeams });
    expect(of('country=BR&team=Bay')).toMatchObject({
      stream: true,
      sent: { country: 'BR', 'short-team-name': 'Bay', sort: 'short-team-name' },
      here: [],
    });
  });

  it('asks for a channel beside all items', () => {
    expect(way('channel=Alerts', { resource: news, availability: 'none' })).toMatchObject({
      way: 'drain',
      sent: { channel: 'alerts' },
      here: ['sort'],
    });
  });
});
