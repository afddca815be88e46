import type { Clock } from '../../model/clock.js';
import { findLinkTarget } from '../../headers/link.js';
import { readTotalCount } from '../dialect/envelope.js';
import { SourceFailure, isRequestRefusal } from '../client/source-failure.js';
import type { NotModifiedResponse } from '../client/http-client-types.js';
import type { PageResponse, SourceResponse } from '../body/source-fetch-types.js';
import { freshnessLifetime } from '../snapshot/freshness-lifetime.js';
import type { ExpectedBody } from '../body/parse-page-body.js';
import type { SnapshotValidators, PageValidator } from './page-validators.js';
import type { DrainRequests } from './drain-requests.js';

export interface RevalidationOptions {
  readonly session: DrainRequests;
  /** How a body that arrives instead of a 304 is read. */
  readonly expected: ExpectedBody;
  /** Number of pages requested at a time. */
  readonly concurrency: number;
  readonly clock: Clock;
  /** Whether the Link field of the last page would name the page after it (decisions 4.27.2). */
  readonly isLinked: boolean;
}

export type RevalidationResult = UnchangedPages | ChangedPages;

/** Every page is unchanged. */
export interface UnchangedPages {
  readonly validators: SnapshotValidators;
  /** End of the lifetime that the source allows, in milliseconds since 1970; Infinity if it states nothing. */
  readonly freshUntil: number;
  /** Gateways that the responses passed through. */
  readonly via: ReadonlySet<string>;
}

/**
 * A page has changed, or a response reported incomplete sources. `changedReplies` contains the changed pages by URL. It
 * is undefined if there are none: the source refused a conditional request, or sent a 304 with another total or
 * a link to a further page.
 */
export interface ChangedPages {
  readonly changedReplies: Map<string, PageResponse> | undefined;
}

/**
 * Sends conditional requests for the pages of a snapshot (decisions 7.4). The first page is requested first, because
 * most changes show there, then the others in parallel, because a later page may change while the first one does not. A
 * source that refuses a conditional request has to be drained. Rejects when a page fails in another way.
 */
export function revalidate(validators: SnapshotValidators, options: RevalidationOptions): Promise<RevalidationResult> {
  const revalidation = new Revalidation(options, validators.at(-1));
  const [page, ...others] = validators;
  return revalidation.revalidatePage(page, (first) =>
    first === undefined || others.length === 0
      ? revalidation.result(first && [first])
      : revalidation.revalidateOthers(first, others),
  );
}

class Revalidation {
  private freshUntil = Infinity;
  private changedReplies: Map<string, PageResponse> | undefined;
  /** False once a page has changed or failed. */
  private isUnchanged = true;

  constructor(
    private readonly options: RevalidationOptions,
    private readonly lastPage: PageValidator | undefined,
  ) {}

  /**
   * Sends a conditional request for a page, then calls `follows`: with the page and its new lifetime, or with undefined
   * if the page is no longer valid.
   */
  revalidatePage<T>(page: PageValidator, follows: (page: PageValidator | undefined) => T | Promise<T>): Promise<T> {
    const { session, expected } = this.options;
    return session.revalidatePage(page, expected).then(
      (reply) => follows(this.takeReply(page, reply)),
      (error: unknown) => {
        this.isUnchanged = false;
        if (error instanceof SourceFailure && isRequestRefusal(error)) return follows(undefined);
        throw error;
      },
    );
  }

  /** Revalidates all pages after the first one, which is unchanged. */
  async revalidateOthers(first: PageValidator, others: readonly PageValidator[]): Promise<RevalidationResult> {
    const pages = new Map<PageValidator, PageValidator>();
    const queue = others[Symbol.iterator]();
    const worker = async (): Promise<void> => {
      for (let next = queue.next(); this.isUnchanged && next.done !== true; next = queue.next()) {
        const { value } = next;
        await this.revalidatePage(value, (page) => page && pages.set(value, page));
      }
    };
    const { concurrency } = this.options;
    await Promise.all(Array.from({ length: Math.min(concurrency, others.length) }, worker));
    return this.result([first, ...others.map((page) => pages.get(page) ?? page)]);
  }

  /** Returns the result, given the unchanged pages with their new lifetimes; undefined if the first one has changed. */
  result(validators: SnapshotValidators | undefined): RevalidationResult {
    const { session } = this.options;
    // Incomplete sources make the snapshot `partial`; only a drain produces that state.
    const isUnchanged = validators !== undefined && this.isUnchanged && !session.hasIncompleteUpstream;
    return isUnchanged
      ? { validators, freshUntil: this.freshUntil, via: session.via }
      : { changedReplies: this.changedReplies };
  }

  private takeReply(page: PageValidator, reply: SourceResponse): PageValidator | undefined {
    if (!('notModified' in reply)) {
      this.isUnchanged = false;
      if (this.options.expected.format.kind !== 'unread') (this.changedReplies ??= new Map()).set(page.url.href, reply);
      return undefined;
    }
    // The entity tag of a page does not cover the pages after it, but its `X-Total-Count` and Link show a change there.
    // A 304 contains no records.
    if (hasOtherTotal(page, reply) || this.hasNextPage(page, reply)) {
      this.isUnchanged = false;
      return undefined;
    }
    const now = this.options.clock.now();
    const stated = page.statedLifetime ?? Infinity;
    const allowed = Math.min(freshnessLifetime(reply, now) ?? page.freshnessLifetime, stated);
    this.freshUntil = Math.min(this.freshUntil, now + allowed);
    return allowed === page.freshnessLifetime ? page : { ...page, freshnessLifetime: allowed };
  }

  private hasNextPage(page: PageValidator, reply: NotModifiedResponse): boolean {
    const isLast = this.options.isLinked && page.url.href === this.lastPage?.url.href;
    return isLast && findLinkTarget(reply.header('link') ?? '', 'next') !== undefined;
  }
}

/** Whether a 304 reports another total than the page that it confirms. */
function hasOtherTotal({ headerTotal }: PageValidator, reply: NotModifiedResponse): boolean {
  const now = readTotalCount(reply);
  return now !== undefined && headerTotal !== undefined && now !== headerTotal;
}
