import { expect, it } from 'vitest';
import { systemClock } from '../../../src/model/clock.js';
import type { AccessLevel } from '../../../src/model/access-level.js';
import { noCapability } from '../../../src/model/registration/capability.js';
import type { CapabilityDisproofEvent } from '../../../src/model/meter.js';
import { noMeter } from '../../../src/model/meter.js';
import { news } from '../../../src/model/resources/news.js';
import { channels } from '../../../src/model/resources/channels.js';
import { BelievedCapabilities } from '../../../src/source/top-n/believed-capabilities.js';
import type { CapabilityDisproof } from '../../../src/source/top-n/believed-capabilities.js';
import { silentLog } from '../../support/silent-log.js';

const declared = {
  ...noCapability,
  filters: ['before', 'link'],
  sort: ['-published', 'title'],
  total: true,
  search: true,
};

function openCapabilities(access: AccessLevel = 'public'): {
  readonly believed: BelievedCapabilities;
  readonly counted: CapabilityDisproofEvent[];
  readonly warnings: object[];
} {
  const counted: CapabilityDisproofEvent[] = [];
  const warnings: object[] = [];
  const log = { ...silentLog, warn: (facts: object) => warnings.push(facts) };
  const meter = { ...noMeter, countDisprovedCapability: (facts: CapabilityDisproofEvent) => counted.push(facts) };
  return {
    believed: new BelievedCapabilities(
      { code: 'one', access, supports: { news: declared } },
      { log, meter, clock: systemClock },
    ),
    counted,
    warnings,
  };
}

it.each<[CapabilityDisproof, object, string]>([
  [{ capability: 'filter', name: 'before', evidence: 'x' }, { filters: ['link'] }, 'filter before'],
  [{ capability: 'filter', name: 'q', evidence: 'x' }, { search: false }, 'filter q'],
  [{ capability: 'sort', name: '-published', evidence: 'x' }, { sort: ['title'] }, 'sort -published'],
  [{ capability: 'total', evidence: 'x' }, { total: false }, 'total'],
])('switches a disproved capability off, and logs and counts it once: %j', (disproof, disproved, capability) => {
  const { believed, counted, warnings } = openCapabilities();
  const before = believed.get(news);
  believed.disprove(news, disproof);
  believed.disprove(news, disproof);
  expect(believed.get(news)).toEqual({ ...declared, ...disproved });
  expect(believed.get(news)).not.toBe(before);
  expect(counted).toEqual([{ source: 'one', resource: 'news', capability }]);
  expect(warnings).toEqual([{ source: 'one', resource: 'news', capability, evidence: 'x' }]);
});

it('logs no evidence at members access, because it names records', () => {
  const { believed, warnings } = openCapabilities('members');
  believed.disprove(news, { capability: 'total', evidence: 'x' });
  expect(warnings).toEqual([{ source: 'one', resource: 'news', capability: 'total' }]);
});

it('returns no capability for a resource without declarations', () => {
  const { believed, counted } = openCapabilities();
  believed.disprove(channels, { capability: 'total', evidence: 'x' });
  expect(believed.get(channels)).toEqual(noCapability);
  expect(believed.get(news)).toBe(declared);
  expect(counted).toEqual([]);
});
