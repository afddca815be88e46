import type { Query } from '../../model/query.js';
import { jsonpMediaType } from '../../render/formats.js';
import type { ResponseFormat } from '../request/response-format.js';

/** The media type that an answer is written in, with its charset. */
export function formatContentType({ format, mediaType }: ResponseFormat, callback: string | undefined): string {
  const type = callback === undefined ? mediaType : jsonpMediaType;
  return format.isText ? `${type}; charset=utf-8` : type;
}

/**
 * One text for all requests for a list that get the same bytes, however their parameters are ordered and spelled; undefined where the bytes depend on
 * how they are (a workbook names its own address).
 */
export function createRepresentationKey(query: Query, asked: ResponseFormat): string | undefined {
  if (asked.format.name === 'xlsx') return undefined;
  const { canonicalKey: key, offset, limit, fields, envelope, pretty, callback } = query;
  const form = `fields=${fields?.join(',') ?? '*'}&envelope=${envelope}&pretty=${pretty}&callback=${callback ?? ''}`;
  return `${key}&offset=${offset}&limit=${limit}&${form} ${formatContentType(asked, callback)}`;
}

/** What a request for a list asks for. */
export interface RequestedRepresentation {
  readonly key: string;
  /** The Link field of its answer, where so many records match. */
  readonly createLinkField: (total: number) => string | undefined;
}
