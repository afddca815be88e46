import { isAscii, isUtf8, transcode } from 'node:buffer';
import { SourceFailure } from './source-failure.js';

/** Accepted at the start of a body (decisions 6.14); `JSON.parse` rejects it. */
const BYTE_ORDER_MARK = Buffer.from('\ufeff');

/** Throws a `SourceFailure` (`body`) if the bytes are not JSON in UTF-8. */
export function parseJson(bytes: Buffer): unknown {
  const marked = bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK);
  try {
    return JSON.parse(decodeUtf8(marked ? bytes.subarray(BYTE_ORDER_MARK.length) : bytes));
  } catch (error) {
    throw new SourceFailure('body', `a body that is not JSON in UTF-8 (${bytes.length} bytes)`, { cause: error });
  }
}

/** Via UTF-16, in a third of the time of Node.js's UTF-8 decoder. Throws if the bytes are not UTF-8. */
function decodeUtf8(bytes: Buffer): string {
  if (isAscii(bytes)) return bytes.toString('latin1');
  if (!isUtf8(bytes)) throw new Error('not UTF-8');
  return transcode(bytes, 'utf8', 'utf16le').toString('utf16le');
}
