import { parseDate } from '../../text/date.js';
import type { HeaderLookup } from './http-client-types.js';

/** RFC 9110, section 13.1; names in lower case. */
export type ConditionalHeaders = Readonly<Record<string, string>>;

const CONDITIONAL_FIELDS = ['if-none-match', 'if-modified-since'] as const;

/**
 * An entity tag of at most 512 characters. No other value is sent back (decisions 7.4): `*` would match any
 * representation, a list any of its members.
 */
const ENTITY_TAG = /^(?:W\/)?"[\x20\x21\x23-\x7e]{0,512}"$/i;

const PRINTABLE = /^[\x20-\x7e]{1,64}$/;

/**
 * Milliseconds. A source that changes twice within a second sends the same date for both states (RFC 9110, section
 * 8.8.2.2), so a date as new as its response, or in the future, proves nothing.
 */
const MIN_DATE_AGE = 1_000;

/**
 * From the entity tag, else Last-Modified; undefined without a usable one. Sent as received, because a server
 * recognises its mark for compressed content (`"…-gzip"`). `now` is in milliseconds since 1970.
 */
export function createConditionalHeaders(reply: HeaderLookup, now: number): ConditionalHeaders | undefined {
  const tag = reply.header('etag')?.trim() ?? '';
  if (ENTITY_TAG.test(tag)) return { 'if-none-match': tag };
  const field = reply.header('last-modified')?.trim() ?? '';
  const changed = parseDate(field)?.epochMs;
  const sentAt = parseDate(reply.header('date') ?? '')?.epochMs ?? now;
  const isUsable = changed !== undefined && Math.min(sentAt, now) - changed >= MIN_DATE_AGE && PRINTABLE.test(field);
  return isUsable ? { 'if-modified-since': field } : undefined;
}

/** Whether 304 is a valid response. Names in lower case. */
export function hasConditionalHeaders(headers: Readonly<Record<string, string>>): boolean {
  return CONDITIONAL_FIELDS.some((name) => headers[name] !== undefined);
}
