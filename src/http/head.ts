import type { OutgoingHttpHeader } from 'node:http';
import { imfFixdate } from '../text/date.js';
import type { Headers } from './validators.js';

/** The fields of a response as node:http takes them without looking each one up: name, value, name, value, … */
export type Head = OutgoingHttpHeader[];

/** The fields of all of these, one after another, with a Date of `now` (milliseconds since 1970). */
export function headOf(headers: readonly Headers[], now: number): Head {
  return [...headers, { Date: imfFixdate(now) }].flatMap((some) => Object.entries(some).flat());
}

/** The same fields, with another value of one of them. */
export function withField(head: Head, name: string, value: string): Head {
  const other = [...head];
  for (let at = 0; at < other.length; at += 2) if (other[at] === name) other[at + 1] = value;
  return other;
}
