import { parseJson } from '../client/parse-json.js';
import { MAX_INLINE_BODY, requireBoundedJson } from './body-limits.js';

/**
 * Parses a JSON body. Throws a `SourceFailure`: `body` if it is not JSON in UTF-8; `size` if it is large and has more
 * values than any real one (decisions 8.6).
 */
export function parseBoundedJson(body: Buffer): unknown {
  if (body.length > MAX_INLINE_BODY) requireBoundedJson(body);
  return parseJson(body);
}
