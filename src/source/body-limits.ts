import { SourceFailure } from './failure.js';

/** Values (lists and objects among them) in one record at most: a hundred times what a record has. */
const MOST_IN_RECORD = 20_000;

/** Records of one body at most: as many as one source may have. */
const MOST_RECORDS = 1_000_000;

/** Lists and objects within one another at most. For each `JSON.parse` holds 40 bytes outside the heap, which no limit of a thread counts. */
const DEEPEST = 20_000;

/** Values of one body at most, where that is more than one for each `BYTES_OF_VALUE`. */
const MOST_IN_BODY = 1_000_000;

/** Bytes that a value takes at least, with its name and all that is around it, as a mean over a large body: known directories have 20. */
const BYTES_OF_VALUE = 8;

const QUOTE = 0x22;
const COMMA = 0x2c;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Throws a `SourceFailure` (`size`) where a large body, still unparsed, is nested deeper or holds more values than any real one. `JSON.parse` makes up to 60
 * bytes of a value of two, and V8 ends the whole process where it outgrows the memory of a worker thread: what it may need has to be known before.
 */
export function requireFewValues(body: Uint8Array): void {
  const most = Math.max(MOST_IN_BODY, body.length / BYTES_OF_VALUE);
  let values = 0;
  let depth = 0;
  let inText = false;
  for (let at = 0; at < body.length; at += 1) {
    const byte = body[at];
    if (inText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) inText = false;
    } else if (byte === QUOTE) inText = true;
    else if (byte === COMMA) values += 1;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) depth -= 1;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
      values += 1;
      depth += 1;
      if (depth > DEEPEST) throw new SourceFailure('size', `more than ${DEEPEST} lists and objects within one another`);
    }
  }
  if (values > most) throw new SourceFailure('size', `more than ${Math.floor(most)} values in one body`);
}

/** Throws a `SourceFailure` (`size`) where a large body holds too many records, or a record too many values: a record is rendered in one piece. */
export function requireModestRecords(records: readonly unknown[]): void {
  if (records.length > MOST_RECORDS) throw new SourceFailure('size', `a body of more than ${MOST_RECORDS} records`);
  if (records.some(isOverfull)) throw new SourceFailure('size', `more than ${MOST_IN_RECORD} values in one record`);
}

function isOverfull(record: unknown): boolean {
  const open: unknown[] = [record];
  let values = 0;
  for (let one = open.pop(); one !== undefined; one = open.pop()) {
    if (typeof one !== 'object' || one === null) continue;
    const inside: readonly unknown[] = Array.isArray(one) ? one : Object.values(one);
    values += Math.max(1, inside.length);
    if (values > MOST_IN_RECORD) return true;
    for (const value of inside) if (typeof value === 'object') open.push(value);
  }
  return false;
}
