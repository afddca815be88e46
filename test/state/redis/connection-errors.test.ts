import { expect, it } from 'vitest';
import { ConnectionErrors } from '../../../src/state/redis/connection-errors.js';

it('reports alternating errors of several connections once, and again after a connection was ready', () => {
  const reported: string[] = [];
  const errors = new ConnectionErrors((message) => reported.push(message));
  const [first, second] = [errors.observe(), errors.observe()];
  for (let attempt = 0; attempt < 3; attempt += 1) {
    first.onError('refused');
    second.onError('reset');
  }
  expect(reported).toEqual(['refused', 'reset']);
  second.onError('refused');
  expect(reported).toHaveLength(2);
  first.onReady();
  first.onError('refused');
  expect(reported).toHaveLength(2);
  for (const { onReady } of [first, second]) onReady();
  first.onError('refused');
  expect(reported).toEqual(['refused', 'reset', 'refused']);
});
