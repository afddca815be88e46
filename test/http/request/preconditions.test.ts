import { describe, expect, it } from 'vitest';
import { isNotModified, isPreconditionFailed } from '../../../src/http/request/preconditions.js';
import type { Validators } from '../../../src/http/request/preconditions.js';

const MODIFIED = Date.UTC(2026, 0, 10, 12);
const NOW = Date.UTC(2026, 1, 1);
const known: Validators = { etag: '"a"', lastModified: MODIFIED };
const http = (at: number): string => new Date(at).toUTCString();

describe('If-None-Match', () => {
  it.each(['"a"', 'W/"a"', ' "b" , "a"', '"b",W/"a",', '*', ' * ', ',"a"', '"b", ,"a"'])('matches %s', (field) => {
    expect(isNotModified({ ifNoneMatch: field }, known, NOW)).toBe(true);
  });

  it.each(['"b"', 'a', '', 'W/a', '"a', '"A"', 'w/"a"', '"b" "a"', '"a";q=1', '*, "b"', '"x\u0000"'])(
    'does not match %j',
    (field) => {
      expect(isNotModified({ ifNoneMatch: field }, known, NOW)).toBe(false);
    },
  );

  it('accepts commas and backslashes within an entity tag', () => {
    const validators = { ...known, etag: '"a,\\b"' };
    expect(isNotModified({ ifNoneMatch: '"x", "a,\\b"' }, validators, NOW)).toBe(true);
    expect(isNotModified({ ifNoneMatch: '"a", "\\b"' }, validators, NOW)).toBe(false);
  });

  it('takes precedence over If-Modified-Since', () => {
    expect(isNotModified({ ifNoneMatch: '"b"', ifModifiedSince: http(MODIFIED) }, known, NOW)).toBe(false);
    expect(isNotModified({ ifNoneMatch: '"a"', ifModifiedSince: 'yesterday' }, known, NOW)).toBe(true);
  });

  it('is parsed in linear time when it has many commas', () => {
    // An ambiguous pattern would backtrack over the commas for longer than the timeout of a test.
    const field = `"a"${','.repeat(200_000)}x`;
    expect(isNotModified({ ifNoneMatch: field }, known, NOW)).toBe(false);
  });

  it('applies to a response without Last-Modified', () => {
    expect(isNotModified({ ifNoneMatch: '"a"' }, { etag: '"a"' }, NOW)).toBe(true);
  });
});

describe('If-Modified-Since', () => {
  const since = (field: string, validators: Validators = known, now = NOW): boolean =>
    isNotModified({ ifModifiedSince: field }, validators, now);

  it.each([
    ['equals Last-Modified', http(MODIFIED), true],
    ['is a second earlier', http(MODIFIED - 1_000), false],
    ['is a second later', http(MODIFIED + 1_000), false],
    ['is now', http(NOW), false],
    ['has the obsolete form of RFC 850', 'Saturday, 10-Jan-26 12:00:00 GMT', true],
    ['has the obsolete form of asctime', 'Sat Jan 10 12:00:00 2026', true],
    ['is not an HTTP date', '2026-01-10T12:00:00Z', false],
    ['is not a date', 'yesterday', false],
    ['does not exist', 'Fri, 30 Feb 2026 12:00:00 GMT', false],
    ['is empty', '', false],
  ])('that %s: not modified is %s', (_title, field, expected) => {
    expect(since(field)).toBe(expected);
  });

  it('is compared in whole seconds, like Last-Modified', () => {
    expect(since(http(MODIFIED), { ...known, lastModified: MODIFIED + 999 })).toBe(true);
  });

  it('does not match a response without a date, or with one that is still to come', () => {
    expect(since(http(MODIFIED), { etag: '"a"' })).toBe(false);
    expect(since(http(NOW + 1_000), { etag: '"a"', lastModified: NOW + 1_000 })).toBe(false);
  });
});

describe('If-Match', () => {
  it.each(['"a"', '"b" , "a"', '*', ',"a",'])('matches %s', (field) => {
    expect(isPreconditionFailed({ ifMatch: field }, known, NOW)).toBe(false);
  });

  it.each(['"b"', 'W/"a"', 'a', '', '"b", W/"a"', '"a" "b"'])('fails for %j', (field) => {
    expect(isPreconditionFailed({ ifMatch: field }, known, NOW)).toBe(true);
  });

  it('fails for a response without an entity tag, except for *', () => {
    expect(isPreconditionFailed({ ifMatch: '"a"' }, {}, NOW)).toBe(true);
    expect(isPreconditionFailed({ ifMatch: '*' }, {}, NOW)).toBe(false);
  });

  it('takes precedence over If-Unmodified-Since', () => {
    expect(isPreconditionFailed({ ifMatch: '"a"', ifUnmodifiedSince: http(MODIFIED - 1_000) }, known, NOW)).toBe(false);
  });
});

describe('If-Unmodified-Since', () => {
  it.each([
    ['equals Last-Modified', http(MODIFIED), false],
    ['is later', http(MODIFIED + 1_000), false],
    ['is earlier', http(MODIFIED - 1_000), true],
    ['is not a date', 'yesterday', false],
  ])('that %s: failed is %s', (_title, field, expected) => {
    expect(isPreconditionFailed({ ifUnmodifiedSince: field }, { ...known, lastModified: MODIFIED + 999 }, NOW)).toBe(
      expected,
    );
  });

  it('does not fail for a response without a date', () => {
    expect(isPreconditionFailed({ ifUnmodifiedSince: http(0) }, { etag: '"a"' }, NOW)).toBe(false);
  });
});
