import { SourceFailure } from '../client/source-failure.js';

/** Bytes of JSON parsed on the main thread in one piece: less than about 20 ms, whatever the body contains. */
export const MAX_INLINE_BODY = 128 * 1024;

/** Lists and objects included: a hundred times what real records have. */
const MAX_VALUES_IN_RECORD = 20_000;

/** As many as one source may have (decisions 5.8). */
const MAX_RECORDS = 1_000_000;

/** `JSON.parse` uses 40 bytes per level outside the heap, which no limit of a worker thread covers. */
const MAX_DEPTH = 20_000;

/** Of YAML collections and XML elements, whose parsers are recursive. */
export const MAX_MARKUP_DEPTH = 100;

/**
 * Property names that are array indexes. V8 stores an object with them as one array with up to 27 places for each: a
 * name of five bytes can cost 400.
 */
const MAX_INDEX_NAMES = 20_000;

/** Unless the body's size allows more by `MIN_BYTES_PER_VALUE`. */
const MAX_VALUES_IN_BODY = 1_000_000;

/** Mean, with name and punctuation, in a large body. Known directories have 20. */
const MIN_BYTES_PER_VALUE = 8;

/** `least` in any case, or one per `bytes` bytes or characters if that is more. */
export interface ValueLimit {
  readonly least: number;
  readonly bytes: number;
}

const JSON_VALUES: ValueLimit = { least: MAX_VALUES_IN_BODY, bytes: MIN_BYTES_PER_VALUE };

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const SPACE = 0x20;
const ZERO = 0x30;
const NINE = 0x39;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Throws a `SourceFailure` (`size`) if a large body is nested deeper or has more values than any real one (decisions
 * 8.6). It bounds memory before parsing: `JSON.parse` makes up to 60 bytes of a value of two, and V8 ends the whole
 * process when it outgrows a worker thread's memory (decision record 0003).
 */
export function requireBoundedJson(body: Buffer): void {
  let values = 0;
  let depth = 0;
  let indexes = 0;
  let inText = false;
  let textFrom = 0;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (inText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) {
        inText = false;
        if (isArrayIndex(body, textFrom, at) && isPropertyName(body, at + 1)) indexes += 1;
      }
    } else if (byte === QUOTE) {
      inText = true;
      textFrom = at + 1;
    } else if (byte === COMMA) values += 1;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values += 1;
      depth += 1;
      if (depth > MAX_DEPTH) throw new SourceFailure('size', `lists and objects nested more than ${MAX_DEPTH} deep`);
    }
  }
  requireFewIndexNames(indexes);
  requireFewValues(values, body.length);
}

/** Throws a `SourceFailure` (`size`) for more names that are numbers than any real body has. */
export function requireFewIndexNames(count: number): void {
  if (count > MAX_INDEX_NAMES)
    throw new SourceFailure('size', `more than ${MAX_INDEX_NAMES} property names that are numbers`);
}

/** Throws a `SourceFailure` (`size`). `length` is in bytes or characters. */
export function requireFewValues(count: number, length: number, limit: ValueLimit = JSON_VALUES): void {
  const most = Math.max(limit.least, length / limit.bytes);
  if (count > most) throw new SourceFailure('size', `more than ${Math.floor(most)} values in one body`);
}

/** Literal or escaped, up to the ten digits of the largest array index. */
const INDEX_PATTERN = /^(?:\d|\\u003\d){1,10}$/i;

/** Of ten escaped digits. */
const MAX_INDEX_BYTES = 60;

export function isIndexName(name: string): boolean {
  return /^\d{1,10}$/.test(name);
}

function isArrayIndex(body: Buffer, from: number, to: number): boolean {
  const first = body[from] ?? 0;
  const mayBe = first === BACKSLASH || (first >= ZERO && first <= NINE);
  return mayBe && to - from <= MAX_INDEX_BYTES && INDEX_PATTERN.test(body.toString('latin1', from, to));
}

/** A colon follows. */
function isPropertyName(body: Buffer, end: number): boolean {
  let at = end;
  while ((body[at] ?? COLON) <= SPACE) at += 1;
  return body[at] === COLON;
}

/** Throws a `SourceFailure` (`size`) for too many records, or values in one (decision record 0008). */
export function requireBoundedRecords(records: readonly unknown[]): void {
  if (records.length > MAX_RECORDS) throw new SourceFailure('size', `a body of more than ${MAX_RECORDS} records`);
  if (records.some(hasTooManyValues))
    throw new SourceFailure('size', `more than ${MAX_VALUES_IN_RECORD} values in one record`);
}

function hasTooManyValues(record: unknown): boolean {
  const open: unknown[] = [record];
  let values = 0;
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one !== 'object' || one === null) continue;
    const inside: readonly unknown[] = Array.isArray(one) ? one : Object.values(one);
    values += Math.max(1, inside.length);
    if (values > MAX_VALUES_IN_RECORD) return true;
    for (const value of inside) if (typeof value === 'object') open.push(value);
  }
  return false;
}
