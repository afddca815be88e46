import { expect, it } from 'vitest';
import { checkFaults, faults } from '../../../bench/faults/planted-faults.js';

it('plants each of sixty faults at one place, beside tests that exist', () => {
  expect(checkFaults()).toEqual([]);
  expect(faults.length).toBeGreaterThanOrEqual(60);
  expect(new Set(faults.map(({ name }) => name)).size).toBe(faults.length);
});
