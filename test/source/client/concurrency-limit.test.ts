import { describe, expect, test } from 'vitest';
import type { Fetch } from '../../../src/source/client/http-client-types.js';
import { withLimit, withSharedLimit, createLimiter } from '../../../src/source/client/concurrency-limit.js';
import { calm, request } from './layers.js';

/** A client whose requests end when `end` is called with their path. */
function controlledClient(): {
  readonly next: Fetch<string>;
  readonly started: string[];
  readonly end: (path: string) => void;
} {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const next: Fetch<string> = ({ url }) => {
    started.push(url.pathname);
    return new Promise((resolve) => ends.set(url.pathname, () => resolve(url.pathname)));
  };
  return { next, started, end: (path) => ends.get(path)?.() };
}

/** Waits until all pending promise callbacks have run. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('withLimit', () => {
  test('runs up to the given number of requests at a time, and the others in order of arrival', async () => {
    const { next, started, end } = controlledClient();
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

  test('starts the next waiting request when any running one ends', async () => {
    const { next, started, end } = controlledClient();
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

  test('always runs exactly as many requests as allowed while any wait', async () => {
    const limit = 3;
    const { next, started, end } = controlledClient();
    const fetch = withLimit(next, createLimiter(limit));
    const ended = new Set<string>();
    for (let nth = 0; nth < 60; nth += 1) {
      void fetch(request(`/${nth}`), calm);
      await settle();
      // At first two requests arrive for each that ends, then one, then none. The first and the last running one end in turn.
      const underWay = started.filter((path) => !ended.has(path));
      expect(underWay.length).toBe(Math.min(limit, nth + 1 - ended.size));
      const over = nth % 2 === 0 ? underWay[0] : underWay.at(-1);
      if (over === undefined || (nth < 30 && nth % 2 === 0)) continue;
      ended.add(over);
      end(over);
      await settle();
    }
    while (ended.size < 60) {
      const underWay = started.filter((path) => !ended.has(path));
      expect(underWay.length).toBe(Math.min(limit, 60 - ended.size));
      const [over = ''] = underWay;
      ended.add(over);
      end(over);
      await settle();
    }
    expect(started).toEqual(Array.from({ length: 60 }, (_, nth) => `/${nth}`));
  });

  test('limits all clients of one limiter together', async () => {
    const { next, started, end } = controlledClient();
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
    const { next, started, end } = controlledClient();
    const fetch = withLimit(next, createLimiter(1));
    const controller = new AbortController();
    const running = fetch(request('/a'), calm);
    const waiting = fetch(request('/b'), controller.signal);
    await settle();
    controller.abort(new Error('the client disconnected'));
    end('/a');
    await expect(waiting).rejects.toThrow('the client disconnected');
    expect(await running).toBe('/a');
    expect(started).toEqual(['/a']);
  });

  test('rejects a request whose signal is aborted before it starts, and frees its slot', async () => {
    const { next, started, end } = controlledClient();
    const fetch = withLimit(next, createLimiter(2));
    await expect(fetch(request('/a'), AbortSignal.abort(new Error('gone already')))).rejects.toThrow('gone already');
    const both = ['/b', '/c'].map((path) => fetch(request(path), calm));
    await settle();
    expect(started).toEqual(['/b', '/c']);
    ['/b', '/c'].forEach(end);
    expect(await Promise.all(both)).toEqual(['/b', '/c']);
  });

  test('frees the slot of a failed request', async () => {
    const failing: Fetch<string> = ({ url }) =>
      url.pathname === '/bad' ? Promise.reject(new Error('reset')) : Promise.resolve('good');
    const fetch = withLimit(failing, createLimiter(1));
    const bad = fetch(request('/bad'), calm);
    const good = fetch(request('/good'), calm);
    await expect(bad).rejects.toThrow('reset');
    expect(await good).toBe('good');
  });
});

describe('withSharedLimit', () => {
  test('limits the requests of all sources together, except one request of each source', async () => {
    const { next, started, end } = controlledClient();
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

  test('frees the slot of the source after a failed request', async () => {
    const requested: string[] = [];
    const failing: Fetch<string> = ({ url }) => {
      requested.push(url.pathname);
      return Promise.reject(new Error('reset'));
    };
    const fetch = withSharedLimit(failing, () => Promise.reject(new Error('the shared limit is reached')));
    for (const path of ['/a', '/b']) await expect(fetch(request(path), calm)).rejects.toThrow('reset');
    expect(requested).toEqual(['/a', '/b']);
  });
});
