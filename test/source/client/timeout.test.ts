import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { Fetch } from '../../../src/source/client/fetch.js';
import { createDeadlineSignal, withTimeout } from '../../../src/source/client/timeout.js';
import { calm, request } from './layers.js';

/** A request that ends only when its signal is aborted, with the signal's reason. */
const hanging: Fetch<string> = (_, signal) =>
  new Promise((_resolve, reject) => {
    const fail = (): void => reject(signal.reason instanceof Error ? signal.reason : new Error(String(signal.reason)));
    if (signal.aborted) fail();
    signal.addEventListener('abort', fail);
  });

const HOUR = 3_600_000;

describe('deadline', () => {
  test('ends whoever waits when the time is over, and not before', async () => {
    const signal = createDeadlineSignal(20);
    expect(signal.aborted).toBe(false);
    await expect(hanging(request(), signal)).rejects.toMatchObject({ name: 'TimeoutError' });
    expect(signal.aborted).toBe(true);
  });
});

describe('timeout', () => {
  test('ends a request that takes too long', async () => {
    await expect(withTimeout(hanging, 5)(request(), calm)).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  test('ends a request when its asker does, with the asker’s reason', async () => {
    const controller = new AbortController();
    const asked = withTimeout(hanging, HOUR)(request(), controller.signal);
    controller.abort(new Error('the process stops'));
    await expect(asked).rejects.toThrow('the process stops');
  });

  test('ends a request at once where its asker had ended before', async () => {
    const gone = AbortSignal.abort(new Error('the process stops'));
    await expect(withTimeout(hanging, HOUR)(request(), gone)).rejects.toThrow('the process stops');
  });

  test('hands on the request and its reply', async () => {
    const sent = request('/b');
    const next: Fetch<string> = (received, signal) =>
      Promise.resolve(received === sent && !signal.aborted ? 'reply' : 'another request');
    expect(await withTimeout(next, HOUR)(sent, calm)).toBe('reply');
  });

  test.each<[title: string, next: Fetch<string>]>([
    ['gave a reply', () => Promise.resolve('reply')],
    ['failed', () => Promise.reject(new Error('reset'))],
    [
      'threw at once',
      () => {
        throw new Error('no request');
      },
    ],
  ])('leaves neither a listener nor a timer behind when the request %s', async (_title, next) => {
    const { signal } = new AbortController();
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    await withTimeout(next, HOUR)(request(), signal).catch(() => undefined);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(timers()).toBe(before);
  });

  test('leaves no listener behind when the time is over', async () => {
    const { signal } = new AbortController();
    await expect(withTimeout(hanging, 5)(request(), signal)).rejects.toThrow();
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  test('lets many listen to its signal, and to a deadline, without a warning of Node.js', async () => {
    const warnings: string[] = [];
    const warned = ({ name }: Error): number => warnings.push(name);
    process.on('warning', warned);
    const listen = (signal: AbortSignal): Promise<void> => {
      for (let count = 0; count < 50; count += 1) signal.addEventListener('abort', () => undefined);
      return Promise.resolve();
    };
    await listen(createDeadlineSignal(HOUR));
    await withTimeout((_, signal) => listen(signal), HOUR)(request(), calm);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', warned);
    expect(warnings).toEqual([]);
  });

  test('does not abort the asker’s own signal', async () => {
    const { signal } = new AbortController();
    await expect(withTimeout(hanging, 5)(request(), signal)).rejects.toThrow();
    expect(signal.aborted).toBe(false);
  });
});
