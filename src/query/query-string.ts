import type { ParameterError } from '../model/query.js';
import { truncate } from './parameter-values.js';

export interface NameValuePair {
  readonly name: string;
  readonly value: string;
}

/** `+` reads as a space (decisions 2.16). Undefined where the bytes are not UTF-8. */
function decodeComponent(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '));
  } catch {
    return undefined;
  }
}

/** Without `?`. A parameter that cannot be decoded or is repeated is an error (decisions 2.17). */
export function parseQueryString(query: string): {
  readonly pairs: readonly NameValuePair[];
  readonly errors: readonly ParameterError[];
} {
  const pairs = new Map<string, NameValuePair>();
  const errors: ParameterError[] = [];
  for (const part of query.split('&')) {
    if (part === '') continue;
    const [name, value] = splitPair(part);
    if (name === undefined || value === undefined) {
      errors.push({
        parameter: truncate(name ?? part.replace(/=.*/s, '')),
        message: 'is not percent-encoded UTF-8 (RFC 3986)',
      });
    } else if (pairs.has(name)) {
      errors.push({ parameter: truncate(name), message: 'is repeated' });
    } else if (name !== CACHE_BUSTER) {
      pairs.set(name, { name, value });
    }
  }
  return { pairs: [...pairs.values()], errors };
}

/** Parameter of jQuery, which is ignored. */
const CACHE_BUSTER = '_';

function splitPair(part: string): [name: string | undefined, value: string | undefined] {
  const equals = part.indexOf('=');
  return equals < 0
    ? [decodeComponent(part), '']
    : [decodeComponent(part.slice(0, equals)), decodeComponent(part.slice(equals + 1))];
}
