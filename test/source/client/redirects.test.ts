import { describe, expect, test } from 'vitest';
import type { Fetch, HttpResponse, HttpRequest } from '../../../src/source/client/http-client-types.js';
import { withSameOriginRedirects } from '../../../src/source/client/redirects.js';
import { calm, reply, request } from './layers.js';

type RecordedResponse = ReturnType<typeof reply>;

/** A transport that returns these responses in turn and records the requests. */
function transportOf(...replies: RecordedResponse[]): {
  readonly next: Fetch<HttpResponse>;
  readonly requests: HttpRequest[];
} {
  const requests: HttpRequest[] = [];
  const next: Fetch<HttpResponse> = (one) => {
    requests.push(one);
    const answer = replies[requests.length - 1];
    return answer === undefined ? Promise.reject(new Error('too many requests')) : Promise.resolve(answer);
  };
  return { next, requests };
}

function redirectTo(location: string, status = 302): RecordedResponse {
  return reply(status, { location });
}

describe('withSameOriginRedirects', () => {
  test.each([301, 302, 303, 307, 308])('follows %i to its Location, with the same header fields', async (status) => {
    const found = reply(200);
    const { next, requests } = transportOf(redirectTo('/v1/teams?offset=5', status), found);
    expect(await withSameOriginRedirects(next)(request(), calm)).toBe(found);
    expect(requests.map(({ url }) => url.href)).toEqual([
      'https://irt.example.org/teams',
      'https://irt.example.org/v1/teams?offset=5',
    ]);
    expect(requests[1]?.headers).toEqual(request().headers);
  });

  test('resolves a relative Location against the redirecting URL, and discards the redirect', async () => {
    const first = redirectTo('../b/teams');
    const second = redirectTo('?page=2');
    const { next, requests } = transportOf(first, second, reply(200));
    await withSameOriginRedirects(next)(request('/v1/a/teams'), calm);
    expect(requests.map(({ url }) => url.pathname + url.search)).toEqual([
      '/v1/a/teams',
      '/v1/b/teams',
      '/v1/b/teams?page=2',
    ]);
    expect([first.discarded, second.discarded]).toEqual([true, true]);
  });

  test.each([200, 204, 300, 304, 404, 500])('returns %i unchanged, whatever its Location', async (status) => {
    const redirect = redirectTo('/elsewhere', status);
    const { next, requests } = transportOf(redirect);
    expect(await withSameOriginRedirects(next)(request(), calm)).toBe(redirect);
    expect(requests).toHaveLength(1);
    expect(redirect.discarded).toBe(false);
  });

  test('returns a redirect without Location unchanged', async () => {
    const redirect = reply(302);
    expect(await withSameOriginRedirects(transportOf(redirect).next)(request(), calm)).toBe(redirect);
  });

  test('follows three redirects, and fails at the fourth', async () => {
    const found = reply(200);
    const three = [redirectTo('/1'), redirectTo('/2'), redirectTo('/3')];
    expect(await withSameOriginRedirects(transportOf(...three, found).next)(request(), calm)).toBe(found);
    const fourth = redirectTo('/4');
    const { next, requests } = transportOf(redirectTo('/1'), redirectTo('/2'), redirectTo('/3'), fourth, found);
    await expect(withSameOriginRedirects(next)(request(), calm)).rejects.toMatchObject({
      reason: 'redirect',
      message: 'more than 3 redirects, the last to https://irt.example.org/4',
    });
    expect(requests).toHaveLength(4);
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
  ])('rejects a redirect to %s, which is another origin', async (location) => {
    const redirect = redirectTo(location);
    const { next, requests } = transportOf(redirect);
    await expect(withSameOriginRedirects(next)(request(), calm)).rejects.toMatchObject({
      reason: 'redirect',
      message: `a redirect to another origin: ${location}`,
    });
    expect(requests).toHaveLength(1);
    expect(redirect.discarded).toBe(true);
  });

  test('shortens a long Location in the error', async () => {
    const { next } = transportOf(redirectTo(`https://irt.example.net/${'x'.repeat(10_000)}`));
    await expect(withSameOriginRedirects(next)(request(), calm)).rejects.toSatisfy(
      (error) => error instanceof Error && error.message.length < 300,
    );
  });
});
