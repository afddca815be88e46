import { describe, expect, it } from 'vitest';
import { identifyItems } from '../../../../src/source/dialect/feed/feed-item-identity.js';
import type { FeedItem } from '../../../../src/source/format/feed/read-feed.js';
import { FindingCounter } from '../../../../src/source/record/findings.js';

const FEED = new URL('https://cert.example.org/rss.xml?lang=en');
const LINK = 'https://cert.example.org/1';

function identify(...items: FeedItem[]): { readonly identities: readonly string[]; readonly findings: unknown } {
  const counter = new FindingCounter();
  const identified = identifyItems(items, FEED, counter);
  return {
    identities: identified.map(({ identity, distinction, item: { title = '' } }) =>
      [identity, distinction, title].filter((text) => text !== '').join(' | '),
    ),
    findings: Object.fromEntries(counter.findings),
  };
}

describe('identity of an item', () => {
  it('is its guid, which its link distinguishes from other items', () => {
    const { identities, findings } = identify(
      { guid: 'urn:example:1', link: LINK, title: 'One' },
      { guid: 'urn:example:1', link: `${LINK}2`, title: 'Two' },
      { guid: 'urn:example:1', title: 'Three' },
    );
    expect(identities).toEqual([
      `["guid","","urn:example:1"] | ["link","${LINK}"] | One`,
      `["guid","","urn:example:1"] | ["link","${LINK}2"] | Two`,
      '["guid","","urn:example:1"] | ["title","Three"] | Three',
    ]);
    expect(findings).toEqual({ 'repeated-id guid': 2 });
  });

  it('names the host of the feed where the guid is no URI', () => {
    expect(identify({ guid: '17', title: 'One' }).identities).toEqual([
      '["guid","cert.example.org","17"] | ["title","One"] | One',
    ]);
  });

  it('is its link where it has no guid, which title and date distinguish from other items', () => {
    const { identities, findings } = identify(
      { link: LINK, title: 'Weekly', published: 'w44' },
      { link: LINK, title: 'Weekly', published: 'w45' },
      { link: LINK, title: 'Daily' },
    );
    expect(identities).toEqual([
      `["link","${LINK}"] | ["Weekly","w44"] | Weekly`,
      `["link","${LINK}"] | ["Weekly","w45"] | Weekly`,
      `["link","${LINK}"] | ["Daily",""] | Daily`,
    ]);
    expect(findings).toEqual({ 'repeated-id guid': 2 });
  });

  it('is all its texts where it has neither guid nor link', () => {
    expect(identify({ title: 'Two', published: '2026-11-26', summary: 'a' }, { title: 'Two', summary: 'b' })).toEqual({
      identities: [
        `["text","${FEED.href}","Two",${Date.UTC(2026, 10, 26)},"a"] | Two`,
        `["text","${FEED.href}","Two","","b"] | Two`,
      ],
      findings: {},
    });
  });

  it('differs for texts that only look like each other', () => {
    const { identities } = identify(
      { guid: 'urn:a', link: LINK, title: 'One' },
      { guid: 'urn:a","x', link: LINK, title: 'Two' },
    );
    expect(new Set(identities.map((one) => one.split(' | ')[0])).size).toBe(2);
  });
});

describe('an item that occurs again', () => {
  const guid = 'urn:example:1';

  it('has the values of the version that was changed last', () => {
    const { identities, findings } = identify(
      { guid, link: LINK, title: 'Draft', published: '2026-11-01' },
      { guid, link: LINK, title: 'Final', published: '2026-11-01', updated: '2026-11-03' },
      { guid, link: LINK, title: 'Middle', published: '2026-11-02' },
    );
    expect(identities).toEqual([`["guid","","${guid}"] | ["link","${LINK}"] | Final`]);
    expect(findings).toEqual({ 'repeated-id guid': 2 });
  });

  it('has the values of the first one where no date distinguishes them', () => {
    const { identities } = identify({ guid, link: LINK, title: 'One' }, { guid, link: LINK, title: 'Two' });
    expect(identities).toEqual([`["guid","","${guid}"] | ["link","${LINK}"] | One`]);
  });

  it('is passed on each time where nothing of it can be shown, so that all of them are counted', () => {
    const { identities, findings } = identify({}, { content: '<p>a</p>' }, { guid }, { guid }, {});
    expect(identities).toHaveLength(5);
    expect(findings).toEqual({});
  });
});
