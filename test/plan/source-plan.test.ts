import { describe, expect, it } from 'vitest';
import { noCapability } from '../../src/model/registration/capability.js';
import type { Capability } from '../../src/model/registration/capability.js';
import type { Resource } from '../../src/model/resource.js';
import { dataTeams } from '../../src/model/resources/data-teams.js';
import { directoryTeams } from '../../src/model/resources/directory-teams.js';
import { news } from '../../src/model/resources/news.js';
import { planSource } from '../../src/plan/source-plan.js';
import type { SnapshotAvailability, SourcePlan } from '../../src/plan/source-plan.js';
import { parsePublicQuery } from '../support/unit/parse-public-query.js';

const ABLE: Partial<Capability> = {
  filters: ['country'],
  sort: ['short-team-name', 'team', '-published'],
  total: true,
};

interface Case {
  readonly resource?: Resource;
  readonly availability?: SnapshotAvailability;
  readonly can?: Partial<Capability>;
}

function plan(raw: string, { resource = directoryTeams, availability = 'large', can = ABLE }: Case = {}): SourcePlan {
  const vocabulary = { resource, sourceNames: ['Harbour'], codes: ['harbour'], properties: [], aggregate: false };
  const origin = {
    sourceName: 'Harbour',
    aggregate: false,
    resolvesLinks: false,
  };
  return planSource(parsePublicQuery(raw, vocabulary), {
    availability,
    capability: { ...noCapability, ...can },
    traits: origin,
  });
}

describe('plan of a query for one source', () => {
  it('uses a cached snapshot, and applies the whole query locally, whatever the source supports', () => {
    const expected = { strategy: 'cached', sent: {}, residual: ['country', 'sort'] };
    expect(plan('country=BR', { availability: 'fresh' })).toEqual({ ...expected, isStale: false });
    expect(plan('country=BR', { availability: 'stale' })).toEqual({ ...expected, isStale: true });
  });

  it('is a drain where no snapshot is cached, with the plan for the case that the source is too large', () => {
    const drained = plan('country=BR', { availability: 'none' });
    expect(drained).toMatchObject({ strategy: 'drain', sent: {}, residual: ['country', 'sort'] });
    expect(drained).toMatchObject({ ifLarge: plan('country=BR', { availability: 'large' }) });
  });

  it('reads only the top records where filters, order and total are guaranteed', () => {
    expect(plan('country=BR')).toMatchObject({
      strategy: 'push-down',
      isTopN: true,
      sent: { country: 'BR', sort: 'short-team-name' },
      residual: [],
    });
  });

  it.each([
    ['a filter is not supported', 'country=BR&host=x', ABLE, ['host', 'sort']],
    ['the order is not supported', 'country=BR&sort=host', ABLE, ['sort']],
    ['the total is not supported', 'country=BR', { ...ABLE, total: false }, ['sort']],
  ])('reads all records that a pushed-down filter selects, and sorts locally, where %s', (_, raw, can, residual) => {
    expect(plan(raw, { can })).toMatchObject({
      strategy: 'push-down',
      isTopN: false,
      sent: { country: 'BR' },
      residual,
    });
  });

  it('is a drain of the large list where no supported filter narrows it, unless the list is too large', () => {
    expect(plan('host=x')).toMatchObject({ strategy: 'drain', sent: {}, residual: ['host', 'sort'] });
    expect(plan('', { can: { ...ABLE, total: false } })).toMatchObject({ strategy: 'drain', residual: ['sort'] });
    expect(plan('host=x', { availability: 'too-large' })).toMatchObject({ strategy: 'too-large' });
    expect(plan('country=BR', { availability: 'too-large' })).toMatchObject({ strategy: 'push-down' });
  });

  it('requests a count without an order for limit=0', () => {
    const counted = { strategy: 'push-down', isTopN: true, sent: { country: 'BR' }, residual: [] };
    expect(plan('country=BR&sort=host&limit=0')).toMatchObject({ ...counted, isCountOnly: true });
    expect(plan('country=BR&sort=host&limit=1')).toMatchObject({
      ...counted,
      isTopN: false,
      isCountOnly: false,
      residual: ['sort'],
    });
    expect(plan('country=BR&host=x&limit=0')).toMatchObject({ isTopN: false, residual: ['host', 'sort'] });
    expect(plan('limit=0&sort=host')).toMatchObject({ ...counted, sent: {}, isCountOnly: true });
    expect(plan('limit=0', { can: { ...ABLE, total: false } })).toMatchObject({ strategy: 'drain' });
  });

  it('is a drain of the large list for keys of teams, and for a channel', () => {
    const capability = { ...ABLE, filters: ['country', 'before'] };
    const both = 'before=2026-01-01&channel=Alerts';
    expect(plan('before=2026-01-01', { resource: news, can: capability })).toMatchObject({
      strategy: 'push-down',
      isTopN: true,
    });
    expect(plan(both, { resource: news, can: capability })).toMatchObject({
      strategy: 'drain',
      residual: ['before', 'sort'],
    });
    expect(plan('country=BR', { resource: dataTeams })).toMatchObject({ strategy: 'push-down', isTopN: true });
    expect(plan('country=BR&scope=pgp', { resource: dataTeams })).toMatchObject({ strategy: 'drain' });
  });

  it('sends the channel also with a drain', () => {
    expect(plan('channel=Alerts', { resource: news, availability: 'none' })).toMatchObject({
      strategy: 'drain',
      sent: { channel: 'alerts' },
      residual: ['sort'],
    });
  });
});
