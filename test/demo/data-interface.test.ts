import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSamples } from '../../src/demo/start-sample-repositories.js';
import type { RunningSamples } from '../../src/demo/start-sample-repositories.js';
import type { Raw } from './sample-files.js';
import { listOf, objectOf, recordsOf } from './sample-files.js';

const names = ['chronicle', 'beacon', 'quay'];

let samples: RunningSamples;

beforeAll(async () => {
  samples = await startSamples(new Map(names.map((name) => [name, 0])));
});

afterAll(async () => {
  await samples.close();
});

function fetchFrom(name: string, path: string): Promise<Response> {
  return fetch(`${samples.addresses.get(name)?.data ?? ''}/${path}`);
}

async function fetchEnvelope(name: string, path: string): Promise<Raw> {
  return objectOf(await (await fetchFrom(name, path)).json());
}

async function list(name: string, path: string): Promise<readonly Raw[]> {
  return listOf((await fetchEnvelope(name, path))['data']);
}

const values = (records: readonly Raw[], property: string): readonly unknown[] =>
  records.map((record) => record[property]);

describe('the data interfaces of the samples', () => {
  it.each(names)('return each profile, item and channel of %s exactly once over all pages', async (name) => {
    for (const resource of ['teams', 'news', 'channels']) {
      const found: Raw[] = [];
      for (let page = await list(name, resource); page.length > 0;) {
        found.push(...page);
        page = await list(name, `${resource}?offset=${found.length}`);
      }
      const titles = (records: readonly Raw[]): string[] =>
        records.map(({ id, team }) => `${String(id)} ${String(team)}`);
      expect(titles(found).sort()).toEqual(titles(recordsOf(`${name}-${resource}`)).sort());
    }
  });

  it.each(names)('list the news of %s newest first, without content and channels', async (name) => {
    const items = await list(name, 'news?limit=100');
    const dates = items.map((item) => Date.parse(String(item['published'])));
    expect(dates).toEqual(dates.toSorted((a, b) => b - a));
    expect(items.some((item) => 'content' in item || 'channels' in item)).toBe(false);
    const [newest, ...others] = items;
    expect(newest?.['id']).toBe(recordsOf(`${name}-news`).length);
    expect(
      others.every(
        ({ published }, at) =>
          published !== items[at]?.['published'] || others[at]?.['id'] === Number(items[at]?.['id']) - 1,
      ),
    ).toBe(true);
  });

  it('return a single item with its content and channels, and 404 for an unknown path or id', async () => {
    const [item] = recordsOf('chronicle-news').slice(6);
    expect((await fetchEnvelope('chronicle', 'news/7'))['data']).toEqual(item);
    expect((await fetchEnvelope('chronicle', 'news/7.json?fields=title'))['data']).toEqual({ title: item?.['title'] });
    for (const path of ['news/0', 'news/100000', 'news/07', 'news/x', 'newsletters', 'channels/1']) {
      expect((await fetchFrom('chronicle', path)).status, path).toBe(404);
    }
    expect(await fetchEnvelope('chronicle', 'news/0')).toEqual({
      status: 'Not Found',
      'status-code': 404,
      version: '1',
    });
  });

  it('return a bare list with its total in a header field for envelope=false', async () => {
    const response = await fetchFrom('quay', 'teams?envelope=false&limit=1');
    expect(listOf(await response.json())).toHaveLength(1);
    expect(response.headers.get('x-total-count')).toBe(String(recordsOf('quay-teams').length));
    expect(response.headers.get('x-version')).toBe('1');
  });

  it('reject unknown parameters and invalid values', async () => {
    for (const path of [
      'news?country=IS',
      'teams?before=2024',
      'channels?rss=x',
      'news?before=soon',
      'news/7?limit=1',
    ]) {
      expect((await fetchFrom('beacon', path)).status, path).toBe(400);
    }
    expect((await fetchEnvelope('beacon', 'teams?regio=Asia'))['message']).toMatch(/^regio /);
  });
});

describe('a news query to a sample', () => {
  it('selects the items of a channel, ignoring case and diacritics', async () => {
    const inChannel = recordsOf('beacon-news').filter(
      ({ channels }) => Array.isArray(channels) && channels.includes('Übungen'),
    );
    const { total } = await fetchEnvelope('beacon', 'news?channel=UBUNGEN&limit=1');
    expect(total).toBe(inChannel.length);
    expect((await fetchEnvelope('beacon', 'news?channel=bung'))['total']).toBe(0);
  });

  it('treats before and after as exclusive bounds', async () => {
    const items = await list('quay', 'news');
    const [first, second, third, fourth] = [...new Set(values(items, 'published'))].map(String);
    const iso = (date = ''): string => encodeURIComponent(new Date(date).toISOString().replace('.000Z', '+00:00'));
    expect(await list('quay', `news?before=${iso(first)}&after=${iso(fourth)}`)).toEqual(
      items.filter(({ published }) => published === second || published === third),
    );
  });

  it('matches a link as written, and words of title, summary and link', async () => {
    const [item] = recordsOf('chronicle-news').filter(({ link }) => String(link).startsWith('/'));
    expect(values(await list('chronicle', `news?link=${encodeURIComponent(String(item?.['link']))}`), 'id')).toEqual([
      item?.['id'],
    ]);
    expect(values(await list('chronicle', 'news?q=WEEK%20entry%202025'), 'title')).toEqual([
      'Check your entry: contact week 2025',
    ]);
  });
});

describe('a channels query to a sample', () => {
  it('matches title, link, feed and words', async () => {
    for (const query of [
      'channel=newsletters',
      'link=/newsroom/newsletters',
      'rsslink=/newsroom/newsletters/rss.xml',
      'q=up%20to',
    ]) {
      expect(values(await list('chronicle', `channels?${query}`), 'id'), query).toEqual([1]);
    }
  });
});

describe('a teams query to a sample with a data interface', () => {
  it('matches country, complete short name, and words, also of the country name', async () => {
    expect(values(await list('beacon', 'teams?country=cy'), 'id')).toEqual(['acropolis_tram_soc']);
    expect(values(await list('beacon', 'teams?team=THORSVIK%20health%20cert'), 'id')).toEqual(['thorsvik_health_cert']);
    expect(await list('beacon', 'teams?team=thorsvik')).toEqual([]);
    const iceland = await list('beacon', 'teams?q=iceland%20thorsvik');
    expect(new Set(values(iceland, 'country'))).toEqual(new Set(['IS']));
    expect(iceland.length).toBeGreaterThan(1);
  });

  it.each(['chronicle', 'quay'])(
    'returns the keys of %s only with scope=pgp, for teams that have keys',
    async (name) => {
      const all = recordsOf(`${name}-teams`);
      const isKey = (property: string): boolean => property.startsWith('pgp-');
      const keyed = all.filter((team) => Object.keys(team).some(isKey));
      expect((await list(name, 'teams?limit=100')).flatMap(Object.keys).filter(isKey)).toEqual([]);
      const shown = await list(name, 'teams?scope=pgp&limit=100');
      expect(values(shown, 'id').toSorted()).toEqual(values(keyed, 'id').toSorted());
      const allowed = ['id', 'team', 'pgp-id', 'pgp-fingerprint', 'pgp-key'];
      expect(shown.flatMap(Object.keys).filter((property) => !allowed.includes(property))).toEqual([]);
    },
  );

  it('returns the keys of the beacon without scope=pgp', async () => {
    expect((await list('beacon', 'teams')).filter((team) => 'pgp-key' in team).length).toBeGreaterThan(10);
  });

  it('returns 401 for scope=members, and 400 for an unknown scope', async () => {
    expect((await fetchFrom('chronicle', 'teams?scope=members')).status).toBe(401);
    expect((await fetchFrom('chronicle', 'teams?scope=all')).status).toBe(400);
  });
});

describe('the envelope of a data interface', () => {
  const head = async (name: string, path: string): Promise<string> =>
    JSON.stringify({ ...(await fetchEnvelope(name, path)), data: undefined });

  it('has the documented form in the chronicle', async () => {
    const changed = 'Wed, 30 Sep 2026 06:00:00 GMT';
    const start = { status: 'OK', 'status-code': 200, version: '1', 'last-modified': changed };
    const total = recordsOf('chronicle-teams').length;
    expect(await head('chronicle', 'teams')).toBe(JSON.stringify({ ...start, total, access: 'public' }));
    expect(await head('chronicle', 'news?limit=1000&offset=3')).toBe(
      JSON.stringify({ ...start, total: 140, limit: 100, offset: 3, access: 'public' }),
    );
    expect(await head('chronicle', 'news/1')).toBe(JSON.stringify({ ...start, access: 'public' }));
    expect((await fetchFrom('chronicle', 'channels')).headers.get('last-modified')).toBe(changed);
  });

  it('has the form observed in 2026 in the beacon', async () => {
    const start = { status: 'OK', 'status-code': 200, version: '1.0', access: 'public' };
    const total = recordsOf('beacon-teams').length;
    expect(await head('beacon', 'teams?limit=20')).toBe(JSON.stringify({ ...start, total, offset: 0, limit: 20 }));
    expect(await head('beacon', 'news/1')).toBe(JSON.stringify(start));
    expect((await fetchFrom('beacon', 'teams')).headers.has('last-modified')).toBe(false);
  });
});
