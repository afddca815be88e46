import type { Query } from '../../model/query.js';
import { jsonpMediaType } from '../../render/formats.js';
import type { ResponseFormat } from '../request/response-format.js';

/** Decisions 3.1. */
export function formatContentType({ format, mediaType }: ResponseFormat, callback: string | undefined): string {
  const type = callback === undefined ? mediaType : jsonpMediaType;
  return format.isText ? `${type}; charset=utf-8` : type;
}

/**
 * Equal for all list requests that get the same bytes, whatever the order and spelling of their parameters. Undefined
 * where the bytes contain the address of the request, and at members access, where no response is shared.
 */
export function createRepresentationKey(query: Query, responseFormat: ResponseFormat): string | undefined {
  if (responseFormat.format.containsAddress === true || query.access !== 'public') return undefined;
  const { canonicalKey: key, offset, limit, fields, envelope, pretty, callback } = query;
  const form = `fields=${fields?.join(',') ?? '*'}&envelope=${envelope}&pretty=${pretty}&callback=${callback ?? ''}`;
  return `${key}&offset=${offset}&limit=${limit}&${form} ${formatContentType(responseFormat, callback)}`;
}

export interface RequestedRepresentation {
  readonly key: string;
  /** For a number of matches. */
  readonly createLinkField: (total: number) => string;
}
