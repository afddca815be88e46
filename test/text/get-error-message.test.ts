import { describe, expect, it } from 'vitest';
import { getErrorMessage } from '../../src/text/get-error-message.js';

describe('the message of what was thrown', () => {
  it.each([
    ['that of an error', new TypeError('not a number'), 'not a number'],
    ['the text of anything else', 'closed', 'closed'],
    ['the text of undefined', undefined, 'undefined'],
  ])('is %s', (_title, thrown, message) => {
    expect(getErrorMessage(thrown)).toBe(message);
  });
});
