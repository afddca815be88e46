import { parseHttpDate } from '../../text/date.js';

/** What a client says of the answer that it has (RFC 9110, section 13.1). */
export interface Preconditions {
  readonly ifMatch?: string | undefined;
  readonly ifUnmodifiedSince?: string | undefined;
  readonly ifNoneMatch?: string | undefined;
  readonly ifModifiedSince?: string | undefined;
}

/** What an answer can be told by. Times in milliseconds since 1970. */
export interface Validators {
  /** With its quotes. */
  readonly etag: string;
  readonly lastModified?: number | undefined;
  /** Since when the set is known to be as it is; absent for an answer that is not complete and fresh, which no date can stand for. */
  readonly unchangedSince?: number | undefined;
}

/** One member of If-None-Match: an entity tag, weak or strong. */
const ENTITY_TAG = /(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** A whole field of them: anything else matches nothing. Each comma can be read in one way only, so that a head full of them takes no time. */
const ENTITY_TAGS =
  /^[ \t,]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[ \t]*,[ \t,]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*[ \t,]*$/;

const SECOND_MS = 1_000;

/**
 * Whether the client has this answer already, so that a 304 will do (decisions.md, section 7; RFC 9110, section 13.2.2). If-None-Match
 * decides alone where it is present. `now` is in milliseconds since 1970.
 */
export function isNotModified(
  { ifNoneMatch, ifModifiedSince }: Preconditions,
  validators: Validators,
  now: number,
): boolean {
  if (ifNoneMatch !== undefined) return matchesWeakly(ifNoneMatch, validators.etag);
  const since = ifModifiedSince === undefined ? undefined : parseHttpDate(ifModifiedSince, now);
  return since !== undefined && since <= now && isUnmodifiedSinceDate(since, validators, now);
}

/**
 * Whether the client asks for another answer than this one, and gets a 412 (RFC 9110, sections 13.1.1, 13.1.4 and 13.2.2). If-Match
 * decides alone where it is present; by a date nothing can be told of an answer without one. `now` is in milliseconds since 1970.
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

/** By the weak comparison of RFC 9110, section 8.8.3.2: `W/` makes no difference. */
function matchesWeakly(field: string, etag: string): boolean {
  // What most clients send is what they were sent.
  return field === etag || field.trim() === '*' || parseEntityTags(field).some(([, opaque]) => opaque === etag);
}

/** By the strong comparison: nothing that is weak is equal to anything. */
function matchesStrongly(field: string, etag: string | undefined): boolean {
  return field.trim() === '*' || parseEntityTags(field).some(([tag]) => tag === etag);
}

/** Each member, and it without `W/`. */
function parseEntityTags(field: string): readonly RegExpExecArray[] {
  return ENTITY_TAGS.test(field) ? [...field.matchAll(ENTITY_TAG)] : [];
}

function truncateToSecond(at: number): number {
  return Math.floor(at / SECOND_MS) * SECOND_MS;
}

function isUnmodifiedSinceDate(since: number, { lastModified, unchangedSince }: Validators, now: number): boolean {
  if (lastModified === undefined || unchangedSince === undefined) return false;
  const modified = truncateToSecond(lastModified);
  // Within one second there may be a second change, which the date could not tell from the first.
  if (now - modified < SECOND_MS) return false;
  return since === modified || (since > modified && unchangedSince <= since);
}
