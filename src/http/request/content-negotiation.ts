import Negotiator from 'negotiator';
import type { Format } from '../../render/formats.js';

/** With the media type that the response has. */
export interface FormatChoice {
  readonly format: Format;
  readonly mediaType: string;
}

/** Decisions 2.4. Every range is compared with every type, and a head may contain 64 KiB of ranges. */
const MAX_FIELD_LENGTH = 4 * 1024;

/** Every browser accepts these, and no program that reads the interfaces requests them. */
const HTML_MEDIA_TYPES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

/** Other than `q` and `charset`: they do not distinguish formats. */
const OTHER_PARAMETER = /;(?!\s*(?:q|charset)\s*=)[^;,="]+=(?:"(?:[^"\\]|\\.)*"|[^;,"]*)/gi;

/**
 * By the weights of an Accept field, with the media type that it names. Without a field, and for a browser's field, the
 * first format. Undefined where no format is acceptable.
 */
export function negotiateFormat(accept: string | undefined, formats: readonly Format[]): FormatChoice | undefined {
  const [preferred] = formats;
  if (accept === undefined || accept === '') return preferred && withDefaultMediaType(preferred);
  const choices = formats.flatMap((format) =>
    format.mediaTypes.map((mediaType): FormatChoice => ({ format, mediaType })),
  );
  const negotiator = new Negotiator({ headers: { accept: truncateField(accept).replace(OTHER_PARAMETER, '') } });
  if (negotiator.mediaTypes().some((type) => HTML_MEDIA_TYPES.has(type.toLowerCase()))) return choices[0];
  // Types are compared as they are written, so that a range with `charset=utf-8` matches.
  const comparable = choices.map(({ mediaType }) => `${mediaType}; charset=utf-8`);
  const chosen = negotiator.mediaType(comparable);
  return choices.find((_, at) => comparable[at] === chosen);
}

/** Decisions 3.1. */
export function withDefaultMediaType(format: Format): FormatChoice {
  return { format, mediaType: format.mediaTypes[0] ?? '' };
}

/** By weight; codings of equal weight are in the order of `codings` (decisions 3.13). */
export function negotiateCodings<Coding extends string>(field: string, codings: readonly Coding[]): readonly Coding[] {
  // `x-gzip` is an alias of `gzip` (RFC 9110, section 8.4.1.3).
  const ranges = truncateField(field)
    .split(',')
    .map((range) =>
      range
        .trim()
        .toLowerCase()
        .replace(/^x-gzip\b/, 'gzip'),
    );
  // At equal weights the library keeps the order of the field.
  const rank = (range: string): number => codings.findIndex((coding) => range.startsWith(coding)) >>> 0;
  const sorted = ranges.sort((a, b) => rank(a) - rank(b)).join();
  const accepted = new Negotiator({ headers: { 'accept-encoding': sorted } }).encodings(codings);
  return accepted.flatMap((name) => codings.filter((coding) => coding === name));
}

/** After the last complete range. */
function truncateField(field: string): string {
  return field.length <= MAX_FIELD_LENGTH ? field : field.slice(0, MAX_FIELD_LENGTH).replace(/,[^,]*$/, '');
}

/** The first media type where an Accept field prefers none, or is empty. */
export function preferMediaType(accept: string, mediaTypes: readonly string[]): string | undefined {
  if (accept === '') return mediaTypes[0];
  return new Negotiator({ headers: { accept: truncateField(accept) } }).mediaType([...mediaTypes]) ?? mediaTypes[0];
}
