import { parseJson } from '../client/parse-json.js';
import { SourceFailure } from '../client/source-failure.js';
import { MAX_INLINE_BODY, requireBoundedJson } from './body-limits.js';

/** A list of lines (decisions 4.27). Throws as `parseBoundedJson` does, and (`body`) for a body without a line. */
export function parseNdjson(body: Buffer): readonly unknown[] {
  if (body.length > MAX_INLINE_BODY) requireBoundedJson(body);
  const lines = splitLines(body);
  // An empty body would be an empty list.
  if (lines.length === 0) throw new SourceFailure('body', 'NDJSON without a line');
  return lines.map((line) => parseJson(line));
}

const LINE_FEED = 0x0a;

function splitLines(body: Buffer): readonly Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0; start < body.length;) {
    const end = body.indexOf(LINE_FEED, start);
    const line = body.subarray(start, end < 0 ? body.length : end);
    if (line.some((byte) => byte > 0x20)) lines.push(line);
    start = end < 0 ? body.length : end + 1;
  }
  return lines;
}
