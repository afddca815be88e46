import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ContentCoding } from './content-coding.js';
import { isNotModified, isPreconditionFailed } from '../request/preconditions.js';
import type { Preconditions } from '../request/preconditions.js';

/** What is known of an answer that may be kept, beside its bytes. Times in milliseconds since 1970. */
export interface ValidatorInput {
  /** State and reason of each source: an answer that rests on others is another answer. */
  readonly sourceStates: string;
  readonly lastModified?: number | undefined;
  /** Since when the set is known to be as it is; absent unless it is complete and fresh. */
  readonly unchangedSince?: number | undefined;
  readonly now: number;
}

/** Header fields of an answer by name. */
export type HeaderFields = Readonly<Record<string, string | number>>;

/** Headers beside the bytes that tell two answers apart (decisions.md, section 7). Link tells nothing more: it is made of these and the request's address. */
const HASHED_HEADERS = ['X-Total-Count'] as const;

/** Headers that a 304 carries: what RFC 9110, section 15.4.5 asks, where the answer rests and how it was made, and what the entity tag covers. */
const NOT_MODIFIED_HEADERS = [
  'Cache-Control',
  'Vary',
  'Source-Status',
  'Cache-Status',
  'Via',
  'Preference-Applied',
  'Link',
  ...HASHED_HEADERS,
] as const;

/**
 * What tells an answer from others: a hash of the bytes, of their media type (RFC 9110, section 8.8.1: one file may be asked for by two
 * names of its format) and of what the headers say beside them.
 */
export function hashRepresentation(bytes: Uint8Array, headers: HeaderFields, states: string): string {
  const beside = ['Content-Type', ...HASHED_HEADERS].map((name) => `${headers[name] ?? ''}`);
  const hash = createHash('sha256')
    .update(JSON.stringify([...beside, states]))
    .update(bytes);
  return hash.digest('base64url').slice(0, 22);
}

/** A strong entity tag of the answer with this hash; each coding has its own. */
export function formatEntityTag(hash: string, coding: ContentCoding): string {
  return coding === 'identity' ? `"${hash}"` : `"${hash}-${coding}"`;
}

/** What a request says of an answer that its client has already; absent where it says nothing. */
export function readCachePreconditions(request: IncomingMessage): Preconditions | undefined {
  const { 'if-none-match': ifNoneMatch, 'if-modified-since': since } = request.headers;
  if (ifNoneMatch === undefined && since === undefined) return undefined;
  return { ifNoneMatch, ifModifiedSince: since && readSingleField(request, 'if-modified-since') };
}

/** The Accept-Encoding field of a request; undefined where it has none. */
export function readAcceptEncoding({ headers }: IncomingMessage): string | undefined {
  return [headers['accept-encoding'] ?? []].flat().join() || undefined;
}

/** Whether a client that says this has the answer already, now or at another moment (milliseconds since 1970). */
export function isUnmodifiedForClient(
  conditions: Preconditions | undefined,
  etag: string,
  validity: ValidatorInput,
  now = validity.now,
): boolean {
  if (conditions === undefined) return false;
  const { lastModified, unchangedSince } = validity;
  return isNotModified(conditions, { etag, lastModified, unchangedSince }, now);
}

/** Whether the client that asks wants another answer than this one, and gets a 412. Without validity nothing is known to tell it by. */
export function hasFailedPrecondition(
  request: IncomingMessage,
  etag: string | undefined,
  validity: ValidatorInput | undefined,
): boolean {
  const { 'if-match': ifMatch, 'if-unmodified-since': ifUnmodifiedSince } = request.headers;
  if (ifMatch === undefined && ifUnmodifiedSince === undefined) return false;
  const known = { ...(etag !== undefined && { etag }), lastModified: validity?.lastModified };
  const since = readSingleField(request, 'if-unmodified-since');
  return isPreconditionFailed({ ifMatch, ifUnmodifiedSince: since }, known, validity?.now ?? 0);
}

/** A date that is given twice counts as absent (RFC 9110, section 13.1.3), where Node takes the first. */
function readSingleField(request: IncomingMessage, name: string): string | undefined {
  if (request.headers[name] === undefined) return undefined;
  const [first, ...others] = request.headersDistinct[name] ?? [];
  return others.length === 0 ? first : undefined;
}

/** The headers that tell of an answer's bytes. */
export function createBodyHeaders({
  etag,
  coding,
  length,
}: {
  etag: string | undefined;
  coding: ContentCoding;
  length: number;
}): HeaderFields {
  return {
    'Content-Length': length,
    ...(etag !== undefined && { ETag: etag }),
    ...(coding !== 'identity' && { 'Content-Encoding': coding }),
  };
}

/** The headers of a 304 instead of an answer with these. */
export function createNotModifiedHeaders(headers: HeaderFields, etag: string): HeaderFields {
  const kept = NOT_MODIFIED_HEADERS.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, headers[name]] as const],
  );
  return { ETag: etag, ...Object.fromEntries(kept) };
}
