import type { Query } from '../model/query.js';
import { newsWindow } from '../model/resources/news.js';
import { pageLinks } from '../wire/link.js';

/** The page of a query below an address: with its parameters as the client wrote them, and the page as it was applied. */
export function pageUrl(base: string, { asked, limit, offset }: Query): string {
  const pairs = [...asked, ['limit', limit], ['offset', offset]] as const;
  return `${base}?${pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&')}`;
}

/** The Link field of a page of so many matches (decisions.md, section 2); undefined where it has none. `base` is the address without its query. */
export function linkField(base: string, query: Query, total: number): string | undefined {
  return pageLinks({
    ...query,
    total: reachable(query, total),
    url: (offset) => pageUrl(base, { ...query, offset }),
  });
}

/** Matches that paging can lead to: news end with their window. */
function reachable({ resource }: Query, total: number): number {
  return resource.name === 'news' ? Math.min(total, newsWindow) : total;
}
