import { describe, expect, test } from 'vitest';
import type { Fetch, HttpResponse, HttpRequest } from '../../../src/source/client/fetch.js';
import { withSameOriginRedirects } from '../../../src/source/client/redirects.js';
import { calm, reply, request } from './layers.js';

type Remembered = ReturnType<typeof reply>;

/** A wire that gives these replies, one after another, and remembers what it was asked. */
function wire(...replies: Remembered[]): { readonly next: Fetch<HttpResponse>; readonly asked: HttpRequest[] } {
  const asked: HttpRequest[] = [];
  const next: Fetch<HttpResponse> = (one) => {
    asked.push(one);
    const answer = replies[asked.length - 1];
    return answer === undefined ? Promise.reject(new Error('asked too often')) : Promise.resolve(answer);
  };
  return { next, asked };
}

function to(location: string, status = 302): Remembered {
  return reply(status, { location });
}

describe('sameOriginRedirects', () => {
  test.each([301, 302, 303, 307, 308])('follows %i to where it points, with the same headers', async (status) => {
    const found = reply(200);
    const { next, asked } = wire(to('/v1/teams?offset=5', status), found);
    expect(await withSameOriginRedirects(next)(request(), calm)).toBe(found);
    expect(asked.map(({ url }) => url.href)).toEqual([
      'https://irt.example.org/teams',
      'https://irt.example.org/v1/teams?offset=5',
    ]);
    expect(asked[1]?.headers).toEqual(request().headers);
  });

  test('reads a relative address against the one that it came from, and frees the connection', async () => {
    const first = to('../b/teams');
    const second = to('?page=2');
    const { next, asked } = wire(first, second, reply(200));
    await withSameOriginRedirects(next)(request('/v1/a/teams'), calm);
    expect(asked.map(({ url }) => url.pathname + url.search)).toEqual([
      '/v1/a/teams',
      '/v1/b/teams',
      '/v1/b/teams?page=2',
    ]);
    expect([first.discarded, second.discarded]).toEqual([true, true]);
  });

  test.each([200, 204, 300, 304, 404, 500])('hands on %i, wherever it points', async (status) => {
    const given = to('/elsewhere', status);
    const { next, asked } = wire(given);
    expect(await withSameOriginRedirects(next)(request(), calm)).toBe(given);
    expect(asked).toHaveLength(1);
    expect(given.discarded).toBe(false);
  });

  test('hands on a redirect that points nowhere', async () => {
    const given = reply(302);
    expect(await withSameOriginRedirects(wire(given).next)(request(), calm)).toBe(given);
  });

  test('follows three, and fails at the fourth', async () => {
    const found = reply(200);
    const three = [to('/1'), to('/2'), to('/3')];
    expect(await withSameOriginRedirects(wire(...three, found).next)(request(), calm)).toBe(found);
    const fourth = to('/4');
    const { next, asked } = wire(to('/1'), to('/2'), to('/3'), fourth, found);
    await expect(withSameOriginRedirects(next)(request(), calm)).rejects.toMatchObject({
      reason: 'redirect',
      message: 'more than 3 redirects, the last to https://irt.example.org/4',
    });
    expect(asked).toHaveLength(4);
    expect(fourth.discarded).toBe(true);
  });

  test.each([
    'http://irt.example.org/teams',
    'https://irt.example.org:8443/teams',
    'https://irt.example.net/teams',
    '//irt.example.net/teams',
    'https://irt.example.org.example.net/',
    'file:///etc/passwd',
    'data:application/json,[]',
    'blob:https://irt.example.org/teams',
    'http://[',
    '\\\\irt.example.net/teams',
  ])('does not follow %s, which is another origin', async (location) => {
    const given = to(location);
    const { next, asked } = wire(given);
    await expect(withSameOriginRedirects(next)(request(), calm)).rejects.toMatchObject({
      reason: 'redirect',
      message: `a redirect to another origin: ${location}`,
    });
    expect(asked).toHaveLength(1);
    expect(given.discarded).toBe(true);
  });

  test('tells only the beginning of a long address', async () => {
    const { next } = wire(to(`https://irt.example.net/${'x'.repeat(10_000)}`));
    await expect(withSameOriginRedirects(next)(request(), calm)).rejects.toSatisfy(
      (error) => error instanceof Error && error.message.length < 300,
    );
  });
});
