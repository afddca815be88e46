import type { DocumentLayout } from '../../../model/registration/document-mapping.js';
import { compileOperands } from '../../../text/jmespath-adapter.js';
import { formatPropertyPath } from './property-path.js';

/** What a page says about the size of its list and further pages (decisions 4.27.2). A plain value. */
export interface PagingMetadata {
  readonly totals: readonly StatedCount[];
  readonly pageCounts: readonly StatedCount[];
  /** Where the expression `next` does not read it. */
  readonly next?: StatedNext;
}

/** With its place as a JMESPath expression. */
interface StatedCount {
  readonly place: string;
  readonly count: number;
}

/** With its place as a JMESPath expression. */
export interface StatedNext {
  readonly place: string;
  /** Rather than a number, a token or `true`. */
  readonly isAddress: boolean;
}

/** In lower case, without separators and prefixes such as `@odata.`. */
const NAMES = {
  total:
    /^(?:odata|opensearch)?(?:count|total|num(?:ber)?found|numbermatched|(?:total|num(?:berof)?)(?:count|results?|items?|records?|elements?|entries|rows|hits|teams|size)|(?:record|result|item)s?(?:count|total))$/,
  pageCount: /^(?:pages|lastpage|pagecount|(?:total|num(?:berof)?)pages|pagestotal)$/,
  next: /^(?:odata)?next(?:page|records|results)?(?:link|url|uri|href|token|cursor|offset|start|index|number)?$/,
  hasMore: /^(?:hasmore(?:results|items|pages|records)?|hasnext(?:page)?|more(?:available|results)?|(?:is)?truncated)$/,
  isLast: /^(?:last|(?:is)?lastpage|islast|endofstream)$/,
  links: /^links?$/,
  container:
    /^(?:meta(?:data)?|pag(?:er|ing|ination|inator)|page(?:info|meta)?|links|info|view|cursors?|(?:paging|pagination|response|result)(?:info|metadata))$/,
} as const;

/** Of a name that is compared; also the number of properties up to which an object can be an envelope. */
const MAX_NAME = 40;
const MAX_PROPERTIES = 100;

/** Of one kind. A document states a few. */
const MAX_COUNTS = 100;

/** In each other, as of `meta.pagination.links`. */
const MAX_CONTAINERS = 3;

/** Such as `list.teams` of `list.teams[?active]`. */
const LEADING_NAMES = /^(?:[A-Za-z_]\w*|"[^"\\]*")(?:\.(?:[A-Za-z_]\w*|"[^"\\]*"))*/;

type PagingMetadataReader = (document: unknown, entries: readonly unknown[]) => PagingMetadata | undefined;

/**
 * Looks at the document, at objects that lead to the list of entries, and at objects beside these with names of paging;
 * never into an entry.
 */
export function createPagingMetadataReader({ records, next }: DocumentLayout): PagingMetadataReader {
  const names = (LEADING_NAMES.exec(records ?? '')?.[0].match(/"[^"]*"|\w+/g) ?? []).map((name) =>
    name.replaceAll('"', ''),
  );
  const used = new Set(next === undefined ? [] : compileOperands(next).map(({ path }) => path));
  return (document, entries) => {
    const search = new Search(new Set(entries), used);
    search.visit(document, [], MAX_CONTAINERS);
    let value = document;
    for (const [at, name] of names.entries()) {
      value = isEnvelope(value) ? Object.getOwnPropertyDescriptor(value, name)?.value : undefined;
      search.visit(value, names.slice(0, at + 1), MAX_CONTAINERS);
    }
    const { totals, pageCounts } = search;
    // A next page's token may be stated beside the flag that there is none.
    const found = search.isLastPage ? undefined : search.next;
    if (totals.length + pageCounts.length === 0 && found === undefined) return undefined;
    return { totals, pageCounts, ...(found && { next: found }) };
  };
}

class Search {
  readonly totals: StatedCount[] = [];
  readonly pageCounts: StatedCount[] = [];
  next: StatedNext | undefined;
  isLastPage = false;
  private readonly visited = new Set<unknown>();

  constructor(
    private readonly entries: ReadonlySet<unknown>,
    /** By the expression `next`. */
    private readonly used: ReadonlySet<string>,
  ) {}

  visit(value: unknown, path: readonly string[], depth: number): void {
    if (!isEnvelope(value) || this.visited.has(value) || this.entries.has(value)) return;
    this.visited.add(value);
    for (const [name, inner] of Object.entries(value)) {
      const term = name.length > MAX_NAME ? '' : name.toLowerCase().replace(/^[a-z]+:|[-_.@$: ]/g, '');
      const place = [...path, name];
      if (NAMES.container.test(term) && depth > 0) this.visit(inner, place, depth - 1);
      if (NAMES.links.test(term) && Array.isArray(inner)) this.addLinks(place, inner);
      if (NAMES.total.test(term)) this.addCount(this.totals, place, inner);
      else if (NAMES.pageCount.test(term)) this.addCount(this.pageCounts, place, inner);
      else if (NAMES.next.test(term)) this.addNext(place, inner);
      else if (NAMES.hasMore.test(term) || NAMES.isLast.test(term)) {
        const flag = readFlag(inner);
        if (flag === undefined && isAddress(inner)) this.noteNext(place, true);
        if (flag === undefined) continue;
        if (flag === NAMES.hasMore.test(term)) this.noteNext(place, false);
        else this.isLastPage = true;
      }
    }
  }

  /** Such as `{ "rel": "next", "href": "…" }` of ROLIE. */
  private addLinks(path: readonly string[], links: readonly unknown[]): void {
    const expression = `${formatPropertyPath(path)}[?rel == 'next'].href | [0]`;
    if (links.slice(0, MAX_PROPERTIES).some((link) => isNextLink(link)) && this.used.size === 0)
      this.next ??= { place: expression, isAddress: true };
  }

  private addCount(counts: StatedCount[], path: readonly string[], value: unknown): void {
    // As of Elasticsearch: `{ "value": 47, "relation": "eq" }`.
    if (typeof value === 'object' && value !== null && 'value' in value && typeof value.value !== 'object') {
      this.addCount(counts, [...path, 'value'], value.value);
      return;
    }
    const count = typeof value === 'string' && /^\d{1,15}$/.test(value.trim()) ? Number(value) : value;
    if (typeof count === 'number' && counts.length < MAX_COUNTS)
      counts.push({ place: formatPropertyPath(path), count });
  }

  /** A text, an object with a `href`, or what the next page's address is made of. */
  private addNext(path: readonly string[], value: unknown): void {
    if (this.entries.has(value)) return;
    if (typeof value === 'object' && value !== null && 'href' in value && typeof value.href !== 'object')
      this.addNext([...path, 'href'], value.href);
    else if (typeof value === 'string') {
      const text = value.trim();
      if (!/^(?:false|null|none|0|-1)?$/i.test(text)) this.noteNext(path, isAddress(text));
    } else if (value === true || (typeof value === 'number' && value > 0) || hasProperty(value))
      this.noteNext(path, false);
  }

  /** The first one; one with an address is preferred. */
  private noteNext(path: readonly string[], isAddress: boolean): void {
    if (this.used.has(path.join('.')) || this.next?.isAddress === true) return;
    if (this.next === undefined || isAddress) this.next = { place: formatPropertyPath(path), isAddress };
  }
}

/** Other than null, such as `{ "after": "b7" }`. */
function hasProperty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).some((inner) => inner !== null);
}

/** A URL, or a relative one with a path or a query, rather than a token or a number. */
function isAddress(value: unknown): boolean {
  return typeof value === 'string' && /^(?:[a-z][a-z\d+.-]*:\S*|\S*[/?]\S*)$/i.test(value.trim());
}

/** Also as text. Undefined: no flag. */
function readFlag(value: unknown): boolean | undefined {
  const text = typeof value === 'string' ? value.trim().toLowerCase() : value;
  if (text === true || text === 'true') return true;
  return text === false || text === 'false' ? false : undefined;
}

function isNextLink(link: unknown): boolean {
  return typeof link === 'object' && link !== null && 'rel' in link && link.rel === 'next';
}

/** Rather than a list or a mapping of entries. */
function isEnvelope(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length <= MAX_PROPERTIES
  );
}
