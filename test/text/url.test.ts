import { describe, expect, it } from 'vitest';
import { parseUrl } from '../../src/text/url.js';

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
