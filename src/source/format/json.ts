import { parseJson } from '../client/parse-json.js';
import { MAX_INLINE_BODY, requireBoundedJson } from './body-limits.js';

/** Throws a `SourceFailure`: `body` without JSON in UTF-8; `size` for far too many values (decisions 8.6). */
export function parseBoundedJson(body: Buffer): unknown {
  if (body.length > MAX_INLINE_BODY) requireBoundedJson(body);
  return parseJson(body);
}
