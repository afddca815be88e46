import type { OutgoingHttpHeader } from 'node:http';
import { formatImfFixdate } from '../../text/date.js';
import type { HeaderFields } from './validators.js';

/** Header fields in the form that node:http takes without looking each one up: name, value, name, value, … */
export type RawHeaders = OutgoingHttpHeader[];

/** Concatenates header fields, with a Date of `now` (milliseconds since 1970). */
export function createRawHeaders(headers: readonly HeaderFields[], now: number): RawHeaders {
  return [...headers, { Date: formatImfFixdate(now) }].flatMap((some) => Object.entries(some).flat());
}

/** The same header fields, with another value of one that is present. */
export function withHeaderValue(head: RawHeaders, name: string, value: string): RawHeaders {
  const other = [...head];
  for (let at = 0; at < other.length; at += 2) if (other[at] === name) other[at + 1] = value;
  return other;
}
