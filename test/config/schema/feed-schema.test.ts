import { describe, expect, it } from 'vitest';
import { parseConfig } from '../../../src/config/parse-config.js';

const ADDRESS = 'https://cert.example.org/';

/** The errors of a source with this feed, below `sources.one`. */
function errorsOf(feed: unknown, settings: object = {}): readonly string[] {
  const parsed = parseConfig(JSON.stringify({ sources: { one: { number: 1, feed, ...settings } } }), {});
  return 'errors' in parsed ? parsed.errors.map(({ path, message }) => `${path.slice(12)}: ${message}`) : [];
}

describe('the address of a feed', () => {
  it.each([ADDRESS, 'http://cert.example.org:8080/rss?topic=all&lang=en'])('may be %s', (url) => {
    expect(errorsOf(url)).toEqual([]);
    expect(errorsOf([url])).toEqual([]);
    expect(errorsOf([{ url }])).toEqual([]);
  });

  it.each(['', 'rss.xml', 'ftp://cert.example.org/', 'https://u:p@cert.example.org/', 'https://cert.example.org/#top'])(
    'must not be "%s", which is reported where it is written',
    (url) => {
      const message = 'must be an absolute http or https URL without credentials and fragment';
      expect(errorsOf(url)).toEqual([`feed: ${message}`]);
      expect(errorsOf([ADDRESS, url])).toEqual([`feed[1]: ${message}`]);
      expect(errorsOf([ADDRESS, { url }])).toEqual([`feed[1].url: ${message}`]);
    },
  );

  it('is required beside a title', () => {
    expect(errorsOf([{ title: 'Advisories' }])).toEqual([
      'feed[0].url: is required: an absolute http or https URL without credentials and fragment',
    ]);
  });
});

it('refuses what is neither an address nor a list', () => {
  expect(errorsOf({ url: ADDRESS })).toEqual(['feed: must be the address of a feed, or a list of addresses']);
  expect(errorsOf(null)).toEqual(['feed: must be the address of a feed, or a list of addresses']);
  expect(errorsOf([[ADDRESS]])).toEqual(['feed[0]: must be the url alone, or a mapping of keys to values']);
});

it('suggests the nearest key of an item', () => {
  expect(errorsOf([{ url: ADDRESS, titel: 'Advisories' }])).toEqual([
    'feed[0].titel: unknown key; did you mean title?',
  ]);
});

it('accepts 1 to 500 feeds', () => {
  const feeds = Array.from({ length: 501 }, (_, index) => `${ADDRESS}${index}`);
  expect(errorsOf([])).toEqual(['feed: must be the address of a feed, or a list of addresses, with at least one']);
  expect(errorsOf(feeds.slice(0, 500))).toEqual([]);
  expect(errorsOf(feeds)).toEqual(['feed: must be a list of at most 500']);
});

it.each(['', ' ', 'a\nb', 'a\u0000'])('refuses the title %j', (title) => {
  expect(errorsOf([{ url: ADDRESS, title }])).toEqual([
    'feed[0].title: must be text with at least one visible character, without control characters',
  ]);
});
