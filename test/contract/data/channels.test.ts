import { afterEach, describe, expect, it } from 'vitest';
import { closeDataGateways, startDataGateway } from '../../support/gateway/data-gateway.js';
import type { DataSourceSetup, DataResponse } from '../../support/gateway/data-gateway.js';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import type { DataBehaviour } from '../../support/upstream/data-upstream.js';
import * as faulty from '../../support/upstream/faulty-responses.js';

afterEach(closeDataGateways);

/** Records of a source with these channels, and with items that are each titled after their channels. */
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

/** Channels (decisions 2.32, 5.18). */
describe('the news of a channel', () => {
  it.each(['Newsletters', 'NEWSLETTERS', 'néwslettérs'])(
    'are found by its title, ignoring case and accents: %s',
    async (title) => {
      const records = newsroom(['Newsletters', 'Events'], ['Newsletters'], ['Events'], []);
      const { ask } = await startDataGateway({ one: { records } });
      const response = await ask(`/news?channel=${encodeURIComponent(title)}`);
      expect(titles(response)).toEqual(['Newsletters']);
      expect(response.envelope).toMatchObject({ total: 1 });
      expect(response.sourceStatus).toBe('one;state=fresh;records=1;age=0');
    },
  );

  it('are found by the whole title only', async () => {
    const records = newsroom(['Newsletters', 'Events'], ['Newsletters'], ['Events']);
    const { ask, upstreams } = await startDataGateway({ one: { records } });
    for (const title of ['News', 'Newsletters2', 'letters', '*']) {
      const response = await ask(`/news?channel=${encodeURIComponent(title)}`);
      expect(response.status).toBe(200);
      expect(response.envelope).toMatchObject({ total: 0, data: [] });
    }
    expect(upstreams['one']?.requests.some(({ query }) => query.has('channel'))).toBe(false);
  });

  it('are requested from a source by the title as that source writes it', async () => {
    const records = newsroom(['Öffentlich & Presse', 'B'], ['Öffentlich & Presse'], ['B']);
    const { ask, upstreams } = await startDataGateway({ one: { records } });
    expect(titles(await ask(`/news?channel=${encodeURIComponent('offentlich & presse')}`))).toEqual([
      'Öffentlich & Presse',
    ]);
    const values = upstreams['one']?.requests.flatMap(({ query }) => query.get('channel') ?? []);
    expect(values).toEqual(['Öffentlich & Presse']);
  });

  it('come from every source that has a channel of that title', async () => {
    const one = { records: newsroom(['Events', 'Press'], ['Events'], ['Press']) };
    const two = { records: newsroom(['EVENTS', 'Blog'], ['Blog'], ['EVENTS']) };
    const three = { records: newsroom(['Blog'], ['Blog']) };
    const { ask } = await startDataGateway({ one, two, three });
    expect(titles(await ask('/news?channel=events'))).toEqual(['Events', 'EVENTS']);
  });

  it('come from all channels of one source with that title', async () => {
    const records = newsroom(['Events', 'events', 'Press'], ['Events'], ['events'], ['Events', 'events'], ['Press']);
    const { ask } = await startDataGateway({ one: { records } });
    expect(titles(await ask('/news?channel=Events'))).toEqual(['Events', 'events', 'Events & events']);
  });

  it('may belong to another channel too', async () => {
    const { ask } = await startDataGateway({ one: { records: newsroom(['A', 'B'], ['A'], ['A', 'B'], ['B']) } });
    expect(titles(await ask('/news?channel=a'))).toEqual(['A', 'A & B']);
    expect(titles(await ask('/news?channel=b'))).toEqual(['A & B', 'B']);
  });

  it('are filtered, sorted and paged like all news', async () => {
    const { ask } = await startDataGateway({ one: { records: newsroom(['A', 'B'], ['A'], ['A', 'B'], ['B']) } });
    const response = await ask('/news?channel=a&q=b&sort=published&limit=1');
    expect(titles(response)).toEqual(['A & B']);
    expect(response.envelope).toMatchObject({ total: 1 });
  });

  it('make a source that ignores the filter partial, reason filter, without records', async () => {
    const behaviour: DataBehaviour = { ignores: ['channel'] };
    const deaf = { records: newsroom(['A', 'B'], ['A'], ['B'], []), behaviour };
    const good = { records: newsroom(['A', 'B'], ['A'], ['B']) };
    const { ask } = await startDataGateway({ deaf, good });
    const response = await ask('/news?channel=a');
    expect(titles(response)).toEqual(['A']);
    expect(response.sourceStatus).toBe('deaf;state=partial;reason=filter, good;state=fresh;records=1;age=0');
    expect(response.envelope['sources']).toEqual([{ 'source-name': 'deaf', state: 'partial', reason: 'filter' }]);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('are accepted when the only channel of a source has all its items', async () => {
    const behaviour: DataBehaviour = { ignores: ['channel'] };
    const { ask } = await startDataGateway({ one: { records: newsroom(['A'], ['A'], ['A']), behaviour } });
    const response = await ask('/news?channel=a');
    expect(response.envelope).toMatchObject({ total: 2 });
    expect(response.sourceStatus).toBe('one;state=fresh;records=2;age=0');
  });

  it('are an empty fresh list when the source has no news at all', async () => {
    const { ask } = await startDataGateway({ one: { records: newsroom(['A', 'B']) } });
    expect((await ask('/news?channel=a')).sourceStatus).toBe('one;state=fresh;records=0;age=0');
  });

  it.each([
    ['its news', /news$/],
    ['its channels', /channels$/],
  ])('make a source failed that does not return %s', async (_title, path) => {
    const good = dataUpstream(newsroom(['A', 'B'], ['A'], ['B']));
    const handler = faulty.when((request) => path.test(request.path), faulty.status(503), good);
    const { ask } = await startDataGateway({ one: { records: {}, handler } });
    const response = await ask('/news?channel=a');
    expect(response.status).toBe(502);
    expect(response.sourceStatus).toBe('one;state=failed;reason=status;status=503');
  });

  it('respond 502 when the source fails for this channel alone, while its other news are shown', async () => {
    const good = dataUpstream(newsroom(['A', 'B'], ['A'], ['B']));
    const handler = faulty.when(({ query }) => query.get('channel') === 'A', faulty.status(503), good);
    const { ask } = await startDataGateway({ one: { records: {}, handler } });
    expect((await ask('/news?channel=a')).status).toBe(502);
    expect(titles(await ask('/news?channel=b'))).toEqual(['B']);
    expect(titles(await ask('/news'))).toEqual(['A', 'B']);
  });

  it('are inconsistent when the list of channels of their source is', async () => {
    const good = dataUpstream(newsroom(['A', 'B'], ['A'], ['B']));
    const short = dataUpstream(newsroom(['A', 'B'], ['A'], ['B']), { total: 5 });
    const handler = faulty.when((request) => request.path.endsWith('/channels'), short, good);
    const { ask } = await startDataGateway({ one: { records: {}, handler } });
    const response = await ask('/news?channel=a');
    expect(titles(response)).toEqual(['A']);
    expect(response.sourceStatus).toBe('one;state=inconsistent;reason=total;records=1;age=0');
  });

  it('are cached under every spelling and sort order', async () => {
    const { ask, upstreams } = await startDataGateway({ one: { records: newsroom(['A', 'B'], ['A'], ['B']) } });
    await ask('/news?channel=a');
    const requestCount = upstreams['one']?.requests.length;
    await ask('/news?channel=A&sort=title');
    expect(upstreams['one']?.requests).toHaveLength(requestCount ?? 0);
  });
});

describe('the list of channels', () => {
  it('has the channels of all sources, sorted by title', async () => {
    const one = { records: newsroom(['Press', 'Blog']) };
    const two = { records: newsroom(['Events', 'blog']) };
    const { ask } = await startDataGateway({ one, two });
    const response = await ask('/channels');
    expect(response.data).toEqual([
      { id: 2001, title: 'Blog', 'source-name': 'one' },
      { id: 2002, title: 'blog', 'source-name': 'two' },
      { id: 1002, title: 'Events', 'source-name': 'two' },
      { id: 1001, title: 'Press', 'source-name': 'one' },
    ]);
  });

  it('is filtered by channel, link, rsslink and q, and by no other parameter', async () => {
    const channels = [
      { id: 1, title: 'Newsletters', link: '/letters', rss: '/letters/rss.xml', summary: 'Every month' },
      { id: 2, title: 'Events', link: 'https://www.example.org/events', copyright: 'Example Org' },
    ];
    const registered = { site: 'https://www.example.org' };
    const { ask } = await startDataGateway({ one: { records: { channels }, registration: registered } });
    const titlesOf = async (query: string): Promise<unknown[]> => titles(await ask(`/channels?${query}`));
    expect(await titlesOf('channel=newsLETTERS')).toEqual(['Newsletters']);
    expect(await titlesOf('channel=newsletter')).toEqual([]);
    expect(await titlesOf('link=/letters')).toEqual(['Newsletters']);
    expect(await titlesOf('rsslink=https://www.example.org/letters/rss.xml')).toEqual(['Newsletters']);
    expect(await titlesOf('q=month')).toEqual(['Newsletters']);
    expect(await titlesOf('q=example events')).toEqual(['Events']);
    for (const name of ['title', 'id', 'copyright', 'scope', 'before'])
      expect((await ask(`/channels?${name}=1`)).status).toBe(400);
  });
});
