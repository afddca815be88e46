import { afterEach, describe, expect, it } from 'vitest';
import { closeDataGateways, startDataGateway } from '../../support/gateway/data-gateway.js';
import type { DataSourceSetup, DataResponse } from '../../support/gateway/data-gateway.js';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import type { DataBehaviour } from '../../support/upstream/data-upstream.js';
import * as faulty from '../../support/upstream/faulty-responses.js';

afterEach(closeDataGateways);

/** A source of items, each named after its channels, and of these channels. */
function newsroom(channels: readonly string[], ...items: readonly (readonly string[])[]): DataSourceSetup['records'] {
  return {
    channels: channels.map((title, at) => ({ id: at + 1, title })),
    news: items.map((names, at) => ({
      id: at + 1,
      title: names.length === 0 ? 'none' : names.join(' & '),
      published: new Date(Date.UTC(2025, 0, 100 - at)).toUTCString(),
      channels: names,
    })),
  };
}

const titles = ({ data }: DataResponse): unknown[] => data.map(({ title }) => title);

describe('the news of a channel', () => {
  it.each(['Newsletters', 'NEWSLETTERS', 'néwslettérs'])(
    'are found by its title, whatever the case: %s',
    async (title) => {
      const has = newsroom(['Newsletters', 'Events'], ['Newsletters'], ['Events'], []);
      const { ask } = await startDataGateway({ one: { records: has } });
      const seen = await ask(`/news?channel=${encodeURIComponent(title)}`);
      expect(titles(seen)).toEqual(['Newsletters']);
      expect(seen.envelope).toMatchObject({ total: 1 });
      expect(seen.sourceStatus).toBe('one;state=fresh;records=1;age=0');
    },
  );

  it('are found by the whole title only', async () => {
    const has = newsroom(['Newsletters', 'Events'], ['Newsletters'], ['Events']);
    const { ask, upstreams } = await startDataGateway({ one: { records: has } });
    for (const title of ['News', 'Newsletters2', 'letters', '*']) {
      const seen = await ask(`/news?channel=${encodeURIComponent(title)}`);
      expect(seen.status).toBe(200);
      expect(seen.envelope).toMatchObject({ total: 0, data: [] });
    }
    expect(upstreams['one']?.requests.some(({ query }) => query.has('channel'))).toBe(false);
  });

  it('are asked of a source by the title as that source writes it', async () => {
    const has = newsroom(['Öffentlich & Presse', 'B'], ['Öffentlich & Presse'], ['B']);
    const { ask, upstreams } = await startDataGateway({ one: { records: has } });
    expect(titles(await ask(`/news?channel=${encodeURIComponent('offentlich & presse')}`))).toEqual([
      'Öffentlich & Presse',
    ]);
    const asked = upstreams['one']?.requests.flatMap(({ query }) => query.get('channel') ?? []);
    expect(asked).toEqual(['Öffentlich & Presse']);
  });

  it('come from every source that has a channel of that title', async () => {
    const one = { records: newsroom(['Events', 'Press'], ['Events'], ['Press']) };
    const two = { records: newsroom(['EVENTS', 'Blog'], ['Blog'], ['EVENTS']) };
    const three = { records: newsroom(['Blog'], ['Blog']) };
    const { ask } = await startDataGateway({ one, two, three });
    expect(titles(await ask('/news?channel=events'))).toEqual(['Events', 'EVENTS']);
  });

  it('come from all channels of that title that one source has', async () => {
    const has = newsroom(['Events', 'events', 'Press'], ['Events'], ['events'], ['Events', 'events'], ['Press']);
    const { ask } = await startDataGateway({ one: { records: has } });
    expect(titles(await ask('/news?channel=Events'))).toEqual(['Events', 'events', 'Events & events']);
  });

  it('may be those of another channel too', async () => {
    const { ask } = await startDataGateway({ one: { records: newsroom(['A', 'B'], ['A'], ['A', 'B'], ['B']) } });
    expect(titles(await ask('/news?channel=a'))).toEqual(['A', 'A & B']);
    expect(titles(await ask('/news?channel=b'))).toEqual(['A & B', 'B']);
  });

  it('are filtered, ordered and cut like all news', async () => {
    const { ask } = await startDataGateway({ one: { records: newsroom(['A', 'B'], ['A'], ['A', 'B'], ['B']) } });
    const seen = await ask('/news?channel=a&q=b&sort=published&limit=1');
    expect(titles(seen)).toEqual(['A & B']);
    expect(seen.envelope).toMatchObject({ total: 1 });
  });

  it('cannot be told where the source ignores the filter: partial, reason filter, with nothing of it', async () => {
    const behaviour: DataBehaviour = { ignores: ['channel'] };
    const deaf = { records: newsroom(['A', 'B'], ['A'], ['B'], []), behaviour };
    const good = { records: newsroom(['A', 'B'], ['A'], ['B']) };
    const { ask } = await startDataGateway({ deaf, good });
    const seen = await ask('/news?channel=a');
    expect(titles(seen)).toEqual(['A']);
    expect(seen.sourceStatus).toBe('deaf;state=partial;reason=filter, good;state=fresh;records=1;age=0');
    expect(seen.envelope['sources']).toEqual([{ 'source-name': 'deaf', state: 'partial', reason: 'filter' }]);
    expect(seen.headers.get('cache-control')).toBe('no-store');
  });

  it('can be told where the only channel of a source has all its items', async () => {
    const behaviour: DataBehaviour = { ignores: ['channel'] };
    const { ask } = await startDataGateway({ one: { records: newsroom(['A'], ['A'], ['A']), behaviour } });
    const seen = await ask('/news?channel=a');
    expect(seen.envelope).toMatchObject({ total: 2 });
    expect(seen.sourceStatus).toBe('one;state=fresh;records=2;age=0');
  });

  it('are none where a source has no news at all, and that is no sign of a filter ignored', async () => {
    const { ask } = await startDataGateway({ one: { records: newsroom(['A', 'B']) } });
    expect((await ask('/news?channel=a')).sourceStatus).toBe('one;state=fresh;records=0;age=0');
  });

  it.each([
    ['its news', /news$/],
    ['its channels', /channels$/],
  ])('cannot be told where the source does not give %s: it failed', async (_title, path) => {
    const good = dataUpstream(newsroom(['A', 'B'], ['A'], ['B']));
    const handler = faulty.when((asked) => path.test(asked.path), faulty.status(503), good);
    const { ask } = await startDataGateway({ one: { records: {}, handler } });
    const seen = await ask('/news?channel=a');
    expect(seen.status).toBe(502);
    expect(seen.sourceStatus).toBe('one;state=failed;reason=status;status=503');
  });

  it('cannot be told where the source fails over this channel alone, while its other news are shown', async () => {
    const good = dataUpstream(newsroom(['A', 'B'], ['A'], ['B']));
    const handler = faulty.when(({ query }) => query.get('channel') === 'A', faulty.status(503), good);
    const { ask } = await startDataGateway({ one: { records: {}, handler } });
    expect((await ask('/news?channel=a')).status).toBe(502);
    expect(titles(await ask('/news?channel=b'))).toEqual(['B']);
    expect(titles(await ask('/news'))).toEqual(['A', 'B']);
  });

  it('are in doubt where the source is, over the channel or over its list of channels', async () => {
    const good = dataUpstream(newsroom(['A', 'B'], ['A'], ['B']));
    const short = dataUpstream(newsroom(['A', 'B'], ['A'], ['B']), { total: 5 });
    const handler = faulty.when((asked) => asked.path.endsWith('/channels'), short, good);
    const { ask } = await startDataGateway({ one: { records: {}, handler } });
    const seen = await ask('/news?channel=a');
    expect(titles(seen)).toEqual(['A']);
    expect(seen.sourceStatus).toBe('one;state=inconsistent;reason=total;records=1;age=0');
  });

  it('are held like all that was drained', async () => {
    const { ask, upstreams } = await startDataGateway({ one: { records: newsroom(['A', 'B'], ['A'], ['B']) } });
    await ask('/news?channel=a');
    const asked = upstreams['one']?.requests.length;
    await ask('/news?channel=A&sort=title');
    expect(upstreams['one']?.requests).toHaveLength(asked ?? 0);
  });
});

describe('the list of channels', () => {
  it('has the channels of all sources, by title', async () => {
    const one = { records: newsroom(['Press', 'Blog']) };
    const two = { records: newsroom(['Events', 'blog']) };
    const { ask } = await startDataGateway({ one, two });
    const seen = await ask('/channels');
    expect(seen.data).toEqual([
      { id: 2001, title: 'Blog', 'source-name': 'one' },
      { id: 2002, title: 'blog', 'source-name': 'two' },
      { id: 1002, title: 'Events', 'source-name': 'two' },
      { id: 1001, title: 'Press', 'source-name': 'one' },
    ]);
  });

  it('is narrowed by channel, link, rsslink and q, and by no other property', async () => {
    const channels = [
      { id: 1, title: 'Newsletters', link: '/letters', rss: '/letters/rss.xml', summary: 'Every month' },
      { id: 2, title: 'Events', link: 'https://www.example.org/events', copyright: 'Example Org' },
    ];
    const registered = { site: 'https://www.example.org' };
    const { ask } = await startDataGateway({ one: { records: { channels }, registration: registered } });
    const found = async (query: string): Promise<unknown[]> => titles(await ask(`/channels?${query}`));
    expect(await found('channel=newsLETTERS')).toEqual(['Newsletters']);
    expect(await found('channel=newsletter')).toEqual([]);
    expect(await found('link=/letters')).toEqual(['Newsletters']);
    expect(await found('rsslink=https://www.example.org/letters/rss.xml')).toEqual(['Newsletters']);
    expect(await found('q=month')).toEqual(['Newsletters']);
    expect(await found('q=example events')).toEqual(['Events']);
    for (const name of ['title', 'id', 'copyright', 'scope', 'before'])
      expect((await ask(`/channels?${name}=1`)).status).toBe(400);
  });
});
