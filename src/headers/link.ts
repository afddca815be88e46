/** Where a page lies in a set, and how a link to another page of it is made. */
export interface PageLinkOptions {
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
  /** The URL of the page that begins at an offset. */
  readonly url: (offset: number) => string;
}

/** Longest field that is sent: clients (node:http among them) refuse answers whose headers pass 16 KiB. */
const MAX_FIELD_LENGTH = 8 * 1024;

/**
 * The Link field (RFC 8288) with first, prev, next and last (decisions.md, section 2). Undefined where no page can be meant (a limit
 * of 0) and where the query is so long that its four links would make clients refuse the answer.
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

/** Where the last page begins that a client reaches from here in steps of `limit`. */
function findLastOffset(total: number, offset: number, limit: number): number {
  if (total === 0) return 0;
  const start = offset < total ? offset % limit : 0;
  return start + Math.floor((total - 1 - start) / limit) * limit;
}
