import { describe, expect, it } from 'vitest';
import type { SourceConfig } from '../../../src/config/config.js';
import { parseConfig } from '../../../src/config/parse-config.js';

function build(source: object, settings: object = {}): SourceConfig | undefined {
  const parsed = parseConfig(JSON.stringify({ ...settings, sources: { one: { number: 1, ...source } } }), {});
  if ('errors' in parsed) throw new Error(JSON.stringify(parsed.errors));
  return parsed.config.sources[0];
}

describe('a source of feeds', () => {
  it('has its feeds in the order of the file, in one form', () => {
    const ics = { url: 'https://cert.example.net/ics.xml?lang=en', title: 'Industrial control systems' };
    expect(build({ feed: ['https://CERT.example.org', ics] })?.origin).toEqual({
      kind: 'feed',
      feeds: [{ url: 'https://cert.example.org/', title: undefined }, ics],
    });
    expect(build({ feed: 'https://cert.example.org/rss.xml' })?.origin).toEqual({
      kind: 'feed',
      feeds: [{ url: 'https://cert.example.org/rss.xml', title: undefined }],
    });
  });

  it('has news and channels, and is read as a whole whatever the defaults are', () => {
    const settings = { defaults: { 'drain-threshold': '10' } };
    expect(build({ feed: 'https://cert.example.org/' }, settings)).toMatchObject({
      resources: ['news', 'channels'],
      drainThreshold: 1_000_000,
      allKeysPublic: true,
    });
  });
});
