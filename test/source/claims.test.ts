import { expect, it } from 'vitest';
import { noCapability } from '../../src/model/capabilities.js';
import type { Disproved } from '../../src/model/meter.js';
import { noMeter } from '../../src/model/meter.js';
import { news } from '../../src/model/resources/news.js';
import { channels } from '../../src/model/resources/channels.js';
import { Claims } from '../../src/source/claims.js';
import type { Disproof } from '../../src/source/claims.js';

const declared = {
  ...noCapability,
  filters: ['before', 'link'],
  sort: ['-published', 'title'],
  total: true,
  search: true,
};

function opened(): { readonly claims: Claims; readonly counted: Disproved[]; readonly told: object[] } {
  const counted: Disproved[] = [];
  const told: object[] = [];
  const log = { info: () => undefined, warn: (facts: object) => told.push(facts), error: () => undefined };
  const meter = { ...noMeter, disproved: (facts: Disproved) => counted.push(facts) };
  return { claims: new Claims({ code: 'one', supports: { news: declared } }, { log, meter }), counted, told };
}

it.each<[Disproof, object, string]>([
  [{ claim: 'filter', name: 'before', evidence: 'x' }, { filters: ['link'] }, 'filter before'],
  [{ claim: 'filter', name: 'q', evidence: 'x' }, { search: false }, 'filter q'],
  [{ claim: 'sort', name: '-published', evidence: 'x' }, { sort: ['title'] }, 'sort -published'],
  [{ claim: 'total', evidence: 'x' }, { total: false }, 'total'],
])('what is disproved is off, told and counted once: %j', (disproof, off, capability) => {
  const { claims, counted, told } = opened();
  const before = claims.of(news);
  claims.disprove(news, disproof);
  claims.disprove(news, disproof);
  expect(claims.of(news)).toEqual({ ...declared, ...off });
  expect(claims.of(news)).not.toBe(before);
  expect(counted).toEqual([{ source: 'one', resource: 'news', capability }]);
  expect(told).toEqual([{ source: 'one', resource: 'news', capability, evidence: 'x' }]);
});

it('what nothing is known of is believed to do nothing', () => {
  const { claims, counted } = opened();
  claims.disprove(channels, { claim: 'total', evidence: 'x' });
  expect(claims.of(channels)).toEqual(noCapability);
  expect(claims.of(news)).toBe(declared);
  expect(counted).toEqual([]);
});
