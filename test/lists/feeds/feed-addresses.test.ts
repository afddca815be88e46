import { describe, expect, it } from 'vitest';
import { nameFeeds, withoutSecrets } from '../../../src/lists/feeds/feed-addresses.js';

describe('the address of a source for the operator', () => {
  it.each([
    ['https://user:word@cert.example.org:8443/rss.xml?key=abc#top', 'https://cert.example.org:8443/rss.xml'],
    ['file:///srv/lists/teams.csv', 'file:///srv/lists/teams.csv'],
  ])('of %s is %s', (address, shown) => {
    expect(withoutSecrets(address)).toBe(shown);
  });

  it('numbers feeds that differ in the query string only', () => {
    const addresses = ['https://a.example/feed?t=1', 'https://b.example/feed', 'https://a.example/feed?t=2'];
    expect(nameFeeds(addresses)).toEqual([
      'https://a.example/feed',
      'https://b.example/feed',
      'https://a.example/feed (2)',
    ]);
  });
});
