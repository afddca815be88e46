import { describe, expect, it } from 'vitest';
import type { Value } from '../../src/model/value.js';
import { withFax } from '../../src/source/phones.js';

describe('telephone numbers on the directory interface', () => {
  it.each<[title: string, sent: [phone: string, fax: string, emergency: string], shown: string[]]>([
    ['all of them, the fax number marked', ['+1 1', '+1 2', '+1 3'], ['+1 1', '+1 2 (fax)', '+1 3']],
    ['none twice, however it is written', ['+1 (2) 3', '+1 4', '+1 2-3'], ['+1 (2) 3', '+1 4 (fax)']],
    ['those that are spelled', ['+1 800 CERT', '+1 2', '+1 800 HELP'], ['+1 800 CERT', '+1 2 (fax)', '+1 800 HELP']],
    ['one with an extension', ['+49 1234', '+1 2', '+49 123 ext. 4'], ['+49 1234', '+1 2 (fax)', '+49 123 ext. 4']],
    ['one that is both', ['+1 1', '+1 1', '+1 1'], ['+1 1', '+1 1 (fax)']],
    ['a mark that was there, once', ['+1 1', '+1 2 (FAX)', '+1 2 (fax)'], ['+1 1', '+1 2 (FAX)']],
  ])('are %s', (_title, [phone, fax, emergency], shown) => {
    const team = new Map<string, Value>([
      ['phone', [phone]],
      ['fax', fax],
      ['phone-emergency', emergency],
    ]);
    expect(withFax(team)).toEqual(shown);
  });
});
