import { expect, it } from 'vitest';
import { systemClock } from '../../../src/model/clock.js';
import type { AccessLevel } from '../../../src/model/access-level.js';
import { noCapability } from '../../../src/model/registration/capability.js';
import { news } from '../../../src/model/resources/news.js';
import { channels } from '../../../src/model/resources/channels.js';
import { BelievedCapabilities } from '../../../src/lists/push-down/believed-capabilities.js';
import type { CapabilityDisproof } from '../../../src/lists/push-down/believed-capabilities.js';

const declared = {
  ...noCapability,
  filters: ['before', 'link'],
  sort: ['-published', 'title'],
  total: true,
  search: true,
};

function openCapabilities(access: AccessLevel = 'public'): {
  readonly believed: BelievedCapabilities;
  readonly events: object[];
} {
  const events: object[] = [];
  return {
    believed: new BelievedCapabilities(
      { access, supports: { news: declared } },
      { publish: (event) => events.push(event), clock: systemClock },
    ),
    events,
  };
}

it.each<[CapabilityDisproof, object, string]>([
  [{ capability: 'filter', name: 'before', evidence: 'x' }, { filters: ['link'] }, 'filter before'],
  [{ capability: 'filter', name: 'q', evidence: 'x' }, { search: false }, 'filter q'],
  [{ capability: 'sort', name: '-published', evidence: 'x' }, { sort: ['title'] }, 'sort -published'],
  [{ capability: 'total', evidence: 'x' }, { total: false }, 'total'],
])('switches a disproved capability off, and reports it once: %j', (disproof, disproved, capability) => {
  const { believed, events } = openCapabilities();
  const before = believed.get(news);
  believed.disprove(news, disproof);
  believed.disprove(news, disproof);
  expect(believed.get(news)).toEqual({ ...declared, ...disproved });
  expect(believed.get(news)).not.toBe(before);
  expect(events).toEqual([{ type: 'capability disproved', resource: 'news', capability, evidence: 'x' }]);
});

it('reports no evidence at members access, because it names records', () => {
  const { believed, events } = openCapabilities('members');
  believed.disprove(news, { capability: 'total', evidence: 'x' });
  expect(events).toEqual([{ type: 'capability disproved', resource: 'news', capability: 'total' }]);
});

it('returns no capability for a resource without declarations', () => {
  const { believed, events } = openCapabilities();
  believed.disprove(channels, { capability: 'total', evidence: 'x' });
  expect(believed.get(channels)).toEqual(noCapability);
  expect(believed.get(news)).toBe(declared);
  expect(events).toEqual([]);
});
