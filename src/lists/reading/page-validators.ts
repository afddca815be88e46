import { createConditionalHeaders } from '../../source/client/conditional-request.js';
import type { ConditionalHeaders } from '../../source/client/conditional-request.js';
import { readTotalCount } from '../../source/dialect/envelope.js';
import { freshnessLifetime } from './freshness-lifetime.js';
import type { HeaderLookup } from '../../source/client/http-client-types.js';

/** Of one page of a snapshot, for a conditional request (decisions 7.4). */
export interface PageValidator {
  readonly url: URL;
  readonly condition: ConditionalHeaders;
  /** Milliseconds that the source allows each response; Infinity if it states none. */
  readonly freshnessLifetime: number;
  /** `X-Total-Count`. A 304 with another number counts as a change. */
  readonly headerTotal?: number;
  /** Milliseconds that the page itself states; a 304 cannot say more. Absent: none. */
  readonly statedLifetime?: number;
}

/** Pages that must be unchanged for the snapshot to be valid, the first page first. Never empty. */
export type SnapshotValidators = readonly [PageValidator, ...PageValidator[]];

/** In addition to its response. */
export interface PageFacts {
  readonly receivedCount: number;
  /** Requested number of records. */
  readonly requestedLimit: number;
  readonly total?: number;
  readonly fingerprint: string;
}

interface RecordedPage {
  readonly url: URL;
  readonly condition: ConditionalHeaders | undefined;
  readonly freshnessLifetime: number;
  /** In milliseconds since 1970, as the source allows; Infinity if it states none. */
  readonly freshUntil: number;
  readonly headerTotal: number | undefined;
  readonly statedLifetime: number | undefined;
  readonly facts: PageFacts | undefined;
}

/** Of all pages of a drain, with their lifetimes (decisions 7.1). */
export class PageValidatorRecorder {
  /** By URL, because a drain that restarts requests the same pages. */
  private readonly pages = new Map<string, RecordedPage>();

  /**
   * `now` is in milliseconds since 1970. A single item has no facts. `statedLifetime` is the page's own.
   * `isLinkedByField`: only its Link field names the next page.
   */
  recordPage(
    url: URL,
    reply: HeaderLookup,
    {
      now,
      facts,
      statedLifetime,
      isLinkedByField = false,
    }: {
      readonly now: number;
      readonly facts?: PageFacts;
      readonly statedLifetime?: number | undefined;
      readonly isLinkedByField?: boolean;
    },
  ): void {
    const lifetime = Math.min(freshnessLifetime(reply, now) ?? Infinity, statedLifetime ?? Infinity);
    // An entity tag may cover only the body, which stays when the list gets another page.
    const condition = isLinkedByField ? undefined : createConditionalHeaders(reply, now);
    this.pages.set(url.href, {
      url,
      condition,
      freshnessLifetime: lifetime,
      freshUntil: now + lifetime,
      headerTotal: readTotalCount(reply),
      statedLifetime,
      facts,
    });
  }

  /** For all pages, in milliseconds since 1970; Infinity if the source states none. */
  get freshUntil(): number {
    return [...this.pages.values()].reduce((least, { freshUntil }) => Math.min(least, freshUntil), Infinity);
  }

  /** Undefined if a page has none. */
  get validators(): SnapshotValidators | undefined {
    const [first, ...others] = selectNeededPages([...this.pages.values()]).map(toPageValidator);
    const known = others.filter((other) => other !== undefined);
    return first === undefined || known.length < others.length ? undefined : [first, ...known];
  }
}

function toPageValidator({
  url,
  condition,
  freshnessLifetime: lifetime,
  headerTotal,
  statedLifetime,
}: RecordedPage): PageValidator | undefined {
  return (
    condition && {
      url,
      condition,
      freshnessLifetime: lifetime,
      ...(headerTotal !== undefined && { headerTotal }),
      ...(statedLifetime !== undefined && { statedLifetime }),
    }
  );
}

/** Pages that add nothing to the others need not be revalidated. */
function selectNeededPages(pages: readonly RecordedPage[]): readonly RecordedPage[] {
  const [first, ...others] = pages;
  if (first === undefined || (isCompleteList(first) && others.every(({ facts }) => facts?.receivedCount === 0)))
    return pages.slice(0, 1);
  // A source that ignores `offset` sends the same page with the same entity tag again.
  const seen = new Set<string>();
  return pages.filter((page) => seen.size < seen.add(validatorKey(page)).size);
}

/** The page has all records that the source counts, and room for more: a further one would show here. */
function isCompleteList({ facts }: RecordedPage): boolean {
  return facts !== undefined && facts.receivedCount === facts.total && facts.receivedCount < facts.requestedLimit;
}

function validatorKey({ url, condition, facts }: RecordedPage): string {
  const tag = condition?.['if-none-match'];
  return tag === undefined || facts === undefined ? url.href : `${tag} ${facts.fingerprint}`;
}
