import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { SuspendedFailure, withCircuitBreaker } from '../../../src/source/client/circuit-breaker.js';
import { SourceFailure } from '../../../src/source/client/source-failure.js';
import type { Fetch } from '../../../src/source/client/fetch.js';
import { LoopFailure } from '../../../src/source/client/loop-detection.js';
import { calm, request } from './layers.js';

const COOLDOWN = 30_000;

/** A source behind a breaker that opens at three failures; what it does next is `outcome`. */
class Source {
  readonly changes: boolean[] = [];
  sent = 0;
  outcome: () => Promise<string> = () => Promise.resolve('answer');
  private readonly fetch: Fetch<string> = withCircuitBreaker(
    () => {
      this.sent += 1;
      return this.outcome();
    },
    { failures: 3, cooldown: COOLDOWN, onChange: (suspended) => this.changes.push(suspended) },
  );

  fail(failure: Error): void {
    this.outcome = () => Promise.reject(failure);
  }

  heal(): void {
    this.outcome = () => Promise.resolve('answer');
  }

  /** The answer, or the failure. */
  ask(): Promise<unknown> {
    return this.fetch(request(), calm).catch((error: unknown) => error);
  }

  async askTimes(times: number): Promise<void> {
    for (let time = 0; time < times; time += 1) await this.ask();
  }
}

const reset = new SourceFailure('connect', 'reset');

function status(code: number): SourceFailure {
  return new SourceFailure('status', `HTTP status ${code}`, { status: code });
}

function later(milliseconds: number): void {
  vi.setSystemTime(Date.now() + milliseconds);
}

describe('a source that fails', () => {
  let source: Source;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] });
    source = new Source();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test('is asked until it has failed so many times in a row, and its own failures are told', async () => {
    source.fail(reset);
    await source.askTimes(2);
    expect(await source.ask()).toBe(reset);
    expect(source.sent).toBe(3);
    expect(source.changes).toEqual([true]);
  });

  test('is suspended then: nothing is sent, and reason and HTTP status are those of the last failure', async () => {
    source.fail(reset);
    await source.askTimes(2);
    source.fail(status(500));
    await source.ask();
    later(COOLDOWN - 1);
    const failure = await source.ask();
    expect(failure).toBeInstanceOf(SuspendedFailure);
    expect(failure).toMatchObject({ reason: 'status', detail: { status: 500 } });
    expect(source.sent).toBe(3);
  });

  test('is not suspended when it answers in between', async () => {
    source.fail(reset);
    await source.askTimes(2);
    source.heal();
    await source.ask();
    source.fail(reset);
    await source.askTimes(2);
    expect(source.changes).toEqual([]);
  });

  test('is suspended by what was under way at once, and not by what an answer came between', async () => {
    const answers: ((outcome: Promise<string>) => void)[] = [];
    source.outcome = () => new Promise((resolve) => answers.push(resolve));
    const crowd = Array.from({ length: 8 }, () => source.ask());
    const end = (...outcomes: readonly Promise<string>[]): Promise<readonly unknown[]> => {
      for (const outcome of outcomes) answers.shift()?.(outcome);
      return Promise.all(crowd.splice(0, outcomes.length));
    };
    const [fails, works] = [() => Promise.reject(reset), () => Promise.resolve('answer')];
    await end(fails(), fails());
    await end(works());
    await end(fails(), fails());
    expect(source.changes).toEqual([]);
    await end(fails());
    expect(source.changes).toEqual([true]);
    // Who was answered has the answer; the trial alone tells whether the source is back.
    later(COOLDOWN);
    expect(await end(works(), fails())).toEqual(['answer', reset]);
    expect(source.changes).toEqual([true]);
    source.heal();
    expect(await source.ask()).toBe('answer');
    expect(source.changes).toEqual([true, false]);
  });

  test.each([400, 401, 403, 404, 410, 499])('is not suspended for refusals: status %i', async (code) => {
    const refusal = status(code);
    source.fail(refusal);
    await source.askTimes(9);
    expect(await source.ask()).toBe(refusal);
    expect(source.sent).toBe(10);
    expect(source.changes).toEqual([]);
  });

  test.each([
    ['that leads back here', new LoopFailure(['gateway'])],
    [
      'that tells of the sources of an aggregate',
      new SourceFailure('status', 'HTTP status 502', { status: 502, hasSourceStatus: true }),
    ],
  ])('is not suspended for an answer %s', async (_title, answer) => {
    source.fail(answer);
    await source.askTimes(9);
    expect(await source.ask()).toBe(answer);
    expect(source.sent).toBe(10);
    expect(source.changes).toEqual([]);
  });

  test('is suspended with the reason of a trial that failed since', async () => {
    source.fail(reset);
    await source.askTimes(3);
    later(COOLDOWN);
    source.fail(status(503));
    await source.ask();
    expect(await source.ask()).toMatchObject({ name: 'Suspended', reason: 'status', status: 503 });
  });

  test('is reported again when it fails again after it was back', async () => {
    source.fail(reset);
    await source.askTimes(3);
    later(COOLDOWN);
    source.heal();
    await source.ask();
    source.fail(reset);
    await source.askTimes(3);
    expect(source.changes).toEqual([true, false, true]);
  });

  test('is not suspended when it refuses in between, for then it works', async () => {
    for (const failure of [reset, reset, status(403), reset, reset]) {
      source.fail(failure);
      await source.ask();
    }
    expect(source.changes).toEqual([]);
  });

  test.each([
    ['429, which is no refusal', status(429)],
    ['500', status(500)],
    ['204', status(204)],
    ['a timeout', new SourceFailure('timeout', 'late')],
    ['another interface', new SourceFailure('schema', 'no list')],
    ['what the wire throws', Object.assign(new Error('reset'), { code: 'ECONNRESET' })],
  ])('is suspended for %s', async (_title, failure) => {
    source.fail(failure);
    await source.askTimes(3);
    expect(await source.ask()).toBeInstanceOf(SuspendedFailure);
  });

  test('is tried with one request after the cooldown, however many wait, and all go on when it is back', async () => {
    source.fail(reset);
    await source.askTimes(3);
    later(COOLDOWN);
    let answer: (text: string) => void = () => undefined;
    source.outcome = () => new Promise((resolve) => (answer = resolve));
    const crowd = Array.from({ length: 20 }, () => source.ask());
    await Promise.resolve();
    expect(source.sent).toBe(4);
    source.heal();
    answer('back');
    expect(await Promise.all(crowd)).toEqual(['back', ...Array.from({ length: 19 }, () => 'answer')]);
    expect(source.changes).toEqual([true, false]);
  });

  test('is suspended for another cooldown when the trial fails, and nobody else is let through', async () => {
    source.fail(reset);
    await source.askTimes(3);
    later(COOLDOWN);
    const crowd = await Promise.all(Array.from({ length: 20 }, () => source.ask()));
    expect(crowd.filter((failure) => failure instanceof SuspendedFailure)).toHaveLength(19);
    expect(source.sent).toBe(4);
    later(COOLDOWN - 1);
    expect(await source.ask()).toBeInstanceOf(SuspendedFailure);
    later(1);
    source.heal();
    expect(await source.ask()).toBe('answer');
    expect(source.changes).toEqual([true, false]);
  });

  test('is back when the trial is refused: one failure more does not suspend it', async () => {
    source.fail(reset);
    await source.askTimes(3);
    later(COOLDOWN);
    source.fail(status(404));
    expect(await source.ask()).toMatchObject({ status: 404 });
    source.fail(reset);
    expect(await source.ask()).toBe(reset);
    expect(await source.ask()).toBe(reset);
    expect(source.changes).toEqual([true, false]);
  });
});
