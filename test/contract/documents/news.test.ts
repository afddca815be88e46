import { describe, expect, it } from 'vitest';
import { send, startDocument } from './document-scene.js';

const ITEMS = Array.from({ length: 3 }, (_, at) => ({
  number: at + 1,
  headline: `Item ${at + 1}`,
  text: `Text ${at + 1}`,
  tags: ['advisory'],
  at: `2026-10-0${at + 1}`,
  href: `/advisories/${at + 1}`,
}));

const document = (address: string): object => ({
  url: `${address}/news`,
  resource: 'news',
  map: { id: 'number', title: 'headline', content: 'text', channels: 'tags', published: 'at', link: 'href' },
});

const settings = { site: 'https://www.example.org' };

describe('a document of news', () => {
  it('is listed with the news of other sources, the newest first', async () => {
    const { gateway } = await startDocument(send(ITEMS), document, settings);
    const { json } = await gateway.get('/data/v1/news?limit=2&pretty=0');
    expect(json).toMatchObject({
      total: 3,
      data: [
        {
          id: 3_001,
          title: 'Item 3',
          link: 'https://www.example.org/advisories/3',
          published: 'Sat, 03 Oct 2026 00:00:00 GMT',
          'source-name': 'One',
        },
        { id: 2_001 },
      ],
    });
    expect(JSON.stringify(json)).not.toContain('Text');
  });

  it('gives each item in detail form, from one more request for all items', async () => {
    const { gateway, targets } = await startDocument(send(ITEMS), document, settings);
    for (const at of [1, 2, 3]) {
      const { json } = await gateway.get(`/data/v1/news/${at}001?pretty=0`);
      expect(json).toMatchObject({ data: { id: at * 1_000 + 1, content: `Text ${at}`, channels: ['advisory'] } });
    }
    expect(targets()).toEqual(['/news']);
  });

  it('reports an item that it does not have as missing, and cannot when it was not read', async () => {
    const { gateway, upstream } = await startDocument(send(ITEMS), document, settings);
    expect((await gateway.get('/data/v1/news/9001')).status).toBe(404);
    const { gateway: other, upstream: failing } = await startDocument(send('<html>'), document, settings);
    expect((await other.get('/data/v1/news/1001')).status).toBe(502);
    expect([upstream.requests.length, failing.requests.length]).toEqual([1, 1]);
  });

  it('has no teams and no channels', async () => {
    const { gateway } = await startDocument(send(ITEMS), document, settings);
    for (const path of ['/directory/v1/teams', '/data/v1/channels', '/data/v1/news?channel=advisory']) {
      const response = await gateway.get(path);
      expect(response.headers.get('source-status')).toContain('state=excluded;reason=resource');
    }
  });
});
