import { describe, expect, it } from 'vitest';
import { createFeedParser } from '../../../../src/source/dialect/feed/feed-parser.js';
import type { RawPage } from '../../../../src/source/dialect/raw-page.js';
import { FindingCounter } from '../../../../src/source/record/findings.js';

const ADDRESS = 'https://cert.example.org/feeds/all.xml';
const parse = createFeedParser({ kind: 'feed', address: ADDRESS });

function read(body: string, findings = new FindingCounter()): RawPage {
  return parse(Buffer.from(body), { path: '/feeds/all.xml' }, findings);
}

describe('records of a feed', () => {
  it('are its channel and then its items, with absolute links and dates in one form', () => {
    const { records, statedLifetime } = read(`<rss version="2.0"><channel>
      <title>Advisories</title><link>/</link><description>All of them</description><copyright>CERT</copyright>
      <image><url>/i.png</url></image><ttl>30</ttl>
      <item><title>One</title><link>one</link><guid isPermaLink="false">urn:example:1</guid>
        <pubDate>Thu, 26 Nov 2026 10:00:00 +0100</pubDate><description>&lt;p&gt;First&lt;/p&gt;</description></item>
      <item><link>https://cert.example.org/two</link><pubDate>soon</pubDate></item></channel></rss>`);
    expect(statedLifetime).toBe(30 * 60_000);
    expect(JSON.parse(JSON.stringify(records))).toEqual([
      {
        identity: JSON.stringify(['channel', ADDRESS]),
        rss: ADDRESS,
        title: 'Advisories',
        link: 'https://cert.example.org/',
        image: 'https://cert.example.org/i.png',
        summary: 'All of them',
        copyright: 'CERT',
      },
      {
        identity: '["guid","","urn:example:1"]',
        distinction: '["link","https://cert.example.org/feeds/one"]',
        title: 'One',
        link: 'https://cert.example.org/feeds/one',
        published: 'Thu, 26 Nov 2026 09:00:00 GMT',
        summary: 'First',
        content: '<p>First</p>',
      },
      {
        identity: '["link","https://cert.example.org/two"]',
        distinction: '["","soon"]',
        link: 'https://cert.example.org/two',
        published: 'soon',
      },
    ]);
  });

  it('state no lifetime where the feed does not', () => {
    const page = read('<feed xmlns="http://www.w3.org/2005/Atom"><title>A</title><id>urn:a</id></feed>');
    expect(page).not.toHaveProperty('statedLifetime');
    expect(page.records).toHaveLength(1);
  });
});
