import { describe, expect, test } from 'vitest';
import { Ended } from '../../src/source/ending.js';

describe('Ended', () => {
  test('tells each who listens once, with its reason, in the order in which they came', () => {
    const ending = new Ended();
    const told: string[] = [];
    const twice = (): void => void told.push('a');
    ending.addEventListener('abort', twice);
    ending.addEventListener('abort', twice);
    ending.addEventListener('abort', { handleEvent: () => void told.push(`b ${String(ending.reason)}`) });
    ending.abort('late');
    ending.abort('later');
    expect(told).toEqual(['a', 'b late']);
    expect([ending.aborted, ending.reason]).toEqual([true, 'late']);
  });

  test('tells nobody who has stopped listening, nor who comes when it is over', () => {
    const ending = new Ended();
    const told: string[] = [];
    const [first, second] = [(): void => void told.push('first'), (): void => void told.push('second')];
    for (const listener of [first, second]) ending.addEventListener('abort', listener);
    ending.removeEventListener('abort', first);
    ending.abort('over');
    ending.addEventListener('abort', first);
    expect(told).toEqual(['second']);
    ending.removeEventListener('abort', second);
  });

  test('throws its reason from then on, and nothing before', () => {
    const ending = new Ended();
    expect(() => ending.throwIfAborted()).not.toThrow();
    const reason = new Error('gone');
    ending.abort(reason);
    expect(() => ending.throwIfAborted()).toThrow(reason);
  });
});
