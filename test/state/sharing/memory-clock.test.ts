import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryClock } from '../../../src/state/sharing/memory-clock.js';

let now: number;
let clock: MemoryClock;

beforeEach(() => {
  now = 1_000_000;
  clock = new MemoryClock({ now: () => now }, () => now - 500_000);
});

/** Lets the memory reply with a time that is ahead of the clock of this instance, after half of the wait. */
function reply({ ahead = 0, wait = 0 }: { readonly ahead?: number; readonly wait?: number }): void {
  const sent = clock.startReport();
  const time = now + wait / 2 + ahead;
  now += wait;
  clock.noteReply(time, sent);
}

describe('the clock of the shared memory', () => {
  it('is compared with that of the instance', () => {
    reply({ ahead: -40, wait: 10 });
    expect([clock.isWrong, clock.isConclusive, clock.clockAhead]).toEqual([false, true, 40]);
  });

  it.each([300, -300])('differs by more than is allowed: by %i ms', (ahead) => {
    reply({ ahead, wait: 10 });
    expect([clock.isWrong, clock.isConclusive, clock.clockAhead]).toEqual([true, true, -ahead]);
  });

  it('may be right or wrong where the wait for the reply was long', () => {
    reply({ ahead: 0, wait: 600 });
    expect([clock.isWrong, clock.isConclusive]).toEqual([false, false]);
    reply({ ahead: 1_000, wait: 600 });
    expect([clock.isWrong, clock.isConclusive]).toEqual([true, true]);
  });

  it('has passed a time when it has certainly, and may let an entry become active from the earliest moment on', () => {
    reply({ wait: 100 });
    const time = now + 500;
    now += 540;
    expect([clock.hasPassed(time), clock.millisecondsUntil(time)]).toEqual([false, 10]);
    now += 10;
    expect(clock.hasPassed(time)).toBe(true);
    expect(clock.toMonotonic(time)).toBe(now - 500_000 - 100);
  });

  it('bounds the times that an instance may have written', () => {
    reply({});
    expect([clock.isSoon(now + 2_000), clock.isSoon(now + 2_001)]).toEqual([true, false]);
    expect([clock.isPast(now + 500), clock.isPast(now + 501)]).toEqual([true, false]);
  });
});
