import { describe, expect, test } from 'vitest';
import type { Fetch } from '../../../src/source/client/fetch.js';
import { withLimit, withSharedLimit, createLimiter } from '../../../src/source/client/concurrency-limit.js';
import { calm, request } from './layers.js';

/** A line of requests that end when they are told to, by their path. */
function line(): { readonly next: Fetch<string>; readonly started: string[]; readonly end: (path: string) => void } {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const next: Fetch<string> = ({ url }) => {
    started.push(url.pathname);
    return new Promise((resolve) => ends.set(url.pathname, () => resolve(url.pathname)));
  };
  return { next, started, end: (path) => ends.get(path)?.() };
}

/** Lets everything happen that needs no further event. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('limited', () => {
  test('lets so many through at a time, and the others in the order in which they came', async () => {
    const { next, started, end } = line();
    const fetch = withLimit(next, createLimiter(2));
    const replies = ['/a', '/b', '/c', '/d'].map((path) => fetch(request(path), calm));
    await settle();
    expect(started).toEqual(['/a', '/b']);
    end('/b');
    await settle();
    expect(started).toEqual(['/a', '/b', '/c']);
    ['/a', '/c'].forEach(end);
    await settle();
    end('/d');
    expect(await Promise.all(replies)).toEqual(['/a', '/b', '/c', '/d']);
  });

  test('lets the next one in when one has ended that never waited, though nobody else comes', async () => {
    const { next, started, end } = line();
    const fetch = withLimit(next, createLimiter(3));
    for (const path of ['/a', '/b', '/c', '/d', '/e']) void fetch(request(path), calm);
    await settle();
    expect(started).toEqual(['/a', '/b', '/c']);
    for (const [over, following] of [
      ['/a', '/d'],
      ['/b', '/e'],
    ] as const) {
      end(over);
      await settle();
      expect(started.at(-1)).toBe(following);
    }
  });

  test('never lets more through than it may, however they come and go, and never fewer while any wait', async () => {
    const most = 3;
    const { next, started, end } = line();
    const fetch = withLimit(next, createLimiter(most));
    const ended = new Set<string>();
    for (let nth = 0; nth < 60; nth += 1) {
      void fetch(request(`/${nth}`), calm);
      await settle();
      // Two come for each that ends, then one for one, then none are left; now the first under way ends, now the last.
      const underWay = started.filter((path) => !ended.has(path));
      expect(underWay.length).toBe(Math.min(most, nth + 1 - ended.size));
      const over = nth % 2 === 0 ? underWay[0] : underWay.at(-1);
      if (over === undefined || (nth < 30 && nth % 2 === 0)) continue;
      ended.add(over);
      end(over);
      await settle();
    }
    while (ended.size < 60) {
      const underWay = started.filter((path) => !ended.has(path));
      expect(underWay.length).toBe(Math.min(most, 60 - ended.size));
      const [over = ''] = underWay;
      ended.add(over);
      end(over);
      await settle();
    }
    expect(started).toEqual(Array.from({ length: 60 }, (_, nth) => `/${nth}`));
  });

  test('bounds all that share the limiter together', async () => {
    const { next, started, end } = line();
    const gateway = createLimiter(1);
    void withLimit(next, gateway)(request('/a'), calm);
    const other = withLimit(next, gateway)(request('/b'), calm);
    await settle();
    expect(started).toEqual(['/a']);
    end('/a');
    await settle();
    end('/b');
    expect(await other).toBe('/b');
  });

  test('does not send a request whose signal was aborted while it waited', async () => {
    const { next, started, end } = line();
    const fetch = withLimit(next, createLimiter(1));
    const controller = new AbortController();
    const running = fetch(request('/a'), calm);
    const waiting = fetch(request('/b'), controller.signal);
    await settle();
    controller.abort(new Error('the asker has left'));
    end('/a');
    await expect(waiting).rejects.toThrow('the asker has left');
    expect(await running).toBe('/a');
    expect(started).toEqual(['/a']);
  });

  test('fails for who has left before a place was free, and frees the place', async () => {
    const { next, started, end } = line();
    const fetch = withLimit(next, createLimiter(2));
    await expect(fetch(request('/a'), AbortSignal.abort(new Error('gone already')))).rejects.toThrow('gone already');
    const both = ['/b', '/c'].map((path) => fetch(request(path), calm));
    await settle();
    expect(started).toEqual(['/b', '/c']);
    ['/b', '/c'].forEach(end);
    expect(await Promise.all(both)).toEqual(['/b', '/c']);
  });

  test('frees the place of a request that failed', async () => {
    const failing: Fetch<string> = ({ url }) =>
      url.pathname === '/bad' ? Promise.reject(new Error('reset')) : Promise.resolve('good');
    const fetch = withLimit(failing, createLimiter(1));
    const bad = fetch(request('/bad'), calm);
    const good = fetch(request('/good'), calm);
    await expect(bad).rejects.toThrow('reset');
    expect(await good).toBe('good');
  });
});

describe('limitedBesideOne', () => {
  test('bounds what sources ask beside one request each, which waits for no other source', async () => {
    const { next, started, end } = line();
    const gateway = createLimiter(1);
    const [one, other] = [withSharedLimit(next, gateway), withSharedLimit(next, gateway)];
    const replies = [one(request('/a1'), calm), one(request('/a2'), calm), one(request('/a3'), calm)];
    replies.push(other(request('/b1'), calm), other(request('/b2'), calm));
    await settle();
    expect(started).toEqual(['/a1', '/b1', '/a2']);
    end('/a2');
    await settle();
    expect(started).toEqual(['/a1', '/b1', '/a2', '/a3']);
    end('/b1');
    await settle();
    replies.push(other(request('/b3'), calm));
    expect(started.at(-1)).toBe('/b3');
    ['/a1', '/a3', '/b3'].forEach(end);
    await settle();
    end('/b2');
    expect(await Promise.all(replies)).toEqual(['/a1', '/a2', '/a3', '/b1', '/b2', '/b3']);
  });

  test('is free again after a request that failed', async () => {
    const asked: string[] = [];
    const failing: Fetch<string> = ({ url }) => {
      asked.push(url.pathname);
      return Promise.reject(new Error('reset'));
    };
    const fetch = withSharedLimit(failing, () => Promise.reject(new Error('the house is full')));
    for (const path of ['/a', '/b']) await expect(fetch(request(path), calm)).rejects.toThrow('reset');
    expect(asked).toEqual(['/a', '/b']);
  });
});
