import { describe, expect, it } from 'vitest';
import type { PropertyValue } from '../../../src/model/property-value.js';
import { mergePhoneNumbers } from '../../../src/source/dialect/merge-phone-numbers.js';

describe('the telephone numbers of a data team', () => {
  it('are all in one list, also where they are too many to compare their spellings', () => {
    const merge = (phone: PropertyValue): unknown =>
      mergePhoneNumbers(new Map(Object.entries({ phone, 'phone-emergency': '00999 5' })));
    const phones = Array.from({ length: 200_000 }, (_, at) => `+999 ${at}`);
    expect(merge(phones)).toEqual(['00999 5', ...phones]);
    expect(merge('+999 5')).toEqual(['00999 5']);
  });
});
