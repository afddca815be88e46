import { describe, expect, it } from 'vitest';
import { hasWebProtocol, parseUrl, removeParameter, replaceParameter } from '../../src/text/url.js';

describe('parseUrl', () => {
  it.each([
    ['/é', 'https://www.example.org/%C3%A9'],
    ['//é/', 'https://xn--9ca/'],
    ['https://cert.example.org', 'https://cert.example.org/'],
  ])('returns the same result for repeated calls: %s', (link, href) => {
    // Enough calls for V8 to compile the function.
    for (let times = 0; times < 20_000; times += 1) expect(parseUrl(link, 'https://www.example.org')?.href).toBe(href);
  });

  it.each([['//'], ['http://a b/'], ['https://']])('rejects %s', (text) => {
    expect(parseUrl(text, 'https://www.example.org')).toBeUndefined();
    expect(parseUrl(text)).toBeUndefined();
  });
});

describe('a URL of the web', () => {
  it('has the protocol http or https', () => {
    const schemes = ['http', 'HTTPS', 'ftp', 'javascript'];
    expect(schemes.map((scheme) => hasWebProtocol(new URL(`${scheme}://a.example/`)))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('a parameter of a URL', () => {
  it.each([
    ['https://a.example.org/x', 'https://a.example.org/x?p=1%202'],
    ['https://a.example.org/x?q=a%20b', 'https://a.example.org/x?q=a%20b&p=1%202'],
    ['https://a.example.org/x?p=9&q=a+b&p=8', 'https://a.example.org/x?q=a+b&p=1%202'],
  ])('of %s is replaced at the end, and nothing else changes', (before, after) => {
    expect(replaceParameter(new URL(before), 'p', '1 2').href).toBe(after);
  });

  it.each([
    ['/x?p=1', '/x'],
    ['/x?p=1&q=2#p=3', '/x?q=2#p=3'],
    ['?%70=1&q=2', '?q=2'],
    ['/x', '/x'],
  ])('of %s is removed', (before, after) => {
    expect(removeParameter(before, 'p')).toBe(after);
  });
});
