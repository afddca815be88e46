import { isAscii, isUtf8, transcode } from 'node:buffer';
import { inOneTurn, inTurns } from '../model/slices.js';
import { SourceFailure } from './failure.js';
import { ListScan } from './list-scan.js';
import type { List, Span } from './list-scan.js';

/** Bytes of a body that is parsed at once: whatever is in it, that takes less than some 15 ms. */
export const AT_ONCE = 128 * 1024;

/** Bytes that are scanned in one go: about a millisecond. */
const SCANNED = 512 * 1024;

/** A byte order mark in UTF-8. It may stand before a whole text, and within it is no JSON. */
const MARK = Buffer.from('\ufeff');

/**
 * Parses JSON in UTF-8. A large body is parsed item by item of its list, in slices, so that no source's body, however made, keeps
 * other requests waiting. Throws a `SourceFailure` where it is no JSON, or holds more values in one item than any record has.
 */
export async function parseJson(bytes: Buffer): Promise<unknown> {
  if (bytes.length <= AT_ONCE) return inOneTurn(() => parse(bytes, bytes));
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

/** Decoding and parsing are steps of their own, for a part may be one text of megabytes. */
async function itemsOf(bytes: Buffer, { parts }: List): Promise<readonly unknown[]> {
  const items: unknown[] = [];
  let text = '';
  const steps = parts.flatMap((span) => [
    () => {
      text = textOf(bytes.subarray(span.from, span.to), bytes);
    },
    () => {
      for (const item of partOf(text, span, { alone: parts.length === 1, whole: bytes })) items.push(item);
    },
  ]);
  await inTurns(steps, (step) => {
    step();
  });
  return items;
}

/** Where there is nothing between two commas, parsing it alone sees no fault: so items are counted. */
function partOf(text: string, span: Span, { alone, whole }: { alone: boolean; whole: Buffer }): readonly unknown[] {
  const items = jsonOf(`[${text}]`, whole);
  const complete = Array.isArray(items) && (items.length === span.items || (items.length === 0 && alone));
  if (!complete) throw noJson(whole);
  return items;
}

function parse(part: Buffer, whole: Buffer): unknown {
  const marked = part.subarray(0, MARK.length).equals(MARK);
  return jsonOf(textOf(marked ? part.subarray(MARK.length) : part, whole), whole);
}

/** By way of UTF-16, which takes a third of the time of Node's decoder of UTF-8. */
function textOf(part: Buffer, whole: Buffer): string {
  if (isAscii(part)) return part.toString('latin1');
  if (!isUtf8(part)) throw noJson(whole);
  return transcode(part, 'utf8', 'utf16le').toString('utf16le');
}

function jsonOf(text: string, whole: Buffer): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw noJson(whole, error);
  }
}

function noJson({ length }: Buffer, cause?: unknown): SourceFailure {
  return new SourceFailure('body', `a body that is not JSON in UTF-8 (${length} bytes)`, { cause });
}
