import { SourceFailure } from '../client/source-failure.js';

/**
 * Maximum bytes of a JSON body that is parsed on the main thread in one piece. That takes less than about 20 ms,
 * whatever the body contains.
 */
export const MAX_INLINE_BODY = 128 * 1024;

/** Maximum number of values in one record, including lists and objects: a hundred times what real records have. */
const MAX_VALUES_IN_RECORD = 20_000;

/** Maximum number of records in one body: as many as one source may have (decisions 5.8). */
const MAX_RECORDS = 1_000_000;

/**
 * Maximum depth of nested lists and objects. `JSON.parse` uses 40 bytes for each level outside the heap, which no limit
 * of a worker thread covers.
 */
const MAX_DEPTH = 20_000;

/** Maximum depth of nested collections of YAML and elements of XML, whose parsers are recursive. */
export const MAX_MARKUP_DEPTH = 100;

/**
 * Maximum number of property names in one body that are array indexes. V8 stores an object with such names as one array
 * with up to 27 places for each of them: a name that takes five bytes in the body can cost 400 bytes.
 */
const MAX_INDEX_NAMES = 20_000;

/** Maximum number of values in one body, unless its size allows more by `MIN_BYTES_PER_VALUE`. */
const MAX_VALUES_IN_BODY = 1_000_000;

/** Minimum mean size of a value in a large body, in bytes, with its name and punctuation. Known directories have 20. */
const MIN_BYTES_PER_VALUE = 8;

/** How many values a body may have: `least` in any case, or one for each `bytes` bytes or characters if that is more. */
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
 * Throws a `SourceFailure` (`size`) if an unparsed large body is nested deeper or has more values than any real one
 * (decisions 8.6). `JSON.parse` makes up to 60 bytes of a value of two bytes, and V8 ends the whole process when it
 * outgrows the memory of a worker thread. The memory must therefore be bounded before parsing (decision record 0003).
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

/** Throws a `SourceFailure` (`size`) if a body has more property names that are numbers than any real one. */
export function requireFewIndexNames(count: number): void {
  if (count > MAX_INDEX_NAMES)
    throw new SourceFailure('size', `more than ${MAX_INDEX_NAMES} property names that are numbers`);
}

/** Throws a `SourceFailure` (`size`) if a body of a length in bytes or characters has more values than a limit. */
export function requireFewValues(count: number, length: number, limit: ValueLimit = JSON_VALUES): void {
  const most = Math.max(limit.least, length / limit.bytes);
  if (count > most) throw new SourceFailure('size', `more than ${Math.floor(most)} values in one body`);
}

/** Digits, literal or escaped, up to the ten of the largest array index. */
const INDEX_PATTERN = /^(?:\d|\\u003\d){1,10}$/i;

/** Length of ten escaped digits, in bytes. */
const MAX_INDEX_BYTES = 60;

/** Whether a property name is an array index. */
export function isIndexName(name: string): boolean {
  return /^\d{1,10}$/.test(name);
}

/** Whether the text between two positions of the body is an array index. */
function isArrayIndex(body: Buffer, from: number, to: number): boolean {
  const first = body[from] ?? 0;
  const mayBe = first === BACKSLASH || (first >= ZERO && first <= NINE);
  return mayBe && to - from <= MAX_INDEX_BYTES && INDEX_PATTERN.test(body.toString('latin1', from, to));
}

/** Whether the text that ends at this position is a property name: a colon follows. */
function isPropertyName(body: Buffer, end: number): boolean {
  let at = end;
  while ((body[at] ?? COLON) <= SPACE) at += 1;
  return body[at] === COLON;
}

/**
 * Throws a `SourceFailure` (`size`) if a large body has too many records, or a record with too many values (decisions
 * 8.6; decision record 0008).
 */
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
