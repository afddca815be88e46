import { parseHttpDate } from '../../text/date.js';

/** Values of the fields (RFC 9110, section 13.1). */
export interface Preconditions {
  readonly ifMatch?: string | undefined;
  readonly ifUnmodifiedSince?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly ifModifiedSince?: string | undefined;
}

/** Times in milliseconds since 1970. */
export interface Validators {
  /** With its quotes. */
  readonly etag: string;
  /** It identifies the answer. Absent where that is not complete and fresh. */
  readonly lastModified?: number | undefined;
}

/** Weak or strong; the group is the tag without `W/`. */
const ENTITY_TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** Each comma matches in one way only, so that a field full of commas cannot cause backtracking. */
const ENTITY_TAGS =
  /^[ \t,]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[ \t]*,[ \t,]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*[ \t,]*$/;

const SECOND_MS = 1_000;

/**
 * The client gets a 304 (decisions 7.11; RFC 9110, section 13.2.2). If-None-Match decides alone where it is present.
 * `now` is in milliseconds since 1970.
 */
export function isNotModified(
  { ifNoneMatch, ifModifiedSince }: Preconditions,
  validators: Validators,
  now: number,
): boolean {
  if (ifNoneMatch !== undefined) return matchesWeakly(ifNoneMatch, validators.etag);
  const since = ifModifiedSince === undefined ? undefined : parseHttpDate(ifModifiedSince, now);
  const { lastModified } = validators;
  return since !== undefined && since <= now && lastModified !== undefined && since === truncateToSecond(lastModified);
}

/**
 * The client gets a 412 (decisions 7.12; RFC 9110, sections 13.1.1, 13.1.4 and 13.2.2). If-Match decides alone where it
 * is present. A response without a date ignores If-Unmodified-Since. `now` is in milliseconds since 1970.
 */
export function isPreconditionFailed(
  { ifMatch, ifUnmodifiedSince }: Preconditions,
  { etag, lastModified }: Partial<Validators>,
  now: number,
): boolean {
  if (ifMatch !== undefined) return !matchesStrongly(ifMatch, etag);
  const since = ifUnmodifiedSince === undefined ? undefined : parseHttpDate(ifUnmodifiedSince, now);
  return since !== undefined && lastModified !== undefined && truncateToSecond(lastModified) > since;
}

/** `W/` makes no difference (RFC 9110, section 8.8.3.2). */
function matchesWeakly(field: string, etag: string): boolean {
  // Most clients return the tag exactly as it was sent.
  return field === etag || field.trim() === '*' || parseEntityTags(field).some(([, opaque]) => opaque === etag);
}

/** A weak tag equals no other tag (RFC 9110, section 8.8.3.2). */
function matchesStrongly(field: string, etag: string | undefined): boolean {
  return field.trim() === '*' || parseEntityTags(field).some(([tag]) => tag === etag);
}

/** Each tag is followed by the same tag without `W/`. */
function parseEntityTags(field: string): readonly RegExpExecArray[] {
  return ENTITY_TAGS.test(field) ? [...field.matchAll(ENTITY_TAG)] : [];
}

function truncateToSecond(at: number): number {
  return Math.floor(at / SECOND_MS) * SECOND_MS;
}
