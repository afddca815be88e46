import { describe, expect, it } from 'vitest';
import { AddressResolver } from '../../../../src/source/format/feed/address-resolver.js';
import { readFeedValues } from '../../../../src/source/format/feed/feed-values.js';
import type { Feed, FeedItem } from '../../../../src/source/format/feed/feed.js';
import type { StatedFeed, StatedItem } from '../../../../src/source/format/feed/stated-feed.js';
import { FindingCounter } from '../../../../src/source/record/findings.js';

const addresses = (): AddressResolver => new AddressResolver(new URL('https://example.org/a/'), 0);
const readChannel = (stated: Omit<StatedFeed, 'items'>, findings = new FindingCounter()): Feed =>
  readFeedValues({ ...stated, items: [] }, addresses(), findings);
const readItem = (item: StatedItem, findings = new FindingCounter()): FeedItem | undefined =>
  readFeedValues({ items: [item] }, addresses(), findings).items[0];

describe('a link', () => {
  it.each([
    ['b?c', 'https://example.org/a/b?c'],
    ['//example.net', 'https://example.net/'],
    [' HTTPS://Example.org/\nx ', 'https://example.org/x'],
  ])('%j is %j', (link, url) => {
    expect(readItem({ link })).toEqual({ link: url });
  });

  it.each([
    ['javascript:alert(1)', 'unsafe-url link'],
    ['data:text/html,x', 'unsafe-url link'],
    ['ftp://example.org/', 'not-a-url link'],
    ['https://', 'not-a-url link'],
    [`/${'x'.repeat(70_000)}`, 'not-a-url link'],
  ])('%.30j is left out and counted as %s', (link, key) => {
    const findings = new FindingCounter();
    expect(readItem({ link }, findings)).toEqual({});
    expect([...findings.findings]).toEqual([[key, 1]]);
  });

  it('that is missing is the identifier if that is a URL of the web', () => {
    expect(readItem({ permalink: 'https://example.org/x' })).toEqual({ link: 'https://example.org/x' });
    expect(readItem({ permalink: 'nordhavn-1' })).toEqual({});
    expect(readItem({ permalink: 'urn:x:1' })).toEqual({});
  });
});

describe('a summary', () => {
  const words = 'word '.repeat(200).trim();

  it('that is stated is not cut', () => {
    expect(readItem({ summary: { value: words, kind: 'text' } })?.summary).toBe(words);
  });

  it('that is missing is the beginning of the content, cut at a word', () => {
    const item = readItem({ content: { value: `<p>${words}</p>`, kind: 'html' } });
    expect(item?.summary).toBe(`${'word '.repeat(100).trim()}…`);
    expect(readItem({ content: { value: 'x'.repeat(600), kind: 'text' } })?.summary).toBe(`${'x'.repeat(500)}…`);
    expect(readItem({ content: { value: `${'x'.repeat(498)} yyy`, kind: 'text' } })?.summary).toBe(
      `${'x'.repeat(498)}…`,
    );
    expect(readItem({ content: { value: 'short', kind: 'text' } })?.summary).toBe('short');
  });
});

describe('the content', () => {
  it('is a summary that has markup where there is no other', () => {
    expect(readItem({ summary: { value: '<b>a</b>', kind: 'either' } })?.content).toBe('<b>a</b>');
    expect(readItem({ summary: { value: 'a < b', kind: 'either' } })?.content).toBeUndefined();
    expect(readItem({ summary: { value: '<b>a</b>', kind: 'text' } })?.content).toBeUndefined();
  });
});

const DAY = 86_400_000;

describe('the lifetime', () => {
  it.each([
    [{ ttl: 60 }, DAY / 24],
    [{ updatePeriod: 'hourly' }, DAY / 24],
    [{ updatePeriod: 'Daily', updateFrequency: 4 }, DAY / 4],
    [{ updatePeriod: 'weekly' }, 7 * DAY],
    [{ updatePeriod: 'monthly' }, 30 * DAY],
    [{ updatePeriod: 'yearly' }, 365 * DAY],
    [{ ttl: 30, updatePeriod: 'hourly' }, DAY / 48],
    [{ ttl: 90, updatePeriod: 'hourly' }, DAY / 24],
    [{ ttl: -1, updatePeriod: 'hourly' }, DAY / 24],
    [{ ttl: 0 }, undefined],
    [{ ttl: Infinity }, undefined],
    [{ ttl: 600_000 }, undefined],
    [{ updatePeriod: 'hourly', updateFrequency: 0.5 }, undefined],
    [{ updatePeriod: 'constructor' }, undefined],
    [{ updateFrequency: 2 }, undefined],
  ])('of %j is %j', (stated, lifetime) => {
    expect(readChannel(stated).lifetime).toBe(lifetime);
  });
});
