import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../../../src/model/clock.js';
import {
  CircuitBreaker,
  CircuitBreakers,
  SuspendedFailure,
  withCircuitBreaker,
} from '../../../src/source/client/circuit-breaker.js';
import { SourceFailure } from '../../../src/source/client/source-failure.js';
import type { Suspension } from '../../../src/source/client/circuit-breaker.js';
import type { Fetch } from '../../../src/source/client/http-client-types.js';
import { LoopFailure } from '../../../src/source/client/loop-detection.js';
import { calm, request } from './layers.js';
import type { PublishOfSource } from '../../../src/events/event.js';

const COOLDOWN = 30_000;

function createBreaker(onChange: (suspended: boolean) => void): CircuitBreaker {
  return new CircuitBreaker({ failures: 3, cooldown: COOLDOWN, onChange, clock: systemClock });
}

/** A source behind a breaker that opens after three failures; `outcome` is its next response. */
class Source {
  readonly changes: boolean[] = [];
  sent = 0;
  outcome: () => Promise<string> = () => Promise.resolve('answer');
  private readonly breaker = createBreaker((suspended) => this.changes.push(suspended));
  private readonly fetch: Fetch<string> = withCircuitBreaker(
    () => {
      this.sent += 1;
      return this.outcome();
    },
    { of: () => this.breaker },
  );

  get suspension(): Suspension | undefined {
    return this.breaker.suspension;
  }

  endCooldown(): void {
    this.breaker.endCooldown();
  }

  fail(failure: Error): void {
    this.outcome = () => Promise.reject(failure);
  }

  recover(): void {
    this.outcome = () => Promise.resolve('answer');
  }

  /** The response, or the failure. */
  request(signal = calm): Promise<unknown> {
    return this.fetch(request(), signal).catch((error: unknown) => error);
  }

  async requestTimes(times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) await this.request();
  }
}

const reset = new SourceFailure('connect', 'reset');

function status(code: number): SourceFailure {
  return new SourceFailure('status', `HTTP status ${code}`, { status: code });
}

function advance(milliseconds: number): void {
  vi.advanceTimersByTime(milliseconds);
}

describe('withCircuitBreaker', () => {
  let source: Source;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    source = new Source();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('passes requests and failures through until the configured number of consecutive failures', async () => {
    source.fail(reset);
    await source.requestTimes(2);
    expect(await source.request()).toBe(reset);
    expect(source.sent).toBe(3);
    expect(source.changes).toEqual([true]);
  });

  test('suspends the source then: it sends nothing, and reports reason and status of the last failure', async () => {
    source.fail(reset);
    await source.requestTimes(2);
    source.fail(status(500));
    await source.request();
    advance(COOLDOWN - 1);
    const failure = await source.request();
    expect(failure).toBeInstanceOf(SuspendedFailure);
    expect(failure).toMatchObject({ reason: 'status', detail: { status: 500 } });
    expect(source.sent).toBe(3);
  });

  test('sends another trial after one that throws before it is sent', async () => {
    source.fail(reset);
    await source.requestTimes(3);
    advance(COOLDOWN);
    source.outcome = () => {
      throw reset;
    };
    expect(await source.request()).toBe(reset);
    advance(COOLDOWN);
    source.recover();
    expect(await source.request()).toBe('answer');
  });

  test('gives up a request that waits for the trial of another one with its own signal, and counts no failure', async () => {
    source.fail(reset);
    await source.requestTimes(3);
    advance(COOLDOWN);
    let answer: (text: string) => void = () => undefined;
    source.outcome = () => new Promise((resolve) => (answer = resolve));
    const trial = source.request();
    const deadline = new AbortController();
    const waiting = [1, 2, 3].map(() => source.request(deadline.signal));
    deadline.abort(new DOMException('late', 'TimeoutError'));
    expect(await Promise.all(waiting)).toMatchObject([1, 2, 3].map(() => ({ name: 'TimeoutError' })));
    answer('answer');
    expect([await trial, source.changes, source.sent]).toEqual(['answer', [true, false], 4]);
  });

  test('does not suspend a source that succeeds in between', async () => {
    source.fail(reset);
    await source.requestTimes(2);
    source.recover();
    await source.request();
    source.fail(reset);
    await source.requestTimes(2);
    expect(source.changes).toEqual([]);
  });

  test('counts concurrent failures, but not failures on both sides of a success', async () => {
    const answers: ((outcome: Promise<string>) => void)[] = [];
    source.outcome = () => new Promise((resolve) => answers.push(resolve));
    const pending = Array.from({ length: 8 }, () => source.request());
    const end = (...outcomes: readonly Promise<string>[]): Promise<readonly unknown[]> => {
      for (const outcome of outcomes) answers.shift()?.(outcome);
      return Promise.all(pending.splice(0, outcomes.length));
    };
    const [fails, works] = [() => Promise.reject(reset), () => Promise.resolve('answer')];
    await end(fails(), fails());
    await end(works());
    await end(fails(), fails());
    expect(source.changes).toEqual([]);
    await end(fails());
    expect(source.changes).toEqual([true]);
    // Requests already under way return their results; only the trial decides whether the source has recovered.
    advance(COOLDOWN);
    expect(await end(works(), fails())).toEqual(['answer', reset]);
    expect(source.changes).toEqual([true]);
    source.recover();
    expect(await source.request()).toBe('answer');
    expect(source.changes).toEqual([true, false]);
  });

  test.each([400, 401, 403, 404, 410, 499])(
    'does not suspend a source that refuses requests: status %i',
    async (code) => {
      const refusal = status(code);
      source.fail(refusal);
      await source.requestTimes(9);
      expect(await source.request()).toBe(refusal);
      expect(source.sent).toBe(10);
      expect(source.changes).toEqual([]);
    },
  );

  test.each([
    ['that reports a loop', new LoopFailure(['gateway'])],
    [
      'with the Source-Status of an aggregate',
      new SourceFailure('status', 'HTTP status 502', { status: 502, hasSourceStatus: true }),
    ],
  ])('does not suspend a source for a response %s', async (_title, answer) => {
    source.fail(answer);
    await source.requestTimes(9);
    expect(await source.request()).toBe(answer);
    expect(source.sent).toBe(10);
    expect(source.changes).toEqual([]);
  });

  test('reports the reason of the latest failed trial while suspended', async () => {
    source.fail(reset);
    await source.requestTimes(3);
    advance(COOLDOWN);
    source.fail(status(503));
    await source.request();
    expect(await source.request()).toMatchObject({ name: 'Suspended', reason: 'status', status: 503 });
  });

  test('leaves a source suspended, for the same reason, when the trial is given up', async () => {
    source.fail(status(503));
    await source.requestTimes(3);
    advance(COOLDOWN);
    source.fail(new Error('the process stops'));
    await source.request(AbortSignal.abort());
    expect(await source.request()).toMatchObject({ name: 'Suspended', reason: 'status', status: 503 });
    expect(source.changes).toEqual([true]);
  });

  test('reports another suspension after a recovery', async () => {
    source.fail(reset);
    await source.requestTimes(3);
    advance(COOLDOWN);
    source.recover();
    await source.request();
    source.fail(reset);
    await source.requestTimes(3);
    expect(source.changes).toEqual([true, false, true]);
  });

  test('does not suspend a source that refuses a request in between, because a refusal proves that it works', async () => {
    for (const failure of [reset, reset, status(403), reset, reset]) {
      source.fail(failure);
      await source.request();
    }
    expect(source.changes).toEqual([]);
  });

  test.each([
    ['429, which is not a refusal', status(429)],
    ['500', status(500)],
    ['204', status(204)],
    ['a timeout', new SourceFailure('timeout', 'late')],
    ['a response of another interface', new SourceFailure('schema', 'no list')],
    ['an error of the transport', Object.assign(new Error('reset'), { code: 'ECONNRESET' })],
  ])('suspends the source for %s', async (_title, failure) => {
    source.fail(failure);
    await source.requestTimes(3);
    expect(await source.request()).toBeInstanceOf(SuspendedFailure);
  });

  test('sends one trial after the cooldown, and all waiting requests after its success', async () => {
    source.fail(reset);
    await source.requestTimes(3);
    advance(COOLDOWN);
    let answer: (text: string) => void = () => undefined;
    source.outcome = () => new Promise((resolve) => (answer = resolve));
    const pending = Array.from({ length: 20 }, () => source.request());
    await Promise.resolve();
    expect(source.sent).toBe(4);
    source.recover();
    answer('back');
    expect(await Promise.all(pending)).toEqual(['back', ...Array.from({ length: 19 }, () => 'answer')]);
    expect(source.changes).toEqual([true, false]);
  });

  test('suspends the source for another cooldown when the trial fails, without other requests', async () => {
    source.fail(reset);
    await source.requestTimes(3);
    advance(COOLDOWN);
    const pending = await Promise.all(Array.from({ length: 20 }, () => source.request()));
    expect(pending.filter((failure) => failure instanceof SuspendedFailure)).toHaveLength(19);
    expect(source.sent).toBe(4);
    advance(COOLDOWN - 1);
    expect(await source.request()).toBeInstanceOf(SuspendedFailure);
    advance(1);
    source.recover();
    expect(await source.request()).toBe('answer');
    expect(source.changes).toEqual([true, false]);
  });

  test('sends the trial after the cooldown although the system clock was an hour ahead when the source failed', async () => {
    const now = Date.now();
    vi.setSystemTime(now + 3_600_000);
    source.fail(reset);
    await source.requestTimes(3);
    vi.setSystemTime(now);
    expect(source.suspension).toEqual({ since: now, trialFrom: now + COOLDOWN });
    advance(COOLDOWN - 1);
    expect(await source.request()).toBeInstanceOf(SuspendedFailure);
    advance(1);
    source.recover();
    expect(await source.request()).toBe('answer');
  });

  test('sends the trial at once when the cooldown is ended', async () => {
    source.fail(reset);
    await source.requestTimes(3);
    source.endCooldown();
    expect(await source.request()).toBe(reset);
    expect(await source.request()).toBeInstanceOf(SuspendedFailure);
    expect(source.sent).toBe(4);
  });

  test('counts a refused trial as a recovery, and starts counting failures anew', async () => {
    source.fail(reset);
    await source.requestTimes(3);
    advance(COOLDOWN);
    source.fail(status(404));
    expect(await source.request()).toMatchObject({ status: 404 });
    source.fail(reset);
    expect(await source.request()).toBe(reset);
    expect(await source.request()).toBe(reset);
    expect(source.changes).toEqual([true, false]);
  });
});

describe('the circuit breakers of a source', () => {
  const [one, other] = [new URL('https://cert.example.org/a.xml'), new URL('https://cert.example.org/b.xml')];

  const create = (scope: 'source' | 'url', publish: PublishOfSource = () => undefined): CircuitBreakers =>
    new CircuitBreakers(scope, { failures: 3, cooldown: COOLDOWN, clock: systemClock, publish });

  async function failAt(breakers: CircuitBreakers, url: URL): Promise<void> {
    for (let time = 0; time < 3; time += 1)
      await breakers
        .of(url)
        .send(() => Promise.reject(reset), calm)
        .catch(() => undefined);
  }

  test('are one for all URLs', async () => {
    const breakers = create('source');
    expect([breakers.isSuspended, breakers.suspension]).toEqual([false, undefined]);
    await failAt(breakers, one);
    expect(breakers.of(other).isSuspended).toBe(true);
    expect([breakers.isSuspended, breakers.suspension]).toEqual([true, breakers.of(one).suspension]);
  });

  test('are one for each URL where these may fail independently', async () => {
    const events: unknown[] = [];
    const breakers = create('url', (event) => events.push(event));
    await failAt(breakers, one);
    expect([breakers.of(one).isSuspended, breakers.of(other).isSuspended]).toEqual([true, false]);
    expect([breakers.isSuspended, breakers.suspension]).toEqual([true, undefined]);
    expect(events).toEqual([{ type: 'source suspended', feed: one.href, isSuspended: true }]);
  });
});
