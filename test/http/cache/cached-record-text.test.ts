import { afterEach, describe, expect, it } from 'vitest';
import { closeDataGateways, startDataGateway } from '../../support/gateway/data-gateway.js';
import type { DataGateway } from '../../support/gateway/data-gateway.js';
import { dataUpstream } from '../../support/upstream/data-upstream.js';

afterEach(closeDataGateways);

const MINUTE = 60_000;

function teams(prefix: string, host: string): readonly object[] {
  return Array.from({ length: 30 }, (_, at) => ({
    id: `${prefix}${at}`,
    team: `${prefix} "${at}" é`,
    'team-full': `Full ${at}`,
    website: [`https://${at}.example.org/`, 'https://example.net/'],
    country: 'NO',
    host,
  }));
}

function startTwoSources(): Promise<DataGateway> {
  return startDataGateway({
    one: { records: { teams: teams('a', 'before') } },
    two: { records: { teams: teams('b', 'steady') } },
  });
}

const PAGES = ['limit=10&offset=5', 'limit=10&offset=8', 'limit=60', 'limit=3&offset=40'];

const FORMS = [
  'teams?',
  'teams?pretty=false&',
  'teams?envelope=false&',
  'teams?envelope=false&pretty=false&',
  'teams?fields=team,host&',
  'teams?fields=host&',
  'teams?scope=minimal&',
  'teams?scope=country&',
  'teams?scope=country&fields=team&',
  'teams?callback=show&',
  'teams.yaml?',
  'teams.xml?',
  'teams.csv?',
];

/** Cached serialized records (decisions 7.16). */
describe('a cached serialized record', () => {
  it('is reused only for responses of the same form', async () => {
    const mixed = await startTwoSources();
    const targets = FORMS.flatMap((form) => PAGES.map((page) => `/data/v1/${form}${page}`));
    const texts = new Map<string, string>();
    // In an order in which each form meets records that other forms have serialized.
    for (const target of [...targets.filter((_, at) => at % 3 === 0), ...targets.toReversed()]) {
      texts.set(target, (await mixed.gateway.get(target)).text);
    }
    for (const target of targets) {
      const fresh = await startTwoSources();
      expect(texts.get(target)).toBe((await fresh.gateway.get(target)).text);
      await closeAll(fresh);
    }
  });

  it('is not reused after its source has changed', async () => {
    const { gateway, upstreams, clock, ask } = await startTwoSources();
    for (const page of PAGES) await ask(`/teams?${page}`);
    const { one } = upstreams;
    if (one !== undefined) one.handler = dataUpstream({ teams: teams('a', 'after') });
    clock.advance(10 * MINUTE);
    for (const page of PAGES) {
      const { data } = await ask(`/teams?${page}`);
      const hosts = data.map(({ id, host }) => `${String(id).slice(0, 4)} ${String(host)}`);
      expect(new Set(hosts)).toEqual(
        new Set(hosts.map((host) => (host.startsWith('one') ? 'one. after' : 'two. steady'))),
      );
      expect(hosts.length).toBeGreaterThan(0);
    }
    expect((await gateway.get('/data/v1/teams?limit=60')).text).not.toContain('before');
  });
});

async function closeAll({ gateway, upstreams }: DataGateway): Promise<void> {
  await gateway.close();
  await Promise.all(Object.values(upstreams).map((upstream) => upstream.close()));
}
