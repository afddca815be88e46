import type { OutgoingHttpHeader } from 'node:http';
import { formatImfFixdate } from '../../text/date.js';
import type { HeaderFields } from './validators.js';

/** The form that node:http takes without looking each field up: name, value, name, value, … */
export type RawHeaders = OutgoingHttpHeader[];

/** With a Date of `now` (milliseconds since 1970). */
export function createRawHeaders(headers: readonly HeaderFields[], now: number): RawHeaders {
  return [...headers, { Date: formatImfFixdate(now) }].flatMap((fields) => Object.entries(fields).flat());
}

/** Replaces the value of a field that is present. */
export function withHeaderValue(headers: RawHeaders, name: string, value: string): RawHeaders {
  const copy = [...headers];
  for (let at = 0; at < copy.length; at += 2) if (copy[at] === name) copy[at + 1] = value;
  return copy;
}
