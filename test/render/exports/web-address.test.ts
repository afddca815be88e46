import { describe, expect, it } from 'vitest';
import { findWebAddress } from '../../../src/render/exports/web-address.js';

describe('an address of the web', () => {
  it.each([
    ['https://cert.example/', 'https://cert.example/'],
    ['HTTP://bücher.example/ü?a="<', 'http://xn--bcher-kva.example/%C3%BC?a=%22%3C'],
  ])('is written in ASCII: %s', (text, address) => {
    expect(findWebAddress(text)).toBe(address);
  });

  it.each([
    'javascript:alert(1)',
    ' JaVaScRiPt:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,x',
    '//a.example/',
    'a',
    '',
  ])('is not %j', (text) => {
    expect(findWebAddress(text)).toBeUndefined();
  });

  it('is not a text of a megabyte', () => {
    expect(findWebAddress(`https://cert.example/${'a'.repeat(2 ** 20)}`)).toBeUndefined();
  });
});
