import { createConditionalHeaders } from '../client/conditional-request.js';
import type { ConditionalHeaders } from '../client/conditional-request.js';
import { readTotalCount } from '../dialect/envelope.js';
import { freshnessLifetime } from './freshness-lifetime.js';
import type { HeaderLookup } from '../client/fetch.js';

/** A page of a copy, as its source can be asked whether it still holds. */
export interface PageValidator {
  readonly url: URL;
  readonly condition: ConditionalHeaders;
  /** Milliseconds for which the source lets each of its answers be used; Infinity where it does not say. */
  readonly freshnessLifetime: number;
  /** What the header of its reply counted, where it did: a 304 that counts something else is none. */
  readonly headerTotal?: number;
}

/** All that must still hold for a copy to hold, the first page first. Never empty. */
export type SnapshotValidators = readonly [PageValidator, ...PageValidator[]];

/** What is told of a page beside its reply. */
export interface PageFacts {
  readonly receivedCount: number;
  /** Records that were asked for. */
  readonly requestedLimit: number;
  readonly total?: number;
  readonly fingerprint: string;
}

/** A page that was read. */
interface RecordedPage {
  readonly url: URL;
  readonly condition: ConditionalHeaders | undefined;
  readonly freshnessLifetime: number;
  /** When it can no longer be used, in milliseconds since 1970; Infinity where the source does not say. */
  readonly freshUntil: number;
  readonly headerTotal: number | undefined;
  readonly facts: PageFacts | undefined;
}

/** Notes of every page of a drain what lets it be verified later, and until when it may be used. */
export class PageValidatorRecorder {
  /** By URL: a drain that starts again asks for the same pages. */
  private readonly pages = new Map<string, RecordedPage>();

  /** Notes a page that came at `now` (milliseconds since 1970); an item has no facts. */
  recordPage(
    url: URL,
    reply: HeaderLookup,
    { now, facts }: { readonly now: number; readonly facts?: PageFacts },
  ): void {
    const allowed = freshnessLifetime(reply, now) ?? Infinity;
    const condition = createConditionalHeaders(reply, now);
    this.pages.set(url.href, {
      url,
      condition,
      freshnessLifetime: allowed,
      freshUntil: now + allowed,
      headerTotal: readTotalCount(reply),
      facts,
    });
  }

  /** Until when the source lets all pages be used, in milliseconds since 1970; Infinity where it does not say. */
  get freshUntil(): number {
    return [...this.pages.values()].reduce((least, { freshUntil: until }) => Math.min(least, until), Infinity);
  }

  /** Undefined where there is a page that nobody could ask about. */
  get validators(): SnapshotValidators | undefined {
    const [first, ...others] = selectNeededPages([...this.pages.values()]).map(toPageValidator);
    const known = others.filter((other) => other !== undefined);
    return first === undefined || known.length < others.length ? undefined : [first, ...known];
  }
}

function toPageValidator({
  url,
  condition,
  freshnessLifetime: allowed,
  headerTotal: counted,
}: RecordedPage): PageValidator | undefined {
  return (
    condition && { url, condition, freshnessLifetime: allowed, ...(counted !== undefined && { headerTotal: counted }) }
  );
}

/** Pages that say nothing beside the others need not be asked again. */
function selectNeededPages(pages: readonly RecordedPage[]): readonly RecordedPage[] {
  const [first, ...others] = pages;
  if (first === undefined || (isCompleteList(first) && others.every(({ facts }) => facts?.receivedCount === 0)))
    return pages.slice(0, 1);
  // A source that ignores an offset gives the same page again, under the same tag.
  const seen = new Set<string>();
  return pages.filter((page) => seen.size < seen.add(validatorKey(page)).size);
}

/** Whether it has all that the source counts, and had room for more: a further record would be on it, or change its count. */
function isCompleteList({ facts }: RecordedPage): boolean {
  return facts !== undefined && facts.receivedCount === facts.total && facts.receivedCount < facts.requestedLimit;
}

function validatorKey({ url, condition, facts }: RecordedPage): string {
  const tag = condition?.['if-none-match'];
  return tag === undefined || facts === undefined ? url.href : `${tag} ${facts.fingerprint}`;
}
