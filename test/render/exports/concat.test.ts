import { expect, it } from 'vitest';
import { concat } from '../../../src/render/exports/concat.js';

it('concatenates lists, and reads each only when its items are requested', () => {
  function* fail(): Generator<number> {
    yield 3;
    throw new Error('read too far');
  }
  const all = concat([1, 2], [], fail());
  expect([all.next().value, all.next().value, all.next().value]).toEqual([1, 2, 3]);
});
