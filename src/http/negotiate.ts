import Negotiator from 'negotiator';
import type { Format } from '../render/formats.js';

/**
 * The format that an Accept field asks for, by its weights; without one, the preferred. A browser's Accept (it names `text/html`)
 * means the preferred one too (decisions.md, section 2). Undefined where none is acceptable.
 */
export function negotiate(accept: string | undefined, formats: readonly Format[]): Format | undefined {
  const negotiator = new Negotiator({ headers: { accept } });
  if (accept === undefined || accept === '' || negotiator.mediaTypes().includes('text/html')) return formats[0];
  // As they are written: a client that asks for the charset too asks for what it gets.
  const written = formats.map(({ mediaType }) => `${mediaType}; charset=utf-8`);
  const chosen = negotiator.mediaType(written);
  return formats.find((_, at) => written[at] === chosen);
}
