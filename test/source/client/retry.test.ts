import { describe, expect, test } from 'vitest';
import { SuspendedFailure } from '../../../src/source/client/circuit-breaker.js';
import { SourceFailure, asFailure } from '../../../src/source/client/source-failure.js';
import type { Fetch } from '../../../src/source/client/http-client-types.js';
import { withRetry } from '../../../src/source/client/retry.js';
import { calm, request } from './layers.js';

const WITHOUT_DELAY = { retries: 1, maxDelay: 10_000, random: () => 0 };

function status(code: number, retryAfter?: number): SourceFailure {
  return new SourceFailure('status', `HTTP status ${code}`, {
    status: code,
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

/** Fails with each of these errors in turn, then succeeds. */
function failing(...failures: readonly Error[]): { readonly fetch: Fetch<string>; readonly calls: () => number } {
  let calls = 0;
  const fetch: Fetch<string> = () => {
    const failure = failures[calls];
    calls += 1;
    return failure === undefined ? Promise.resolve('answer') : Promise.reject(failure);
  };
  return { fetch, calls: () => calls };
}

/** Always fails with an error that is retried. */
function broken(): { readonly fetch: Fetch<string>; readonly calls: () => number } {
  return failing(...Array.from({ length: 1_000 }, () => new SourceFailure('connect', 'reset')));
}

describe('a failed request', () => {
  test.each([
    ['a broken connection', new SourceFailure('connect', 'reset')],
    ['a broken connection, as the transport reports it', Object.assign(new Error('reset'), { code: 'ECONNRESET' })],
    ...[429, 500, 502, 503, 504].map((code): [string, Error] => [`the status ${code}`, status(code)]),
  ])('is retried after %s', async (_title, failure) => {
    const { fetch, calls } = failing(failure);
    expect(await withRetry(fetch, WITHOUT_DELAY)(request(), calm)).toBe('answer');
    expect(calls()).toBe(2);
  });

  test.each<[string, SourceFailure]>([
    ...(['timeout', 'tls', 'dns', 'body', 'schema', 'size', 'redirect', 'internal'] as const).map(
      (reason): [string, SourceFailure] => [`the reason ${reason}`, new SourceFailure(reason, 'no')],
    ),
    ...[204, 206, 304, 400, 401, 403, 404, 501].map((code): [string, SourceFailure] => [
      `status ${code}`,
      status(code),
    ]),
    ['a suspended source', new SuspendedFailure(new SourceFailure('connect', 'reset'))],
  ])('is not retried after %s', async (_title, failure) => {
    const { fetch, calls } = failing(failure);
    await expect(withRetry(fetch, WITHOUT_DELAY)(request(), calm)).rejects.toBe(failure);
    expect(calls()).toBe(1);
  });

  test.each([0, 1, 3])('is retried %i times, and then fails with the last failure', async (retries) => {
    const failures = Array.from({ length: retries + 1 }, (_, at) => new SourceFailure('connect', `reset ${at}`));
    const { fetch, calls } = failing(...failures);
    await expect(withRetry(fetch, { ...WITHOUT_DELAY, retries })(request(), calm)).rejects.toBe(failures[retries]);
    expect(calls()).toBe(retries + 1);
  });

  test('is retried with the same request and signal', async () => {
    const received: unknown[] = [];
    const fetch: Fetch<string> = (...call) => {
      received.push(call);
      return received.length === 1 ? Promise.reject(status(503)) : Promise.resolve('answer');
    };
    const call = [request(), calm] as const;
    await withRetry(fetch, WITHOUT_DELAY)(...call);
    expect(received).toEqual([call, call]);
  });
});

describe('the delay before a retry', () => {
  // A delay beyond `maxDelay` ends the retries, so the number of requests shows how long the delays would have been.
  test.each([
    [0.001, 0.19, 1],
    [0.001, 0.2, 2],
    [0.001, 0.79, 3],
    [0.001, 0.8, 4],
    [0.004, 0.79, 1],
    [0.999, 199, 1],
    [0, 0, 11],
  ])(
    'is %f of a bound that starts at 200 ms and doubles: with a maximum of %f ms there are %i requests',
    async (...row) => {
      const [random, maxDelay, requests] = row;
      const { fetch, calls } = broken();
      const layer = withRetry(fetch, { retries: 10, maxDelay: maxDelay, random: () => random });
      await expect(layer(request(), calm)).rejects.toMatchObject({ reason: 'connect' });
      expect(calls()).toBe(requests);
    },
  );

  test('is random for each retry', async () => {
    const draws = [0.002, 0.001, 0];
    const { fetch, calls } = broken();
    const random = (): number => draws.shift() ?? 1;
    await expect(withRetry(fetch, { retries: 10, maxDelay: 0.5, random })(request(), calm)).rejects.toThrow('reset');
    expect(calls()).toBe(4);
  });

  test('is the time of Retry-After, regardless of the jitter', async () => {
    const events: string[] = [];
    const fetch: Fetch<string> = () => {
      events.push('request');
      return events.length === 1 ? Promise.reject(status(503, 200)) : Promise.resolve('answer');
    };
    setTimeout(() => events.push('meanwhile'), 20);
    await withRetry(fetch, WITHOUT_DELAY)(request(), calm);
    expect(events).toEqual(['request', 'meanwhile', 'request']);
  });

  test.each([
    [1_000, 999, 1],
    [20, 20, 2],
  ])('of %i ms in Retry-After is accepted up to the maximum of %i ms', async (received, maxDelay, requests) => {
    const { fetch, calls } = failing(status(503, received));
    await withRetry(fetch, { ...WITHOUT_DELAY, maxDelay: maxDelay })(request(), calm).catch(() => undefined);
    expect(calls()).toBe(requests);
  });

  test('ends when the signal is aborted, and no request follows', async () => {
    const { fetch, calls } = failing(status(503, 5_000));
    const waiting = new AbortController();
    const answer = withRetry(fetch, WITHOUT_DELAY)(request(), waiting.signal).catch(asFailure);
    waiting.abort();
    expect(await answer).toMatchObject({ reason: 'timeout' });
    expect(calls()).toBe(1);
  });
});
