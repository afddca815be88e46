import { describe, expect, it } from 'vitest';
import { findWebAddress } from '../../../src/render/exports/web-address.js';

describe('an address of the web', () => {
  it.each([
    ['https://cert.example/', 'https://cert.example/'],
    [' https://cert.example/ ', 'https://cert.example/'],
    ['https://[2001:db8::1]:8080/', 'https://[2001:db8::1]:8080/'],
    ['HTTP://bücher.example/ü?a="<', 'http://xn--bcher-kva.example/%C3%BC?a=%22%3C'],
  ])('is written in ASCII: %s', (text, address) => {
    expect(findWebAddress(text)).toBe(address);
  });

  it.each([
    ['https://a.example/@fjord|cert?x=^`{}[]|', 'https://a.example/@fjord%7Ccert?x=%5E%60%7B%7D%5B%5D%7C'],
    ['https://a.example/[1]/^#a#b|', 'https://a.example/%5B1%5D/%5E#a%23b%7C'],
    ['https://a%:b@a.example/100%?50%#%2', 'https://a%25:b@a.example/100%25?50%25#%252'],
    ["https://a.example/%41%c3%A9?a=b&c=/?:@-._~!$'()*+,;", 'https://a.example/%41%c3%A9?a=b&c=/?:@-._~!$%27()*+,;'],
  ])('is a URI: %s', (text, address) => {
    expect(findWebAddress(text)).toBe(address);
  });

  it.each([
    'ftp://a.example/',
    'https://a.example/\nhttps://b.example/',
    'https://a.example/\thttps://b.example/',
    'https://a.example/ https://b.example/',
    'https://a.example\\b',
    'https://a.example/\u0085',
    'https://a.example/\u2028b',
    'https://a{b}.example/',
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

  it('has at most 65,536 characters', () => {
    const address = 'https://a.example/'.padEnd(65_536, 'a');
    expect([findWebAddress(address), findWebAddress(`${address}a`)]).toEqual([address, undefined]);
  });
});
