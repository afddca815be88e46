import { describe, expect, it } from 'vitest';
import { ChangeSignals } from '../../../src/state/sharing/change-signals.js';

const never = new Promise<void>(() => undefined);

/** Waits for changes of each name, and returns the names whose waits have ended so far. */
function waitForEach(signals: ChangeSignals, names: readonly string[]): readonly string[] {
  const ended: string[] = [];
  for (const name of names) void signals.wait(name, never).then(() => ended.push(name));
  return ended;
}

describe('a wait for a change of an entry', () => {
  it('ends with each change of its name, and of no other', async () => {
    const signals = new ChangeSignals();
    const ended = waitForEach(signals, ['one', 'two', 'one']);
    signals.notify('other');
    signals.notify('one');
    await expect.poll(() => ended).toEqual(['one', 'one']);
  });

  it('ends when any entry may have changed', async () => {
    const signals = new ChangeSignals();
    const ended = waitForEach(signals, ['one', 'two']);
    signals.notify();
    await expect.poll(() => ended).toEqual(['one', 'two']);
  });

  it('ends with its limit, and leaves other waits for the name', async () => {
    const signals = new ChangeSignals();
    const ended = waitForEach(signals, ['one']);
    await signals.wait('one', Promise.resolve());
    expect(ended).toEqual([]);
    signals.notify('one');
    await expect.poll(() => ended).toEqual(['one']);
  });
});
