/** Position of a page in a list, and the URLs of other pages. */
export interface PageLinkOptions {
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
  /** Returns the URL of the page that begins at an offset. */
  readonly url: (offset: number) => string;
}

/**
 * Maximum length of the field. Clients, node:http among them, refuse responses with more than 16 KiB of header fields.
 */
const MAX_FIELD_LENGTH = 8 * 1024;

/**
 * Serializes the Link field (RFC 8288) with first, prev, next and last (decisions 2.11). Returns undefined for a limit
 * of 0, and where the query is so long that clients would refuse the response.
 */
export function serializePageLinks({ total, offset, limit, url }: PageLinkOptions): string | undefined {
  if (limit === 0) return undefined;
  const last = findLastOffset(total, offset, limit);
  const relations: [string, number][] = [
    ['first', 0],
    ...(offset > 0 ? [['prev', Math.max(0, Math.min(offset - limit, last))] satisfies [string, number]] : []),
    ...(offset + limit < total ? [['next', offset + limit] satisfies [string, number]] : []),
    ['last', last],
  ];
  const field = relations.map(([relation, at]) => `<${url(at)}>; rel="${relation}"`).join(', ');
  return field.length > MAX_FIELD_LENGTH ? undefined : field;
}

/** Returns the offset of the last page that a client reaches from `offset` in steps of `limit`. */
function findLastOffset(total: number, offset: number, limit: number): number {
  if (total === 0) return 0;
  const start = offset < total ? offset % limit : 0;
  return start + Math.floor((total - 1 - start) / limit) * limit;
}
