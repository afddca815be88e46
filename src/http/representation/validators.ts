import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { ContentCoding } from './content-coding.js';
import { isNotModified, isPreconditionFailed } from '../request/preconditions.js';
import type { Preconditions } from '../request/preconditions.js';

/** Besides the bytes of the response. Times in milliseconds since 1970. */
export interface ValidatorInput {
  /** State and reason of each source, which the entity tag covers. */
  readonly sourceStates: string;
  /** Also one whose second has not passed, which is not sent. Absent unless the answer is complete and fresh (decisions 7.7). */
  readonly lastModified?: number | undefined;
  readonly now: number;
}

export type HeaderFields = Readonly<Record<string, string | number>>;

/** The entity tag covers these (decisions 7.10). Link follows from them and the address of the request. */
const HASHED_HEADERS = ['X-Total-Count', 'Did-You-Mean'] as const;

/** RFC 9110, section 15.4.5; about sources and caches; and covered by the entity tag (decisions 7.11). */
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
 * Over the hash of the bytes, the media type, the covered header fields and the states of the sources. Two media types
 * of one format have equal bytes, hence the media type (RFC 9110, section 8.8.1).
 */
export function hashRepresentation(contentHash: Uint8Array, headers: HeaderFields, sourceStates: string): string {
  const hashedValues = ['Content-Type', ...HASHED_HEADERS].map((name) => `${headers[name] ?? ''}`);
  const hash = createHash('sha256')
    .update(JSON.stringify([...hashedValues, sourceStates]))
    .update(contentHash);
  return hash.digest('base64url').slice(0, 22);
}

/** Strong; each content coding has its own. */
export function formatEntityTag(hash: string, coding: ContentCoding): string {
  return coding === 'identity' ? `"${hash}"` : `"${hash}-${coding}"`;
}

/** Preconditions for a 304; undefined where the request has none. */
export function readCachePreconditions(request: IncomingMessage): Preconditions | undefined {
  const { 'if-none-match': ifNoneMatch, 'if-modified-since': since } = request.headers;
  if (ifNoneMatch === undefined && since === undefined) return undefined;
  return { ifNoneMatch, ifModifiedSince: since && readSingleField(request, 'if-modified-since') };
}

export function readAcceptEncoding({ headers }: IncomingMessage): string | undefined {
  return [headers['accept-encoding'] ?? []].flat().join() || undefined;
}

/** The client gets a 304. `now` is in milliseconds since 1970. */
export function isUnmodifiedForClient(
  conditions: Preconditions | undefined,
  etag: string,
  validatorInput: ValidatorInput,
  now = validatorInput.now,
): boolean {
  if (conditions === undefined) return false;
  return isNotModified(conditions, { ...validatorInput, etag }, now);
}

/** The client gets a 412 (decisions 7.12). Without `validatorInput` the response has no validators. */
export function hasFailedPrecondition(
  request: IncomingMessage,
  etag: string | undefined,
  validatorInput: ValidatorInput | undefined,
): boolean {
  const { 'if-match': ifMatch, 'if-unmodified-since': ifUnmodifiedSince } = request.headers;
  if (ifMatch === undefined && ifUnmodifiedSince === undefined) return false;
  const validators = { ...(etag !== undefined && { etag }), lastModified: validatorInput?.lastModified };
  const since = readSingleField(request, 'if-unmodified-since');
  return isPreconditionFailed({ ifMatch, ifUnmodifiedSince: since }, validators, validatorInput?.now ?? 0);
}

/** A date field that is sent twice counts as absent (RFC 9110, section 13.1.3). node:http would keep the first one. */
function readSingleField(request: IncomingMessage, name: string): string | undefined {
  if (request.headers[name] === undefined) return undefined;
  const [first, ...others] = request.headersDistinct[name] ?? [];
  return others.length === 0 ? first : undefined;
}

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

/** `headers` are those of the response that the 304 replaces. */
export function createNotModifiedHeaders(headers: HeaderFields, etag: string): HeaderFields {
  const fields = NOT_MODIFIED_HEADERS.flatMap((name) =>
    headers[name] === undefined ? [] : [[name, headers[name]] as const],
  );
  return { ETag: etag, ...Object.fromEntries(fields) };
}
