import Negotiator from 'negotiator';
import type { Format } from '../../render/formats.js';

/** A format, and the one of its media types that is written. */
export interface FormatChoice {
  readonly format: Format;
  readonly mediaType: string;
}

/** Characters of a field that are read. Every range is compared with every type, and a head may hold 64 KiB of ranges. */
const MAX_FIELD_LENGTH = 4 * 1024;

/** Types that name a page: no program that reads the interfaces asks for them, and every browser does. */
const HTML_MEDIA_TYPES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

/** Parameters of media ranges that tell no format from another: all but weight and charset. */
const OTHER_PARAMETER = /;(?!\s*(?:q|charset)\s*=)[^;,="]+=(?:"(?:[^"\\]|\\.)*"|[^;,"]*)/gi;

/**
 * The format that an Accept field asks for, by its weights, in the media type by which it asks; without a field, the preferred one. A
 * browser's Accept (it names `text/html` or `application/xhtml+xml`) means the preferred one too (decisions.md, section 2). Undefined where
 * none is acceptable.
 */
export function negotiateFormat(accept: string | undefined, formats: readonly Format[]): FormatChoice | undefined {
  const [preferred] = formats;
  if (accept === undefined || accept === '') return preferred && withDefaultMediaType(preferred);
  const choices = formats.flatMap((format) =>
    format.mediaTypes.map((mediaType): FormatChoice => ({ format, mediaType })),
  );
  const negotiator = new Negotiator({ headers: { accept: truncateField(accept).replace(OTHER_PARAMETER, '') } });
  if (negotiator.mediaTypes().some((type) => HTML_MEDIA_TYPES.has(type.toLowerCase()))) return choices[0];
  // As they are written: a client that asks for the charset too asks for what it gets.
  const written = choices.map(({ mediaType }) => `${mediaType}; charset=utf-8`);
  const chosen = negotiator.mediaType(written);
  return choices.find((_, at) => written[at] === chosen);
}

/** A format in the media type that it is written in by default. */
export function withDefaultMediaType(format: Format): FormatChoice {
  return { format, mediaType: format.mediaTypes[0] ?? '' };
}

/** The codings that an Accept-Encoding field takes, by its weights, and where these are alike in the sequence of `codings`. */
export function negotiateCodings<Coding extends string>(field: string, codings: readonly Coding[]): readonly Coding[] {
  // RFC 9110, section 8.4.1.3: the old name means the same.
  const ranges = truncateField(field)
    .split(',')
    .map((range) =>
      range
        .trim()
        .toLowerCase()
        .replace(/^x-gzip\b/, 'gzip'),
    );
  // Between equal weights the library goes by the sequence of the field.
  const rank = (range: string): number => codings.findIndex((coding) => range.startsWith(coding)) >>> 0;
  const sorted = ranges.sort((a, b) => rank(a) - rank(b)).join();
  const accepted = new Negotiator({ headers: { 'accept-encoding': sorted } }).encodings(codings);
  return accepted.flatMap((name) => codings.filter((coding) => coding === name));
}

/** The ranges of the field that lie whole within its first part. */
function truncateField(field: string): string {
  return field.length <= MAX_FIELD_LENGTH ? field : field.slice(0, MAX_FIELD_LENGTH).replace(/,[^,]*$/, '');
}
