interface PageLinkOptions {
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
  /** URL of the page that begins at an offset. */
  readonly url: (offset: number) => string;
}

/** Clients, node:http among them, refuse responses with more than 16 KiB of header fields. */
const MAX_FIELD_LENGTH = 8 * 1024;

/** RFC 8288: first, previous, next and last page (decisions 2.11). Undefined for a limit of 0. */
export function serializePageLinks({ total, offset, limit, url }: PageLinkOptions): string | undefined {
  if (limit === 0) return undefined;
  const last = findLastOffset(total, offset, limit);
  const relations: [string, number][] = [
    ['first', 0],
    ...(offset > 0 ? [['prev', Math.max(0, Math.min(offset - limit, last))] satisfies [string, number]] : []),
    ...(offset + limit < total ? [['next', offset + limit] satisfies [string, number]] : []),
    ['last', last],
  ];
  return relations.map(([relation, at]) => `<${url(at)}>; rel="${relation}"`).join(', ');
}

/** Links to pages come first. They are left out where the query is so long that clients would refuse the response. */
export function joinLinks(pageLinks: string | undefined, furtherLinks: string): string {
  const field = pageLinks === undefined ? furtherLinks : `${pageLinks}, ${furtherLinks}`;
  return field.length > MAX_FIELD_LENGTH ? furtherLinks : field;
}

/** Last page that a client reaches from `offset` in steps of `limit`. */
function findLastOffset(total: number, offset: number, limit: number): number {
  if (total === 0) return 0;
  const start = offset < total ? offset % limit : 0;
  return start + Math.floor((total - 1 - start) / limit) * limit;
}

/** Target and parameters of a link, up to the next comma outside of quotes (RFC 8288, section 3). */
const LINK = /<([^<>]*)>((?:[^,"]|"(?:[^"\\]|\\[^])*(?:"|$))*)/g;

const LINK_PARAMETER = /;\s*([\w!#$&+.^`|~*-]+)\s*=\s*(?:"((?:[^"\\]|\\[^])*)"|([^\s;,"]*))/g;

/** As sent: absolute or relative. A link with `anchor` is about another resource. */
export function findLinkTarget(field: string, relation: string): string | undefined {
  for (const [, target = '', text = ''] of field.matchAll(LINK)) {
    const parameters = new Map<string, string>();
    for (const [, name = '', quoted, plain = ''] of text.matchAll(LINK_PARAMETER))
      if (!parameters.has(name.toLowerCase())) parameters.set(name.toLowerCase(), quoted ?? plain);
    const relations = parameters.get('rel')?.toLowerCase().split(/\s+/) ?? [];
    if (relations.includes(relation) && !parameters.has('anchor')) return target.trim();
  }
  return undefined;
}
