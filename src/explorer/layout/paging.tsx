import type { ListPage } from '../../gateway/gateway.js';
import type { PageParameters } from '../answer/page-parameters.js';
import type { VNode } from '../../html/html.js';
import { useAddress } from './page-address.js';

interface PagingProps {
  readonly path: string;
  readonly parameters: PageParameters;
  readonly offset: number;
  readonly limit: number;
  /** Records that paging reaches. */
  readonly total: number;
}

/** Nothing where all records are on one page. */
export function Paging({ path, parameters, offset, limit, total }: PagingProps): VNode | null {
  const address = useAddress();
  const hrefAt = (at: number): string => address(path, at === 0 ? parameters : [...parameters, ['offset', String(at)]]);
  const isFirst = offset === 0;
  const isLast = offset + limit >= total;
  if (limit === 0 || (isFirst && isLast)) return null;
  const lastStart = Math.floor((total - 1) / limit) * limit;
  return (
    <nav class="paging" aria-label="Pages of the list">
      {!isFirst && (
        <a rel="prev" href={hrefAt(Math.max(0, Math.min(offset - limit, lastStart)))}>
          Previous {limit}
        </a>
      )}
      {!isLast && (
        <a rel="next" href={hrefAt(offset + limit)}>
          Next {Math.min(limit, total - offset - limit)}
        </a>
      )}
    </nav>
  );
}

/** `1 team`, `37 teams`, or `51 to 100 of 1,234 teams`. */
export function describeRange(
  { total, records }: Pick<ListPage, 'total' | 'records'>,
  offset: number,
  noun: string,
): string {
  const count = `${total.toLocaleString('en')} ${noun}${total === 1 ? '' : 's'}`;
  if (records.length === total || (records.length === 0 && offset < total)) return count;
  if (records.length === 0) return `None of the ${count}: this page is after the last one`;
  const [from, to] = [offset + 1, offset + records.length].map((at) => at.toLocaleString('en'));
  return `${from ?? ''} to ${to ?? ''} of ${count}`;
}
