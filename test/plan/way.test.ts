import { describe, expect, it } from 'vitest';
import { noCapability } from '../../src/model/capabilities.js';
import type { Capability } from '../../src/model/capabilities.js';
import type { Resource } from '../../src/model/resource.js';
import { dataTeams } from '../../src/model/resources/data-teams.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { news } from '../../src/model/resources/news.js';
import { wayOf } from '../../src/plan/way.js';
import type { Standing, Way } from '../../src/plan/way.js';
import { parseQuery } from '../../src/query/parse.js';

const ABLE: Partial<Capability> = {
  filters: ['country'],
  sort: ['short-team-name', 'team', '-published'],
  total: true,
};

interface Case {
  readonly resource?: Resource;
  readonly standing?: Standing;
  readonly can?: Partial<Capability>;
}

function way(raw: string, { resource = directoryTeams, standing = 'too-large', can = ABLE }: Case = {}): Way {
  const vocabulary = { resource, sourceNames: ['Harbour'], codes: ['harbour'], properties: [], aggregate: false };
  const parsed = parseQuery(raw, { vocabulary, limit: { default: 100, max: 10_000 }, envelope: false });
  if (!('query' in parsed)) throw new Error(JSON.stringify(parsed));
  const origin = { sourceName: 'Harbour', aggregate: false, relinks: false };
  return wayOf(parsed.query, { standing, capability: { ...noCapability, ...can }, origin });
}

describe('the way of a query to one source', () => {
  it('is what is held, and all is done here, whatever the source can do', () => {
    const expected = { way: 'held', sent: {}, here: ['country', 'sort'] };
    expect(way('country=BR', { standing: 'fresh' })).toEqual({ ...expected, stale: false });
    expect(way('country=BR', { standing: 'stale' })).toEqual({ ...expected, stale: true });
  });

  it('is a drain where nothing is known, and tells what it is if that finds too much', () => {
    const drained = way('country=BR', { standing: 'none' });
    expect(drained).toMatchObject({ way: 'drain', sent: {}, here: ['country', 'sort'] });
    expect(drained).toMatchObject({ ifLarge: way('country=BR', { standing: 'too-large' }) });
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

  it('is none where no filter that the source has makes it less', () => {
    expect(way('host=x')).toMatchObject({ way: 'too-large' });
    expect(way('', { can: { ...ABLE, total: false } })).toMatchObject({ way: 'too-large' });
  });

  it('is none for what is told from all that the source has: the items of a channel, and the keys of teams', () => {
    const able = { ...ABLE, filters: ['country', 'before'] };
    expect(way('before=2026-01-01', { resource: news, can: able })).toMatchObject({ way: 'push-down', stream: true });
    expect(way('before=2026-01-01&channel=Alerts', { resource: news, can: able })).toMatchObject({ way: 'too-large' });
    expect(way('country=BR', { resource: dataTeams })).toMatchObject({ way: 'push-down', stream: true });
    expect(way('country=BR&scope=pgp', { resource: dataTeams })).toMatchObject({ way: 'too-large' });
  });

  it('asks for a channel beside all items', () => {
    expect(way('channel=Alerts', { resource: news, standing: 'none' })).toMatchObject({
      way: 'drain',
      sent: { channel: 'alerts' },
      here: ['sort'],
    });
  });
});
