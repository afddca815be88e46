import { describe, expect, it } from 'vitest';
import { identifyItems } from '../../../../src/source/dialect/feed/feed-item-identity.js';
import type { FeedItem } from '../../../../src/source/format/feed/read-feed.js';
import { FindingCounter } from '../../../../src/source/record/findings.js';

const FEED = new URL('https://cert.example.org/rss.xml?lang=en');

function identify(...items: FeedItem[]): { readonly identities: readonly string[]; readonly findings: unknown } {
  const counter = new FindingCounter();
  const identified = identifyItems(items, FEED, counter);
  return {
    identities: identified.map(({ identity, item: { title = '' } }) => `${identity}${title && ` (${title})`}`),
    findings: Object.fromEntries(counter.findings),
  };
}

describe('identity of an item', () => {
  it('is its guid, whatever its link and its title are', () => {
    expect(identify({ guid: 'urn:example:1', link: 'https://cert.example.org/1', title: 'One' })).toEqual({
      identities: ['guid urn:example:1 (One)'],
      findings: {},
    });
  });

  it('names the host of the feed where the guid is no URI', () => {
    expect(identify({ guid: '17' }).identities).toEqual(['guid cert.example.org 17']);
  });

  it('is its link where it has no guid, and its texts where it has neither', () => {
    const { identities } = identify(
      { link: 'https://cert.example.org/1', title: 'One' },
      { title: 'Two', published: '2026-11-26', summary: 'later' },
      { summary: 'Three' },
    );
    expect(identities).toEqual([
      'link https://cert.example.org/1 (One)',
      `text ${FEED.href} Two\n2026-11-26\n (Two)`,
      `text ${FEED.href} \n\nThree`,
    ]);
  });

  it('contains the link where several links have the same guid', () => {
    const { identities, findings } = identify(
      { guid: 'urn:example:1', link: 'https://cert.example.org/1', title: 'One' },
      { guid: 'urn:example:1', link: 'https://cert.example.org/2', title: 'Two' },
      { guid: 'urn:example:1', title: 'Three' },
    );
    expect(identities).toEqual([
      'guid urn:example:1 https://cert.example.org/1 (One)',
      'guid urn:example:1 https://cert.example.org/2 (Two)',
      'guid urn:example:1  (Three)',
    ]);
    expect(findings).toEqual({ 'repeated-id guid': 2 });
  });

  it('contains the title where items without a guid have the same link', () => {
    const link = 'https://cert.example.org/';
    expect(identify({ link, title: 'One' }, { link, title: 'Two' }).identities).toEqual([
      `link ${link} One (One)`,
      `link ${link} Two (Two)`,
    ]);
  });
});

describe('an item that occurs again', () => {
  const guid = 'urn:example:1';

  it('has the values of the version that was changed last', () => {
    const { identities, findings } = identify(
      { guid, title: 'Draft', published: '2026-11-01' },
      { guid, title: 'Final', published: '2026-11-01', updated: '2026-11-03' },
      { guid, title: 'Middle', published: '2026-11-02' },
    );
    expect(identities).toEqual(['guid urn:example:1 (Final)']);
    expect(findings).toEqual({ 'repeated-id guid': 2 });
  });

  it('has the values of the first one where no date distinguishes them', () => {
    expect(identify({ guid, title: 'One' }, { guid, title: 'Two' }).identities).toEqual(['guid urn:example:1 (One)']);
  });
});
