import { afterEach, describe, expect, it } from 'vitest';
import { isConditional } from '../support/upstream/conditional-responses.js';
import type { WrittenFeed, WrittenItem } from '../support/upstream/written-feeds.js';
import { FeedScene, SOURCE_NUMBER } from './feed-scene.js';

/** Items of the feed at any time. */
const LENGTH = 40;

const FIRST = Date.UTC(2025, 0, 1);
const DAY = 86_400_000;

/** The item of a day, counted from the first one. Each is newer than the one before. */
function itemOf(day: number): WrittenItem {
  return {
    guid: `tag:example.org,2026:${day}`,
    title: `Day ${day}`,
    link: `/news/${day}`,
    published: new Date(FIRST + day * DAY).toUTCString(),
  };
}

function feedOf(items: readonly WrittenItem[]): WrittenFeed {
  return { form: 'rss', title: 'Daily', items };
}

/** The items from a day on, newest first. */
function itemsFrom(day: number, length = LENGTH): readonly WrittenItem[] {
  return Array.from({ length }, (_, at) => itemOf(day + length - 1 - at));
}

let open: FeedScene | undefined;

afterEach(async () => {
  await open?.close();
  open = undefined;
});

async function openScene(items: readonly WrittenItem[], registration?: object): Promise<FeedScene> {
  return (open = await FeedScene.open({ daily: feedOf(items) }, registration));
}

/** Follows the links to the last page, and calls `between` before each page but the first. Returns all titles received. */
async function follow(scene: FeedScene, between: (page: number) => unknown): Promise<readonly string[]> {
  const titles: string[] = [];
  let page = await scene.get('/data/v1/news?limit=7');
  for (let number = 1; ; number += 1) {
    expect(page.status).toBe(200);
    titles.push(...page.items.map((item) => String(item['title'])));
    if (page.next === undefined) return titles;
    await between(number);
    page = await scene.get(page.next);
  }
}

describe('a client that follows the links while the feed rolls over', () => {
  it.each([
    ['without keep', { keep: '0s' }],
    ['with keep', { keep: '30d' }],
  ])('misses no item that stays, %s', async (_name, registration) => {
    const scene = await openScene(itemsFrom(0), registration);
    let day = 0;
    const titles = await follow(scene, (page) => {
      day += 1 + (page % 3);
      scene.feeds['daily'] = feedOf(itemsFrom(day));
      scene.expire();
    });
    expect(day).toBeGreaterThan(10);
    const staying = itemsFrom(day, LENGTH - day).map(({ title }) => title);
    expect(titles).toEqual(expect.arrayContaining(staying));
  });

  it('misses no item that stays when the gateway restarts between the pages', async () => {
    const scene = await openScene(itemsFrom(0), { keep: '30d' });
    let day = 0;
    const titles = await follow(scene, async (page) => {
      day += 1 + (page % 3);
      scene.feeds['daily'] = feedOf(itemsFrom(day));
      await scene.restart(() => {
        scene.expire();
      });
    });
    expect(titles).toEqual(expect.arrayContaining(itemsFrom(day, LENGTH - day).map(({ title }) => title)));
  });

  it('misses no item at all with keep, although items of any date leave the feed', async () => {
    const scene = await openScene(itemsFrom(0), { keep: '30d' });
    let items = itemsFrom(0);
    const titles = await follow(scene, () => {
      // Without keep, each of these would move up an item beyond the next page.
      items = items.filter((_, at) => at % 9 !== 0);
      scene.feeds['daily'] = feedOf(items);
      scene.expire();
    });
    expect(titles).toEqual(itemsFrom(0).map(({ title }) => title));
  });
});

describe('the id of an item', () => {
  it('is the same after a refresh, a restart, another link, another title and another order', async () => {
    const scene = await openScene(itemsFrom(0, 12));
    const first = await scene.ids();
    expect(new Set(first.values()).size).toBe(12);
    for (const id of first.values()) {
      expect(Number.isSafeInteger(id)).toBe(true);
      expect(id % 1_000).toBe(SOURCE_NUMBER);
    }
    const changes: readonly ((items: readonly WrittenItem[]) => readonly WrittenItem[])[] = [
      (items) => items,
      (items) => items.map((item) => ({ ...item, link: `${item.link ?? ''}-moved` })),
      (items) => items.map((item) => ({ ...item, summary: 'New', published: new Date(FIRST).toUTCString() })),
      (items) => items.toReversed(),
      (items) => [itemOf(99), ...items.slice(3)],
    ];
    let items = itemsFrom(0, 12);
    for (const change of changes) {
      items = change(items);
      scene.feeds['daily'] = feedOf(items);
      scene.expire();
      const refreshed = await scene.ids();
      await scene.restart();
      expect(await scene.ids()).toEqual(refreshed);
      for (const [title, id] of refreshed) expect([title, first.get(title) ?? id]).toEqual([title, id]);
      expect(refreshed.size).toBe(items.length);
    }
    scene.feeds['daily'] = feedOf(items.map((item) => ({ ...item, title: `${item.title ?? ''}, corrected` })));
    scene.expire();
    const corrected = await scene.ids();
    expect(corrected.get('Day 5, corrected')).toBe(first.get('Day 5'));
  });

  it('leads to the item in detail form, also after the item has moved', async () => {
    const scene = await openScene(itemsFrom(0, 3));
    const id = (await scene.ids()).get('Day 1') ?? NaN;
    scene.feeds['daily'] = feedOf([{ ...itemOf(1), link: '/archive/1' }]);
    scene.expire();
    const { status, json } = await scene.get(`/data/v1/news/${id}?envelope=false`);
    expect(status).toBe(200);
    expect(json).toMatchObject({
      id,
      link: `${new URL(scene.upstream.address).origin}/archive/1`,
      channels: ['Daily'],
    });
    expect((await scene.get(`/data/v1/news/${id + 1_000}`)).status).toBe(404);
  });
});

/** Longer than `stale-if-error`, in milliseconds. */
const DOWN = 3 * DAY;

describe('an item that has left its feed', () => {
  it('is gone at the next refresh without keep', async () => {
    const scene = await openScene(itemsFrom(0, 5));
    await scene.list();
    scene.feeds['daily'] = feedOf(itemsFrom(1, 4));
    scene.expire();
    const { items, states } = await scene.list();
    expect(items.map(({ title }) => title)).toEqual(['Day 4', 'Day 3', 'Day 2', 'Day 1']);
    expect(states).toBe('one;state=fresh;records=4');
  });

  it('stays with the time of the first reading without it, until keep is over', async () => {
    const scene = await openScene(itemsFrom(0, 5), { keep: '10d' });
    await scene.list();
    scene.expire();
    scene.feeds['daily'] = feedOf(itemsFrom(2, 3));
    const expected = new Map([
      ['Day 1', '2026-01-01T00:01:00+00:00'],
      ['Day 0', '2026-01-01T00:01:00+00:00'],
    ]);
    expect(await scene.withdrawn()).toEqual(expected);
    for (const feed of [itemsFrom(2, 4), itemsFrom(2, 5)]) {
      scene.clock.advance(4 * DAY);
      scene.feeds['daily'] = feedOf(feed);
      expect(await scene.withdrawn()).toEqual(expected);
    }
    scene.clock.advance(2 * DAY);
    scene.feeds['daily'] = feedOf(itemsFrom(2, 6));
    await scene.list();
    scene.expire();
    expect((await scene.list()).items).toHaveLength(6);
  });

  it('disappears when keep is over, although the feed has not changed since', async () => {
    const scene = await openScene(itemsFrom(0, 5), { keep: '10m' });
    await scene.list();
    scene.expire();
    scene.feeds['daily'] = feedOf(itemsFrom(2, 3));
    for (let minute = 0; minute <= 10; minute += 1) {
      expect([minute, (await scene.withdrawn()).size]).toEqual([minute, 2]);
      scene.expire();
    }
    expect((await scene.list()).states).toBe('one;state=fresh;records=3');
    const { length } = scene.upstream.requests;
    scene.expire();
    await scene.list();
    expect(scene.upstream.requests.slice(length).map(isConditional)).toEqual([true]);
  });

  it('loses the mark when the feed has it again, and gets another one when it leaves again', async () => {
    const scene = await openScene(itemsFrom(0, 5), { keep: '10d' });
    const ids = await scene.ids();
    for (const [feed, marked] of [
      [itemsFrom(1, 4), ['Day 0']],
      [itemsFrom(0, 5), []],
      [itemsFrom(0, 4), ['Day 4']],
      [itemsFrom(1, 3), ['Day 4', 'Day 0']],
    ] as const) {
      scene.expire();
      scene.feeds['daily'] = feedOf(feed);
      expect([...(await scene.withdrawn()).keys()]).toEqual(marked);
      expect(await scene.ids()).toEqual(ids);
    }
    expect([...(await scene.withdrawn()).values()]).toEqual(['2026-01-01T00:03:00+00:00', '2026-01-01T00:04:00+00:00']);
  });

  it.each([
    ['a restart', 0],
    ['a restart after more than stale-if-error', DOWN],
  ])('stays marked after %s', async (_name, down) => {
    const scene = await openScene(itemsFrom(0, 5), { keep: '30d' });
    const ids = await scene.ids();
    scene.expire();
    scene.feeds['daily'] = feedOf(itemsFrom(1, 4));
    const before = await scene.withdrawn();
    expect(before.size).toBe(1);
    await scene.restart(() => {
      scene.clock.advance(down);
      scene.feeds['daily'] = feedOf(itemsFrom(2, 5));
      scene.expire();
    });
    const after = await scene.withdrawn();
    expect([...after.keys()]).toEqual(['Day 1', 'Day 0']);
    expect(after.get('Day 0')).toBe(before.get('Day 0'));
    const all = await scene.ids();
    for (const [title, id] of ids) expect([title, all.get(title)]).toEqual([title, id]);
  });

  it('stays marked when the server is down after a restart for longer than stale-if-error, and then works', async () => {
    const scene = await openScene(itemsFrom(0, 5), { keep: '30d' });
    await scene.list();
    scene.expire();
    scene.feeds['daily'] = feedOf(itemsFrom(1, 4));
    const before = await scene.withdrawn();
    await scene.restart(() => {
      scene.clock.advance(DOWN);
      scene.upstream.handler = (_request, response) => response.writeHead(404).end();
    });
    expect((await scene.list()).status).toBe(502);
    scene.restoreServer();
    scene.clock.advance(DOWN);
    expect(await scene.withdrawn()).toEqual(before);
  });

  it('stays marked when the server was down for longer than stale-if-error', async () => {
    const scene = await openScene(itemsFrom(0, 5), { keep: '30d' });
    await scene.list();
    scene.expire();
    scene.feeds['daily'] = feedOf(itemsFrom(1, 4));
    const before = await scene.withdrawn();
    scene.upstream.handler = (_request, response) => response.writeHead(404).end();
    scene.clock.advance(DOWN);
    expect((await scene.list()).status).toBe(502);
    scene.restoreServer();
    scene.clock.advance(DOWN);
    expect(await scene.withdrawn()).toEqual(before);
  });

  it('is not marked when another item gets the same guid', async () => {
    const scene = await openScene([itemOf(0), itemOf(1)], { keep: '10d' });
    await scene.list();
    scene.expire();
    scene.feeds['daily'] = feedOf([{ ...itemOf(2), guid: itemOf(0).guid }, itemOf(1), itemOf(0)]);
    const { items } = await scene.list();
    expect(items.map(({ title }) => title)).toEqual(['Day 2', 'Day 1', 'Day 0']);
    expect((await scene.withdrawn()).size).toBe(0);
  });
});

describe('the shrink guard', () => {
  it('does not count items that are kept', async () => {
    const scene = await openScene(itemsFrom(0, 30), { keep: '30d' });
    await scene.list();
    for (const day of [15, 30, 45]) {
      scene.expire();
      scene.feeds['daily'] = feedOf(itemsFrom(day, 30));
      const { states, items } = await scene.list();
      expect(states).toBe(`one;state=fresh;records=${30 + day}`);
      expect(items).toHaveLength(30 + day);
    }
    // All kept items leave at once.
    scene.clock.advance(31 * DAY);
    scene.feeds['daily'] = feedOf(itemsFrom(46, 30));
    const { items, states } = await scene.list();
    expect(states).toBe('one;state=fresh;records=31');
    expect(items).toHaveLength(31);
  });

  it.each([
    ['without keep', '0s'],
    ['with keep', '30d'],
  ])('serves the last good copy when a feed falls from 30 items to 3, %s', async (_name, keep) => {
    const scene = await openScene(itemsFrom(0, 30), { keep });
    await scene.list();
    scene.expire();
    scene.feeds['daily'] = feedOf(itemsFrom(27, 3));
    const { items, states } = await scene.list();
    expect(states).toBe('one;state=stale;reason=shrunk;records=30');
    expect(items).toHaveLength(30);
    expect((await scene.withdrawn()).size).toBe(0);
    for (let minute = 0; minute < 11; minute += 1) {
      scene.expire();
      await scene.list();
    }
    expect((await scene.list()).states).toBe(`one;state=fresh;records=${keep === '0s' ? 3 : 30}`);
    expect((await scene.withdrawn()).size).toBe(keep === '0s' ? 0 : 27);
  });
});
