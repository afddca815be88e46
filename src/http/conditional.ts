import { readHttpDate } from '../text/date.js';

/** What a client says of the answer that it has (RFC 9110, section 13.1). */
export interface Conditions {
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

/** A whole field of them: anything else matches nothing. */
const ENTITY_TAGS =
  /^[\s,]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[\s,]*,[\s,]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*[\s,]*$/;

const SECOND = 1_000;

/**
 * Whether the client has this answer already, so that a 304 will do (decisions.md, section 7; RFC 9110, section 13.2.2). If-None-Match
 * decides alone where it is present. `now` is in milliseconds since 1970.
 */
export function isNotModified(
  { ifNoneMatch, ifModifiedSince }: Conditions,
  validators: Validators,
  now: number,
): boolean {
  if (ifNoneMatch !== undefined) return matchesAny(ifNoneMatch, validators.etag);
  const since = ifModifiedSince === undefined ? undefined : readHttpDate(ifModifiedSince);
  return since !== undefined && since <= now && isUnmodifiedSince(since, validators, now);
}

/** By the weak comparison of RFC 9110, section 8.8.3.2: `W/` makes no difference. */
function matchesAny(field: string, etag: string): boolean {
  if (field.trim() === '*') return true;
  if (!ENTITY_TAGS.test(field)) return false;
  return [...field.matchAll(ENTITY_TAG)].some(([, tag]) => tag === etag);
}

function isUnmodifiedSince(since: number, { lastModified, unchangedSince }: Validators, now: number): boolean {
  if (lastModified === undefined || unchangedSince === undefined) return false;
  const modified = Math.floor(lastModified / SECOND) * SECOND;
  // Within one second there may be a second change, which the date could not tell from the first.
  if (now - modified < SECOND) return false;
  return since === modified || (since > modified && unchangedSince <= since);
}
