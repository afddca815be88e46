import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { TestGateway } from '../../support/gateway/test-gateway.js';
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

/** A document in the shape of a ROLIE feed (RFC 8322). */
const rolieFeed = (address: string): object => ({
  url: `${address}/feed.json`,
  resource: 'news',
  records: 'feed.entry',
  map: {
    id: 'id',
    title: 'title',
    summary: 'summary.content',
    published: 'published',
    link: "link[?rel=='self'].href | [0]",
  },
});

/** The number of a textual id: the first 43 bits of its SHA-256. */
function numberOf(id: string): number {
  return Number(BigInt(`0x${createHash('sha256').update(id).digest('hex').slice(0, 11)}`) >> 1n);
}

/** The public id of an item with a textual id, in the source number 1. */
function publicId(id: string): number {
  return numberOf(id) * 1_000 + 1;
}

async function listIds(gateway: TestGateway): Promise<unknown> {
  const { json } = await gateway.get('/data/v1/news?fields=id,title&sort=title&envelope=false&pretty=0');
  return json;
}

function findingsOf({ log }: TestGateway): object | undefined {
  return log.find(({ message }) => message === 'source drained')?.facts;
}

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

  it('numbers the textual ids of a list, and finds each item by its number', async () => {
    const entries = Array.from({ length: 60 }, (_, at) => ({
      id: at % 2 === 0 ? `EXSA-2026:${at}` : `https://www.example.org/advisories/${at}`,
      title: `Advisory ${at}`,
      published: `2026-10-01T00:00:${String(at).padStart(2, '0')}Z`,
      link: [{ rel: 'self', href: `https://www.example.org/advisories/${at}.json` }],
      summary: { content: `Summary ${at}` },
    }));
    const { gateway } = await startDocument(send({ feed: { entry: entries } }), rolieFeed);
    const list = await gateway.get('/data/v1/news?limit=2&pretty=0');
    expect(list.headers.get('source-status')).toContain('state=fresh');
    // The first 43 bits of the SHA-256 of the id, and the number of the source.
    const id = publicId('https://www.example.org/advisories/59');
    expect(list.json).toMatchObject({
      total: 60,
      data: [{ id, title: 'Advisory 59', link: 'https://www.example.org/advisories/59.json' }, {}],
    });
    const item = await gateway.get(`/data/v1/news/${publicId('EXSA-2026:0')}?pretty=0`);
    expect(item.json).toMatchObject({ data: { id: publicId('EXSA-2026:0'), title: 'Advisory 0' } });
  });

  it('keeps integer ids beside textual ones, whatever number is computed for these', async () => {
    const ids = ['17', 17.5, 'EXSA-1', numberOf('EXSA-1'), true, ' EXSA-2 ', ['EXSA-3']];
    const entries = ids.map((id, at) => ({ id, title: `${at}` }));
    for (const entry of [entries, entries.toReversed()]) {
      const { gateway } = await startDocument(send({ feed: { entry } }), rolieFeed);
      expect(await listIds(gateway)).toEqual([
        { id: 17_001, title: '0' },
        { id: publicId('1 EXSA-1'), title: '2' },
        { id: publicId('EXSA-1'), title: '3' },
        { id: publicId('EXSA-2'), title: '5' },
      ]);
      expect(findingsOf(gateway)).toMatchObject({ findings: { 'id-collision id': 1, 'no-id (record)': 3 } });
    }
  });

  it('gives two textual ids with the same number their next ones, in any order', async () => {
    const colliding = ['EX-SA-1674258', 'EX-SA-4770837'];
    expect(new Set(colliding.map(numberOf)).size).toBe(1);
    for (const ids of [colliding, colliding.toReversed()]) {
      const entry = ids.map((id) => ({ id, title: id }));
      const { gateway } = await startDocument(send({ feed: { entry } }), rolieFeed);
      const expected = colliding.map((id) => ({ id: publicId(`1 ${id}`), title: id }));
      expect(await listIds(gateway)).toEqual(expected);
      for (const one of expected)
        expect((await gateway.get(`/data/v1/news/${one.id}?pretty=0`)).json).toMatchObject({ data: one });
      expect(findingsOf(gateway)).toMatchObject({ findings: { 'id-collision id': 2 } });
    }
  });

  it('keeps the first of two items with the same textual id, and says so', async () => {
    const entry = ['first', 'second'].map((title) => ({ id: 'EXSA-1', title }));
    const { gateway } = await startDocument(send({ feed: { entry } }), rolieFeed);
    expect(await listIds(gateway)).toEqual([{ id: publicId('EXSA-1'), title: 'first' }]);
    const { headers } = await gateway.get('/data/v1/news');
    expect(headers.get('source-status')).toMatch(/state=inconsistent;.*reason=drift/);
  });

  it('has no teams and no channels', async () => {
    const { gateway } = await startDocument(send(ITEMS), document, settings);
    for (const path of ['/directory/v1/teams', '/data/v1/channels', '/data/v1/news?channel=advisory']) {
      const response = await gateway.get(path);
      expect(response.headers.get('source-status')).toContain('state=excluded;reason=resource');
    }
  });
});
