import { parseDate } from '../../text/date.js';
import type { HeaderLookup } from './fetch.js';

/** Headers of a request that asks for something only if it has changed (RFC 9110, section 13.1). Names in lower case. */
export type ConditionalHeaders = Readonly<Record<string, string>>;

const CONDITIONAL_FIELDS = ['if-none-match', 'if-modified-since'] as const;

/** An entity tag, weak or strong. Anything else is not sent back: `*` would match whatever the source has, and a list any of it. */
const ENTITY_TAG = /^(?:W\/)?"[\x20\x21\x23-\x7e]{0,512}"$/i;

const PRINTABLE = /^[\x20-\x7e]{1,64}$/;

/** A source that changes twice within a second dates both alike (RFC 9110, section 8.8.2.2), so a date as new as its answer proves nothing, and one in the future neither. */
const MIN_DATE_AGE = 1_000;

/**
 * What asks a source whether a reply of its still holds: its own validator, the entity tag before the date, written as it came (a
 * server that marks what it compressed, `"…-gzip"`, knows its mark). Undefined where it gave none.
 */
export function createConditionalHeaders(reply: HeaderLookup, now: number): ConditionalHeaders | undefined {
  const tag = reply.header('etag')?.trim() ?? '';
  if (ENTITY_TAG.test(tag)) return { 'if-none-match': tag };
  const field = reply.header('last-modified')?.trim() ?? '';
  const changed = parseDate(field)?.epochMs;
  const answered = parseDate(reply.header('date') ?? '')?.epochMs ?? now;
  const tells = changed !== undefined && Math.min(answered, now) - changed >= MIN_DATE_AGE && PRINTABLE.test(field);
  return tells ? { 'if-modified-since': field } : undefined;
}

/** Whether a request with these headers may be answered with 304. */
export function hasConditionalHeaders(headers: Readonly<Record<string, string>>): boolean {
  return CONDITIONAL_FIELDS.some((name) => headers[name] !== undefined);
}
