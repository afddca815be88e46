import { inTurns } from '../model/slices.js';
import { SourceFailure } from './failure.js';
import { ListScan } from './list-scan.js';
import type { List, Span } from './list-scan.js';

/** Bytes of a body that is parsed at once: whatever is in it, that takes less than some 15 ms. */
const AT_ONCE = 128 * 1024;

/** Bytes that are scanned in one go: about a millisecond. */
const SCANNED = 512 * 1024;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses JSON in UTF-8. A large body is parsed item by item of its list, in slices, so that no source's body, however made, keeps
 * other requests waiting. Throws a `SourceFailure` where it is no JSON, or holds more values in one item than any record has.
 */
export async function parseJson(bytes: Buffer): Promise<unknown> {
  if (bytes.length <= AT_ONCE) return parse(bytes, bytes);
  const scan = new ListScan(bytes);
  await inTurns(Array.from({ length: Math.ceil(bytes.length / SCANNED) }), () => {
    scan.advance(SCANNED);
  });
  const { list, closes } = scan;
  if (!closes) throw noJson(bytes);
  if (list === undefined) return parse(bytes, bytes);
  const items = await itemsOf(bytes, list);
  // What is left without the items is small, for it holds no more values than one item may.
  const rest = Buffer.concat([bytes.subarray(0, list.from), bytes.subarray(list.to)]);
  const json = parse(rest, bytes);
  return typeof json !== 'object' || Array.isArray(json) ? items : { ...json, data: items };
}

async function itemsOf(bytes: Buffer, { parts }: List): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  await inTurns(parts, (span) => {
    const part = partOf(bytes, span);
    // Where there is nothing between two commas, parsing it alone has seen no fault.
    if (part.length !== span.items && !(part.length === 0 && parts.length === 1)) throw noJson(bytes);
    for (const item of part) items.push(item);
  });
  return items;
}

function partOf(bytes: Buffer, { from, to }: Span): readonly unknown[] {
  const items = parse(Buffer.concat([OPEN, bytes.subarray(from, to), CLOSE]), bytes);
  return Array.isArray(items) ? items : [];
}

const OPEN = Buffer.from('[');
const CLOSE = Buffer.from(']');

function parse(part: Buffer, whole: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(part));
  } catch (error) {
    throw noJson(whole, error);
  }
}

function noJson({ length }: Buffer, cause?: unknown): SourceFailure {
  return new SourceFailure('body', `a body that is not JSON in UTF-8 (${length} bytes)`, { cause });
}
