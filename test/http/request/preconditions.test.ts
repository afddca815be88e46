import { describe, expect, it } from 'vitest';
import { isNotModified, isPreconditionFailed } from '../../../src/http/request/preconditions.js';
import type { Validators } from '../../../src/http/request/preconditions.js';

const MODIFIED = Date.UTC(2026, 0, 10, 12);
const UNCHANGED_SINCE = Date.UTC(2026, 0, 20);
const NOW = Date.UTC(2026, 1, 1);
const known: Validators = { etag: '"a"', lastModified: MODIFIED, unchangedSince: UNCHANGED_SINCE };
const http = (at: number): string => new Date(at).toUTCString();

describe('If-None-Match', () => {
  it.each(['"a"', 'W/"a"', ' "b" , "a"', '"b",W/"a",', '*', ' * ', ',"a"', '"b", ,"a"'])('is met by %s', (field) => {
    expect(isNotModified({ ifNoneMatch: field }, known, NOW)).toBe(true);
  });

  it.each(['"b"', 'a', '', 'W/a', '"a', '"A"', 'w/"a"', '"b" "a"', '"a";q=1', '*, "b"', '"x\u0000"'])(
    'is not met by %j',
    (field) => {
      expect(isNotModified({ ifNoneMatch: field }, known, NOW)).toBe(false);
    },
  );

  it('may have a comma, or anything but quotes and spaces, within a tag', () => {
    const validators = { ...known, etag: '"a,\\b"' };
    expect(isNotModified({ ifNoneMatch: '"x", "a,\\b"' }, validators, NOW)).toBe(true);
    expect(isNotModified({ ifNoneMatch: '"a", "\\b"' }, validators, NOW)).toBe(false);
  });

  it('decides alone, whatever If-Modified-Since says', () => {
    expect(isNotModified({ ifNoneMatch: '"b"', ifModifiedSince: http(MODIFIED) }, known, NOW)).toBe(false);
    expect(isNotModified({ ifNoneMatch: '"a"', ifModifiedSince: 'yesterday' }, known, NOW)).toBe(true);
  });

  it('takes no time to read, however full of commas a head is', () => {
    // A pattern that can read a comma in two ways needs longer for it than any test has.
    const field = `"a"${','.repeat(200_000)}x`;
    expect(isNotModified({ ifNoneMatch: field }, known, NOW)).toBe(false);
  });

  it('counts for an answer that no date can stand for', () => {
    expect(isNotModified({ ifNoneMatch: '"a"' }, { etag: '"a"' }, NOW)).toBe(true);
  });
});

describe('If-Modified-Since', () => {
  const since = (field: string, validators: Validators = known, now = NOW): boolean =>
    isNotModified({ ifModifiedSince: field }, validators, now);

  it.each([
    ['equals Last-Modified', http(MODIFIED), true],
    ['is a second earlier', http(MODIFIED - 1_000), false],
    ['is later, before the set was first seen as it is', http(UNCHANGED_SINCE - 1_000), false],
    ['is when the set was first seen as it is', http(UNCHANGED_SINCE), true],
    ['is now', http(NOW), true],
    ['is in the future', http(NOW + 1_000), false],
    ['is the obsolete form of RFC 850', 'Saturday, 10-Jan-26 12:00:00 GMT', true],
    ['is the obsolete form of asctime', 'Sat Jan 10 12:00:00 2026', true],
    ['is no HTTP date', '2026-01-10T12:00:00Z', false],
    ['is no date at all', 'yesterday', false],
    ['does not exist', 'Fri, 30 Feb 2026 12:00:00 GMT', false],
    ['is empty', '', false],
  ])('that %s: %s', (_title, field, expected) => {
    expect(since(field)).toBe(expected);
  });

  it('is of whole seconds, as Last-Modified is written', () => {
    expect(since(http(MODIFIED), { ...known, lastModified: MODIFIED + 999 })).toBe(true);
  });

  it('tells nothing within the second of the last change', () => {
    expect(since(http(MODIFIED), { ...known, unchangedSince: MODIFIED }, MODIFIED + 999)).toBe(false);
    expect(since(http(MODIFIED), { ...known, unchangedSince: MODIFIED }, MODIFIED + 1_000)).toBe(true);
  });

  it('tells nothing of an answer that is not complete and fresh, or has no date', () => {
    expect(since(http(MODIFIED), { etag: '"a"', lastModified: MODIFIED })).toBe(false);
    expect(since(http(MODIFIED), { etag: '"a"', unchangedSince: UNCHANGED_SINCE })).toBe(false);
  });
});

describe('If-Match', () => {
  it.each(['"a"', '"b" , "a"', '*', ',"a",'])('is met by %s', (field) => {
    expect(isPreconditionFailed({ ifMatch: field }, known, NOW)).toBe(false);
  });

  it.each(['"b"', 'W/"a"', 'a', '', '"b", W/"a"', '"a" "b"'])('refuses where it is %j', (field) => {
    expect(isPreconditionFailed({ ifMatch: field }, known, NOW)).toBe(true);
  });

  it('refuses an answer that has no entity tag, unless any will do', () => {
    expect(isPreconditionFailed({ ifMatch: '"a"' }, {}, NOW)).toBe(true);
    expect(isPreconditionFailed({ ifMatch: '*' }, {}, NOW)).toBe(false);
  });

  it('decides alone, whatever If-Unmodified-Since says', () => {
    expect(isPreconditionFailed({ ifMatch: '"a"', ifUnmodifiedSince: http(MODIFIED - 1_000) }, known, NOW)).toBe(false);
  });
});

describe('If-Unmodified-Since', () => {
  it.each([
    ['equals Last-Modified', http(MODIFIED), false],
    ['is later', http(MODIFIED + 1_000), false],
    ['is earlier', http(MODIFIED - 1_000), true],
    ['is no date', 'yesterday', false],
  ])('that %s: refused %s', (_title, field, expected) => {
    expect(isPreconditionFailed({ ifUnmodifiedSince: field }, { ...known, lastModified: MODIFIED + 999 }, NOW)).toBe(
      expected,
    );
  });

  it('tells nothing of an answer without a date', () => {
    expect(isPreconditionFailed({ ifUnmodifiedSince: http(0) }, { etag: '"a"' }, NOW)).toBe(false);
  });
});
