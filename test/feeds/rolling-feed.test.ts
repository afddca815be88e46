import { afterEach, describe, expect, it } from 'vitest';
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

async function openScene(items: readonly WrittenItem[]): Promise<FeedScene> {
  return (open = await FeedScene.open({ daily: feedOf(items) }));
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
  it('misses no item that stays', async () => {
    const scene = await openScene(itemsFrom(0));
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
    const scene = await openScene(itemsFrom(0));
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

describe('an item that has left its feed', () => {
  it('is gone at the next refresh', async () => {
    const scene = await openScene(itemsFrom(0, 5));
    await scene.list();
    scene.feeds['daily'] = feedOf(itemsFrom(1, 4));
    scene.expire();
    const { items, states } = await scene.list();
    expect(items.map(({ title }) => title)).toEqual(['Day 4', 'Day 3', 'Day 2', 'Day 1']);
    expect(states).toBe('one;state=fresh;records=4');
  });
});

describe('the shrink guard', () => {
  it('serves the last good copy when a feed falls from 30 items to 3', async () => {
    const scene = await openScene(itemsFrom(0, 30));
    await scene.list();
    scene.expire();
    scene.feeds['daily'] = feedOf(itemsFrom(27, 3));
    const { items, states } = await scene.list();
    expect(states).toBe('one;state=stale;reason=shrunk;records=30');
    expect(items).toHaveLength(30);
    for (let minute = 0; minute < 11; minute += 1) {
      scene.expire();
      await scene.list();
    }
    expect((await scene.list()).states).toBe('one;state=fresh;records=3');
  });
});
