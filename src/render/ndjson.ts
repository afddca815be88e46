import { RESERVED_CODE } from '../model/resource.js';
import { renderJsonLines } from './json.js';
import type { RenderInput } from './render-input.js';

/** In the last line of an incomplete list (decisions 3.15). No record has it. */
const NDJSON_SOURCES_PROPERTY = `-${RESERVED_CODE}-sources`;

/**
 * One compact JSON object per line. A last line of an incomplete list names the sources that are missing or stale; a
 * complete list consists of records only.
 */
export function* renderNdjson({
  table: { rows },
  facts: { incompleteSources },
}: Pick<RenderInput, 'table' | 'facts'>): Generator<string, void, undefined> {
  yield* escapeLineEnds(renderJsonLines(rows));
  if (incompleteSources.length > 0)
    yield* escapeLineEnds(renderJsonLines([new Map([[NDJSON_SOURCES_PROPERTY, incompleteSources]])]));
}

/** JSON allows these unescaped in its texts, and many readers split lines at them. */
const UNICODE_LINE_END = /[\u0085\u2028\u2029]/g;

function* escapeLineEnds(pieces: Iterable<string>): Generator<string, void, undefined> {
  for (const piece of pieces) yield piece.replace(UNICODE_LINE_END, escapeCodeUnit);
}

function escapeCodeUnit(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
