import { afterEach, describe, expect, it } from 'vitest';
import { closePageGateways, startPageGateway, textOf } from '../../support/gateway/page-gateway.js';
import type { Page, PageSource } from '../../support/gateway/page-gateway.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';

afterEach(closePageGateways);

const fails: RequestHandler = (_, response) => void response.writeHead(500).end();

const item = (id: number, title: string, further: object = {}): object => ({
  id,
  title,
  summary: `About ${title}`,
  link: `https://news.example.org/${id}`,
  published: `Thu, 0${id} Jan 2026 10:00:00 GMT`,
  channels: ['Advisories'],
  ...further,
});

const LANTERN: PageSource = {
  data: {
    teams: [],
    news: [item(2, 'Second'), item(1, 'First', { channels: ['Blog'] })],
    channels: [
      { id: 1, title: 'Advisories' },
      { id: 2, title: 'Blog' },
    ],
  },
};
const QUAY: PageSource = {
  data: {
    teams: [],
    news: [item(3, 'Third', { channels: ['advisories'] })],
    channels: [{ id: 1, title: 'advisories' }],
  },
};

const titlesOf = ({ part }: Page): string[] =>
  [...part('results').matchAll(/<h3>(.*?)<\/h3>/g)].map(([, title = '']) => textOf(title));

describe('the page of news', () => {
  it('lists the news of all sources, newest first, with link, summary, date and source', async () => {
    const pages = await startPageGateway({ lantern: LANTERN, quay: QUAY });
    const page = await pages.page('/news');
    expect([page.status, titlesOf(page)]).toEqual([200, ['Third', 'Second', 'First']]);
    const results = page.part('results');
    expect(results).toContain('<a href="https://news.example.org/3" rel="noreferrer noopener">');
    expect(textOf(results)).toContain('About Third\n2026-01-03 10:00 UTC, quay');
    expect(textOf(page.part('notice'))).toContain('Complete: all 2 repositories have answered.');
  });

  it('offers its news as a feed with the same filters, for feed readers and as a link', async () => {
    const pages = await startPageGateway({ lantern: LANTERN, quay: QUAY });
    const { text } = await pages.page('/news?q=first&offset=0');
    const [, head = ''] = /<link rel="alternate" type="application\/atom\+xml" href="([^"]*)"/.exec(text) ?? [];
    expect(head).toBe('/data/v1/news.atom?q=first');
    const hrefs = [...text.matchAll(/href="(\/data\/v1\/news\.(?:atom|rss)[^"]*)"/g)].map(([, href = '']) => href);
    expect(hrefs.length).toBeGreaterThan(2);
    for (const href of hrefs) expect((await pages.page(href.replaceAll('&amp;', '&'))).status).toBe(200);
    expect((await pages.page('/')).text).not.toContain('rel="alternate"');
  });

  it('filters by channel, word, source and date as the data interface does', async () => {
    const pages = await startPageGateway({ lantern: LANTERN, quay: QUAY });
    const channels = (await pages.page('/news')).part('counts');
    expect([...channels.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      '/news?channel=advisories',
      '/news?channel=Blog',
      '/news?source-name=lantern',
      '/news?source-name=quay',
    ]);
    for (const [query, titles] of [
      ['channel=Blog', ['First']],
      ['channel=advisories', ['Third', 'Second']],
      ['q=third', ['Third']],
      ['source-name=Lantern', ['Second', 'First']],
      ['before=2026-01-02&after=', ['First']],
    ] as const)
      expect([query, titlesOf(await pages.page(`/news?${query}`))]).toEqual([query, titles]);
  });

  it('names a repository that failed, and lets no empty list look complete', async () => {
    const pages = await startPageGateway({ lantern: { data: {}, handler: fails }, quay: QUAY });
    const page = await pages.page('/news');
    expect([page.status, titlesOf(page)]).toEqual([200, ['Third']]);
    expect(textOf(page.part('notice'))).toContain('News items that only this repository lists are missing below.');
    expect(page.part('counts')).toContain('not every channel could be listed');
    const none = await pages.page('/news?q=nothing');
    expect(none.status).toBe(502);
    expect(textOf(none.part('results'))).toContain('This is no proof that there is no such news item.');
  });

  it('states an unusable parameter and an empty result as such', async () => {
    const pages = await startPageGateway({ quay: QUAY });
    const invalid = await pages.page('/news?before=yesterday');
    expect([invalid.status, textOf(invalid.part('notice'))]).toEqual([
      400,
      expect.stringContaining('before must be an ISO 8601 date'),
    ]);
    const none = await pages.page('/news?q=nothing');
    expect([none.status, textOf(none.part('results'))]).toEqual([200, expect.stringContaining('No news item matches')]);
  });

  it('shows hostile items as text', async () => {
    const news = [
      item(1, '<script>alert(1)</script>', { link: 'javascript:alert(1)', summary: `<b>${'x'.repeat(10_000)}` }),
    ];
    const pages = await startPageGateway({ quay: { data: { teams: [], news, channels: [{ id: 1, title: '<i>"' }] } } });
    const { text } = await pages.page('/news');
    expect(text).toContain('&lt;script>alert(1)');
    expect(text).not.toMatch(/<script>|<b>|<i>|href="javascript:/);
    expect(text).not.toContain('x'.repeat(2_001));
  });
});
