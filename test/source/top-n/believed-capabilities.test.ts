import { expect, it } from 'vitest';
import { noCapability } from '../../../src/model/capability.js';
import type { CapabilityDisproofEvent } from '../../../src/model/meter.js';
import { noMeter } from '../../../src/model/meter.js';
import { news } from '../../../src/model/resources/news.js';
import { channels } from '../../../src/model/resources/channels.js';
import { BelievedCapabilities } from '../../../src/source/top-n/believed-capabilities.js';
import type { CapabilityDisproof } from '../../../src/source/top-n/believed-capabilities.js';

const declared = {
  ...noCapability,
  filters: ['before', 'link'],
  sort: ['-published', 'title'],
  total: true,
  search: true,
};

function opened(): {
  readonly claims: BelievedCapabilities;
  readonly counted: CapabilityDisproofEvent[];
  readonly told: object[];
} {
  const counted: CapabilityDisproofEvent[] = [];
  const told: object[] = [];
  const log = { info: () => undefined, warn: (facts: object) => told.push(facts), error: () => undefined };
  const meter = { ...noMeter, countDisprovedCapability: (facts: CapabilityDisproofEvent) => counted.push(facts) };
  return {
    claims: new BelievedCapabilities({ code: 'one', supports: { news: declared } }, { log, meter }),
    counted,
    told,
  };
}

it.each<[CapabilityDisproof, object, string]>([
  [{ capability: 'filter', name: 'before', evidence: 'x' }, { filters: ['link'] }, 'filter before'],
  [{ capability: 'filter', name: 'q', evidence: 'x' }, { search: false }, 'filter q'],
  [{ capability: 'sort', name: '-published', evidence: 'x' }, { sort: ['title'] }, 'sort -published'],
  [{ capability: 'total', evidence: 'x' }, { total: false }, 'total'],
])('what is disproved is off, told and counted once: %j', (disproof, off, capability) => {
  const { claims, counted, told } = opened();
  const before = claims.get(news);
  claims.disprove(news, disproof);
  claims.disprove(news, disproof);
  expect(claims.get(news)).toEqual({ ...declared, ...off });
  expect(claims.get(news)).not.toBe(before);
  expect(counted).toEqual([{ source: 'one', resource: 'news', capability }]);
  expect(told).toEqual([{ source: 'one', resource: 'news', capability, evidence: 'x' }]);
});

it('what nothing is known of is believed to do nothing', () => {
  const { claims, counted } = opened();
  claims.disprove(channels, { capability: 'total', evidence: 'x' });
  expect(claims.get(channels)).toEqual(noCapability);
  expect(claims.get(news)).toBe(declared);
  expect(counted).toEqual([]);
});
