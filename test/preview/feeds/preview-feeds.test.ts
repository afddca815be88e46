import { afterEach, describe, expect, test } from 'vitest';
import { fieldsOf } from '../../support/gateway/data-gateway.js';
import { startGateway } from '../../support/gateway/test-gateway.js';
import type { GatewayResponse } from '../../support/gateway/test-gateway.js';
import { startPreviewScene } from '../../support/unit/preview-command.js';
import type { PreviewScene } from '../../support/unit/preview-command.js';
import { feedUpstream, listItems, writeRss } from '../../support/upstream/feed-upstream.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';

const SECRET = 'hunter2-hunter2';

const PAGE = `<!doctype html><html><head><title>CERT</title>
  <link rel="alternate" type="application/rss+xml" title="Advisories" href="/feeds/all.xml?t=1">
  </head><body></body></html>`;

/** Items of a second feed: one of the first feed, and one with the guid of an item of the first feed and another link. */
const SHARED = [...listItems(1), { ...listItems(2)[1], link: 'https://cert.example.org/other' }];

const BODIES: Readonly<Record<string, string>> = {
  '/v1/first.xml': writeRss(listItems(3), { ttl: '60' }),
  '/v1/second.xml': writeRss(SHARED),
  '/v1/page': PAGE,
  '/v1/empty.xml': writeRss([]),
};

const serve: RequestHandler = (request, response) => {
  const body = BODIES[request.path];
  if (body === undefined) response.writeHead(404).end();
  else feedUpstream(body)(request, response);
};

const open: PreviewScene[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((scene) => scene.close()));
});

async function start(
  feeds: (address: string) => unknown,
  source: object = {},
  handler: RequestHandler = serve,
): Promise<PreviewScene> {
  const scene = await startPreviewScene(handler, (address) => ({ feed: feeds(address), ...source }));
  open.push(scene);
  return scene;
}

async function readReport(scene: PreviewScene): Promise<unknown> {
  return JSON.parse((await scene.preview('--json')).out);
}

/** The records of a response in JSON, with or without its envelope. */
function recordsOf({ json }: GatewayResponse): readonly Readonly<Record<string, unknown>>[] {
  const { data = json } = fieldsOf(json);
  return (Array.isArray(data) ? data : [data]).map(fieldsOf);
}

describe('preview of feeds', () => {
  test('requests each feed once, one after the other, and reports each under its address', async () => {
    const scene = await start((address) => [`${address}/first.xml`, `${address}/second.xml`, `${address}/empty.xml`]);
    const { code, out } = await scene.preview();
    expect(code).toBe(0);
    expect(scene.upstream.requests.map(({ path }) => path)).toEqual([
      '/v1/first.xml',
      '/v1/second.xml',
      '/v1/empty.xml',
    ]);
    for (const name of ['first', 'second', 'empty'])
      expect(out).toContain(`\nfeed ${scene.upstream.address}/${name}.xml\n`);
    expect(out).toContain('3 entries received; 3 read as records; none dropped');
    expect(out).toContain('0 entries received; 0 read as records; none dropped');
    expect(out).toContain('format: RSS; stated lifetime of copies: 3600 s');
    expect(out).toContain('format: RSS; stated lifetime of copies: none');
  });

  test('shows items and channels with the ids that a server gives them', async () => {
    const scene = await start((address) => [
      `${address}/first.xml`,
      { url: `${address}/second.xml`, title: 'Everything' },
    ]);
    const report = await readReport(scene);
    const feed = ['first', 'second'].map((name) => `${scene.upstream.address}/${name}.xml`);
    const gateway = await startGateway({
      sources: {
        one: { number: 1, 'source-name': 'Example List', feed: [feed[0], { url: feed[1], title: 'Everything' }] },
      },
    });
    try {
      const items = recordsOf(await gateway.get('/data/v1/news?envelope=false'));
      const served = new Map(items.map(({ link, id }) => [String(link), String(id)]));
      expect(served.size).toBe(4);
      const itemOf = (name: string): object => {
        const link = `https://cert.example.org/${name}`;
        return { id: served.get(link), record: { link, 'source-name': 'Example List' } };
      };
      const [detail] = recordsOf(await gateway.get(`/data/v1/news/${served.get('https://cert.example.org/0') ?? ''}`));
      expect(detail).toMatchObject({ channels: ['Advisories', 'Everything'] });
      const channels = recordsOf(await gateway.get('/data/v1/channels?sort=title&envelope=false'));
      const [first, second] = channels.map((record) => ({ id: String(record['id']), record }));
      expect(report).toMatchObject({
        resources: [
          { channel: first, records: [{ ...itemOf('0'), record: detail }, itemOf('1'), itemOf('2')] },
          { channel: second, records: [itemOf('0'), itemOf('other')] },
        ],
      });
    } finally {
      await gateway.close();
    }
  });

  test('names the feeds that a page links, and what to write into the configuration', async () => {
    const scene = await start((address) => `${address}/page`);
    const { code, out } = await scene.preview();
    const { origin } = new URL(scene.upstream.address);
    expect(code).toBe(2);
    expect(out).toContain(
      `could not be read (body): an HTML page and no feed; it links these feeds: ${origin}/feeds/all.xml?t=1`,
    );
    expect(out).toMatch(new RegExp(`instead, such as feed: ${origin}/feeds/all\\.xml\\?t=1$`, 'm'));
  });

  test('reports a feed that cannot be read beside those that can, exit code 0', async () => {
    const scene = await start((address) => [`${address}/gone.xml`, `${address}/first.xml`]);
    const { code, out } = await scene.preview('--json');
    expect(code).toBe(0);
    const name = (path: string): object => ({
      resource: 'feed',
      interface: 'data',
      feed: scene.upstream.address + path,
    });
    expect(JSON.parse(out)).toMatchObject({
      resources: [
        { ...name('/gone.xml'), failure: { reason: 'status', message: 'HTTP status 404' } },
        { ...name('/first.xml'), received: 3 },
      ],
    });
  });

  test('says of a refused feed whether the source has a credential', async () => {
    const refuse: RequestHandler = (_, response) => response.writeHead(401).end();
    const scene = await start((address) => `${address}/first.xml`, {}, refuse);
    expect((await scene.preview()).out).toContain('the source has no credentials.public in the configuration');
  });

  test('prints no credential, and no query string of an address', async () => {
    const echo: RequestHandler = ({ headers }, response) =>
      response.end(writeRss([{ guid: '1', title: `sent ${headers.authorization ?? 'nothing'}` }]));
    const credentials = { public: { bearer: SECRET } };
    const scene = await start((address) => [`${address}/rss?part=1`, `${address}/rss?part=2`], { credentials }, echo);
    for (const option of ['--json', '--raw', '--limit=1']) {
      const { out } = await scene.preview(option);
      expect(out).toContain('sent Bearer [redacted]');
      expect(out).not.toContain(SECRET);
    }
    const { out } = await scene.preview();
    const [requests = ''] = out.split('\nfeed ');
    expect(requests).toContain(`${scene.upstream.address}/rss\n`);
    expect(requests).not.toContain('part=');
    expect(out).toContain(`\nfeed ${scene.upstream.address}/rss (2)\n`);
  });

  test('prints the items as received with --raw, by the addresses of their feeds', async () => {
    const scene = await start((address) => [`${address}/first.xml`, `${address}/gone.xml`]);
    const { out, err } = await scene.preview('--raw', '--limit', '1');
    const [item] = listItems(1);
    expect(JSON.parse(out)).toEqual({
      [`${scene.upstream.address}/first.xml`]: [
        {
          guid: item?.guid,
          title: item?.title,
          summary: item?.description,
          link: item?.link,
          published: item?.pubDate,
        },
      ],
    });
    expect(err).toContain(`rollcall: one, ${scene.upstream.address}/gone.xml\n`);
  });
});
