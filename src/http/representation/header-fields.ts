import type { OutgoingHttpHeader } from 'node:http';
import { formatImfFixdate } from '../../text/date.js';
import type { HeaderFields } from './validators.js';

/** The fields of a response as node:http takes them without looking each one up: name, value, name, value, … */
export type RawHeaders = OutgoingHttpHeader[];

/** The fields of all of these, one after another, with a Date of `now` (milliseconds since 1970). */
export function createRawHeaders(headers: readonly HeaderFields[], now: number): RawHeaders {
  return [...headers, { Date: formatImfFixdate(now) }].flatMap((some) => Object.entries(some).flat());
}

/** The same fields, with another value of one of them. */
export function withHeaderValue(head: RawHeaders, name: string, value: string): RawHeaders {
  const other = [...head];
  for (let at = 0; at < other.length; at += 2) if (other[at] === name) other[at + 1] = value;
  return other;
}
