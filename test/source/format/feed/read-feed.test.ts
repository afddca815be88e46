import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundShrinking, generatedRuns } from '../../../support/generated-runs.js';
import { describeRefusal, readFixture, readSample, rss } from './read-sample.js';

function readBytes(name: string): Buffer {
  // Without the line end, which a feed does not need.
  return Buffer.from(readFileSync(new URL(`../../../fixtures/feeds/${name}`, import.meta.url), 'utf8').trimEnd());
}

describe('RSS 2.0', () => {
  it('is read with its extensions', () => {
    expect(readFixture('advisories.rss')).toEqual({
      feed: {
        title: 'CERT Nordhavn & Partners',
        link: 'https://cert.example.org/',
        image: 'https://cert.example.org/logo.png',
        summary: 'Advisories for the harbour region',
        copyright: '© 2026 CERT Nordhavn',
        lifetime: 30 * 60_000,
        items: [
          {
            guid: 'nordhavn-2026-1',
            title: 'CVE-2026-1 <buffer overflow> in Harbour Gate',
            summary: 'Patch now.',
            link: 'https://cert.example.org/advisories/1?lang=en&v=2',
            published: 'Tue, 24 Nov 2026 10:00:00 GMT',
            updated: '2026-11-25T08:30:00Z',
            content: expect.stringMatching(
              /^<h2>Summary<\/h2>\s+<p>Patch <b>now<\/b>, see the <a href="https:\/\/cert\.example\.org\/guide">guide<\/a>\.<\/p>\s+<p><a>Run<\/a> <a href="mailto:cert@example\.org">Write<\/a><\/p>$/,
            ) as string,
          },
          {
            guid: 'https://cert.example.org/advisories/2',
            title: 'Réseau étendu: AT&T',
            summary: 'First paragraph.\nSecond paragraph with a < b.',
            link: 'https://cert.example.org/advisories/2',
            published: '2026-11-23',
          },
          {
            guid: 'nordhavn-2026-3',
            title: 'Moved advisory',
            link: 'https://archive.example.org/2026/3.html',
            published: '2026-11-22T09:05:00-05:00',
          },
          {},
        ],
      },
      findings: {},
    });
  });

  it('keeps all items in their order, empty and repeated ones among them', () => {
    const { feed } = readSample(rss('<item><guid>a</guid></item><item> </item><item><guid>a</guid></item><item/>'));
    expect(feed.items).toEqual([{ guid: 'a' }, {}, { guid: 'a' }, {}]);
  });

  it('may have no items', () => {
    expect(readSample(rss('')).feed).toEqual({ title: 'T', items: [] });
  });
});

describe('RSS 1.0', () => {
  it('is read in the order of its items, whatever its table of contents names', () => {
    expect(readFixture('bulletins.rdf')).toEqual({
      feed: {
        title: 'CSIRT Altmark',
        link: 'https://csirt.example.net/',
        image: 'https://csirt.example.net/badge.png',
        summary: 'Bulletins',
        copyright: 'CC BY 4.0',
        items: [
          {
            guid: 'https://csirt.example.net/b/1',
            title: 'Bulletin 1',
            summary: 'One',
            link: 'https://csirt.example.net/b/1.html',
            published: '2026-10-01T12:00:00+02:00',
            content: '<p>One</p>',
          },
          {
            guid: 'https://csirt.example.net/b/2',
            title: 'Bulletin 2',
            link: 'https://csirt.example.net/b/2',
            published: '2026-10-02',
            updated: '2026-10-03',
          },
        ],
      },
      findings: {},
    });
  });
});

describe('Atom', () => {
  it('is read by the types of its texts and the bases of its links', () => {
    expect(readFixture('alerts.atom')).toEqual({
      feed: {
        title: 'Alerts & Warnings',
        link: 'https://alerts.example.com/news/',
        image: 'https://alerts.example.com/logo.svg',
        summary: 'Of the team a < b',
        copyright: 'Free <to> use',
        items: [
          {
            guid: 'tag:alerts.example.com,2026:1',
            title: 'Use of <b> in titles',
            summary: 'Short summary',
            link: 'https://alerts.example.com/news/2026/1.html',
            published: '2026-11-24T10:00:00.25+01:00',
            updated: '2026-11-24T12:00:00Z',
            content: '<p>See <a href="https://alerts.example.com/news/2026/text/part">this &amp; that</a>.</p>',
          },
          {
            guid: 'tag:alerts.example.com,2026:2',
            title: 'An xhtml title',
            summary: 'Plain <text>\nSecond paragraph',
            published: '2026-11-23T12:00:00Z',
            updated: '2026-11-23T12:00:00Z',
            content: '<p>Plain &lt;text&gt;</p>\n<p>Second paragraph</p>',
          },
          {
            guid: 'tag:alerts.example.com,2026:3',
            title: 'Elsewhere',
            published: '2026-11-22T12:00:00Z',
            updated: '2026-11-22T12:00:00Z',
          },
        ],
      },
      findings: { 'unsafe-url link': 1 },
    });
  });

  it('of another namespace is no feed', () => {
    expect(describeRefusal('<feed xmlns="urn:x"><title>T</title></feed>')).toMatch(
      /^body: XML with the root element <feed>/,
    );
  });
});

describe('JSON Feed', () => {
  it('is read as plain text, except for its content in HTML', () => {
    expect(readFixture('notices.json')).toEqual({
      feed: {
        title: 'Notices of CERT Südbrücke',
        link: 'https://notices.example.org/',
        image: 'https://notices.example.org/favicon.ico',
        summary: 'Plain <b>text</b>',
        items: [
          {
            guid: 'notice-1',
            title: 'A <b> & c',
            summary: 'Short',
            link: 'https://cert.example.org/n/1',
            published: '2026-11-24T10:00:00Z',
            updated: '2026-11-25T10:00:00Z',
            content: '<p>Long <a href="https://cert.example.org/x">text</a></p>',
          },
          {
            guid: '2',
            summary: 'a < b\nc',
            link: 'https://example.com/',
            published: '2026-11-23',
            updated: '2026-11-23',
            content: '<p>a &lt; b</p>\n<p>c</p>',
          },
          {},
        ],
      },
      findings: {},
    });
  });

  it('has an empty item for each that is no object or has a name such as constructor', () => {
    const text =
      '{"version":"https://jsonfeed.org/version/1","items":[5,null,{"__proto__":{"id":"x"}},{"constructor":1},{"id":"y"}],"title":"T"}';
    expect(readSample(text).feed.items).toEqual([{}, {}, {}, {}, { guid: 'y' }]);
  });
});

describe('a body that is no feed', () => {
  it.each([
    ['nothing', '', 'body: an empty body and no feed'],
    ['white space', ' \n', 'body: an empty body and no feed'],
    ['text', 'Not found', 'body: no feed: neither XML nor JSON'],
    ['another root', '<?xml version="1.0"?><opml><body/></opml>', 'body: XML with the root element <opml>, which is no feed'],
    ['an Atom entry', '<entry xmlns="http://www.w3.org/2005/Atom"/>', 'body: XML with the root element <entry>, which is no feed'],
    ['RSS without a channel', '<rss version="2.0"><item/></rss>', 'body: a feed without a channel'],
    ['RDF without a channel', '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><x/></rdf:RDF>', 'body: a feed without a channel'],
    ['RSS with a message', '<rss version="2.0"><channel>Database error</channel></rss>', 'body: a feed with nothing in its channel'],
    ['RSS with another element', '<rss version="2.0"><channel><error>x</error></channel></rss>', 'body: a feed with nothing in its channel'],
    ['Atom with a message', '<feed>Error 500</feed>', 'body: a feed with nothing in its channel'],
    ['items in another element', '<rss><channel><title>T</title><items><item/></items></channel></rss>', 'body: a feed with items where its format has none'],
    ['a root in an unknown namespace', '<r:rss xmlns:r="urn:x"><r:channel><r:title>T</r:title></r:channel></r:rss>', 'body: XML with the root element <r:rss>, which is no feed'],
    ['other JSON', '{"title":"T","items":[]}', 'body: JSON that is no JSON Feed: it states no version of one'],
    ['a list', '[]', 'body: JSON that is no JSON Feed: it states no version of one'],
    ['JSON Feed without items', '{"version":"https://jsonfeed.org/version/1.1"}', 'body: a JSON Feed without a list of items'],
    ['broken JSON', '{"version":', 'body: a body that is not JSON in UTF-8 (11 bytes)'],
    ['an HTML page', '<!doctype html><title>x</title>', 'body: an HTML page and no feed'],
    ['a part of one', '<br />\n<b>Warning</b>: no database', 'body: an HTML page and no feed'],
    ['XHTML', '<?xml version="1.0"?><!-- x --><html xmlns="http://www.w3.org/1999/xhtml"/>', 'body: an HTML page and no feed'],
  ])('is refused with what it is: %s', (_, body, message) => {
    expect(describeRefusal(body, 'application/rss+xml')).toBe(message);
  }); // prettier-ignore

  it('names the feeds that an HTML page links, without the secrets of the address', () => {
    const page = '<html><head><link rel="alternate" type="application/rss+xml" title="Advisories" href="">';
    expect(describeRefusal(page)).toBe(
      'body: an HTML page and no feed; it links these feeds: https://cert.example.org/news/feed.xml (Advisories)',
    );
  });
});

describe('a feed of which a part is missing', () => {
  it.each(['advisories.rss', 'bulletins.rdf', 'alerts.atom', 'notices.json'])(
    'is refused wherever it ends: %s',
    (name) => {
      const body = readBytes(name);
      for (let length = 0; length < body.length; length += 1)
        expect(describeRefusal(body.subarray(0, length))).toMatch(/^body: /);
    },
  );
});

describe('a feed of any content', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...Array.from('<>&;"\'/= \n!-[]?#x:'),
      '<item>',
      '</item>',
      '<![CDATA[',
      ']]>',
      '<!--',
      '-->',
      '&nbsp;',
      '&#0;',
      '<a href="',
    ),
    fc.string({ unit: 'binary', maxLength: 3 }),
  );
  const mutation = fc.record({ at: fc.nat(4000), removed: fc.nat(8), inserted: fc.array(piece, { maxLength: 3 }) });

  it.each(['advisories.rss', 'bulletins.rdf', 'alerts.atom', 'notices.json'])(
    'is read or refused, whatever was changed in it: %s',
    (name) => {
      const sample = readBytes(name).toString('utf8');
      fc.assert(
        boundShrinking(
          fc.property(fc.array(mutation, { minLength: 1, maxLength: 3 }), (mutations) => {
            const text = mutations.reduce((all, { at, removed, inserted }) => {
              const from = at % all.length;
              return all.slice(0, from) + inserted.join('') + all.slice(from + removed);
            }, sample);
            expect(describeRefusal(text)).toMatch(/^(?:feed$|body: |size: )/);
          }),
        ),
        { numRuns: generatedRuns({ usual: 150, long: 20_000 }) },
      );
    },
  );
});

describe('a feed that is written in another way than its format', () => {
  const item = (name: string): string => `<item><guid>urn:${name}</guid><title>${name}</title></item>`;

  it.each([
    ['items in the channel and beside it', `<channel><title>C</title>${item('a')}</channel>${item('b')}`],
    ['two channels', `<channel><title>C</title>${item('a')}</channel><channel>${item('b')}</channel>`],
  ])('is a failure with %s, which no form of RSS has', (_, content) => {
    expect(describeRefusal(`<rss version="2.0">${content}</rss>`)).toMatch(/^body: .*several channels, or .* beside/);
  });

  it('is read without elements and attributes that are named like properties of every object', () => {
    const odd =
      '<constructor a="1">x</constructor><__proto__ constructor="2"/><prototype/><dc:constructor>y</dc:constructor>';
    const { feed } = readSample(
      `<rss version="2.0"><channel><title>C</title><item __proto__="3">${odd}<title>a</title></item></channel></rss>`,
    );
    expect(feed.items).toEqual([{ title: 'a' }]);
  });

  it('has no control characters in its content', () => {
    const content = '<p>a\u0000b\u0001</p>';
    const { feed } = readSample(
      JSON.stringify({
        version: 'https://jsonfeed.org/version/1.1',
        title: 'C',
        items: [{ id: 'a', content_html: content }],
      }),
    );
    expect(feed.items[0]?.content).toBe('<p>ab</p>');
  });
});
