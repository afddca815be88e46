import Negotiator from 'negotiator';
import type { Format } from '../../render/formats.js';

/** A format, and the one of its media types that the response has. */
export interface FormatChoice {
  readonly format: Format;
  readonly mediaType: string;
}

/**
 * Maximum length of a field that is read, in characters (decisions 2.4). Every range is compared with every type, and a
 * head may contain 64 KiB of ranges.
 */
const MAX_FIELD_LENGTH = 4 * 1024;

/**
 * Media types that identify a browser: every browser accepts them, and no program that reads the interfaces requests
 * them.
 */
const HTML_MEDIA_TYPES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

/** Parameters of media ranges other than `q` and `charset`: they do not distinguish formats. */
const OTHER_PARAMETER = /;(?!\s*(?:q|charset)\s*=)[^;,="]+=(?:"(?:[^"\\]|\\.)*"|[^;,"]*)/gi;

/**
 * Selects a format by the weights of an Accept field, with the media type that the field names. Without a field, and
 * for a browser's field, it is the first format. Returns undefined where no format is acceptable.
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

/** A format with its default media type (decisions 3.1). */
export function withDefaultMediaType(format: Format): FormatChoice {
  return { format, mediaType: format.mediaTypes[0] ?? '' };
}

/**
 * The content codings that an Accept-Encoding field accepts, by its weights; codings of equal weight are in the order
 * of `codings` (decisions 3.13).
 */
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

/** Cuts a field to its maximum length, after its last complete range. */
function truncateField(field: string): string {
  return field.length <= MAX_FIELD_LENGTH ? field : field.slice(0, MAX_FIELD_LENGTH).replace(/,[^,]*$/, '');
}

/** The media type that an Accept field prefers; the first one where it prefers none of them, or is empty. */
export function preferMediaType(accept: string, mediaTypes: readonly string[]): string | undefined {
  if (accept === '') return mediaTypes[0];
  return new Negotiator({ headers: { accept: truncateField(accept) } }).mediaType([...mediaTypes]) ?? mediaTypes[0];
}
