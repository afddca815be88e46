import { expect, it } from 'vitest';
import { isAccessSufficient } from '../../src/model/access-level.js';

it('lets members have everything, and the public only what is public', () => {
  expect(isAccessSufficient('members', 'members')).toBe(true);
  expect(isAccessSufficient('members', 'public')).toBe(true);
  expect(isAccessSufficient('public', 'public')).toBe(true);
  expect(isAccessSufficient('public', 'members')).toBe(false);
});
