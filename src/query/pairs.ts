import type { ParameterError } from '../model/query.js';
import { shorten } from './values.js';

/** A parameter as it was sent, decoded. */
export interface Pair {
  readonly name: string;
  readonly value: string;
}

/** Percent-decoding; `+` reads as a space (decisions.md, section 2). Undefined where the bytes are not UTF-8. */
function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '));
  } catch {
    return undefined;
  }
}

/** Takes a raw query string (without `?`) apart. A parameter that cannot be decoded, or stands there twice, is an error. */
export function readPairs(query: string): {
  readonly pairs: readonly Pair[];
  readonly errors: readonly ParameterError[];
} {
  const pairs = new Map<string, Pair>();
  const errors: ParameterError[] = [];
  for (const part of query.split('&')) {
    if (part === '') continue;
    const [name, value] = splitPair(part);
    if (name === undefined || value === undefined) {
      errors.push({
        parameter: shorten(name ?? part.replace(/=.*/s, '')),
        message: 'is not percent-encoded UTF-8 (RFC 3986)',
      });
    } else if (pairs.has(name)) {
      errors.push({ parameter: shorten(name), message: 'is given more than once' });
    } else if (name !== CACHE_BUSTER) {
      pairs.set(name, { name, value });
    }
  }
  return { pairs: [...pairs.values()], errors };
}

/** jQuery's parameter against caches, ignored (decisions.md, section 2). */
const CACHE_BUSTER = '_';

function splitPair(part: string): [name: string | undefined, value: string | undefined] {
  const equals = part.indexOf('=');
  return equals < 0 ? [decode(part), ''] : [decode(part.slice(0, equals)), decode(part.slice(equals + 1))];
}
