import type { Clock } from '../../model/clock.js';
import { findLinkTarget } from '../../headers/link.js';
import { readTotalCount } from '../../source/dialect/envelope.js';
import { SourceFailure, isRequestRefusal } from '../../source/client/source-failure.js';
import type { NotModifiedResponse } from '../../source/client/http-client-types.js';
import type { PageResponse, SourceResponse } from '../../source/body/source-fetch-types.js';
import { freshnessLifetime } from './freshness-lifetime.js';
import type { ExpectedBody } from '../../source/body/parse-page-body.js';
import type { SnapshotValidators, PageValidator } from './page-validators.js';
import type { DrainRequests } from './drain-requests.js';

interface RevalidationOptions {
  readonly session: DrainRequests;
  /** For a body that arrives instead of a 304. */
  readonly expected: ExpectedBody;
  readonly concurrency: number;
  readonly clock: Clock;
  /** The last page's Link field would name the page after it (decisions 4.27.2). */
  readonly isLinked: boolean;
}

export type RevalidationResult = UnchangedPages | ChangedPages;

export interface UnchangedPages {
  readonly validators: SnapshotValidators;
  /** In milliseconds since 1970, as the source allows; Infinity if it states none. */
  readonly freshUntil: number;
  /** Gateways behind the responses. */
  readonly via: ReadonlySet<string>;
}

/**
 * Also where a response reported incomplete sources. `changedReplies`: changed pages by URL; undefined if there are
 * none: the source refused a conditional request, or sent a 304 with another total or a link to a further page.
 */
interface ChangedPages {
  readonly changedReplies: Map<string, PageResponse> | undefined;
}

/**
 * Conditional requests (decisions 7.4): for the first page, where most changes show, then for the others in parallel,
 * because a later page may change alone. A source that refuses one has to be drained. Rejects when a page fails in
 * another way.
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
  /** Until a page has changed or failed. */
  private isUnchanged = true;

  constructor(
    private readonly options: RevalidationOptions,
    private readonly lastPage: PageValidator | undefined,
  ) {}

  /** `follows` gets the page with its new lifetime, or undefined if it is no longer valid. */
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

  /** After the first one, which is unchanged. */
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

  /** `validators`: the unchanged pages with new lifetimes; undefined if the first one has changed. */
  result(validators: SnapshotValidators | undefined): RevalidationResult {
    const { session } = this.options;
    // Incomplete sources make the snapshot `partial`, a state that only a drain produces.
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
    // A page's entity tag does not cover later pages, but its `X-Total-Count` and Link show a change there. A 304
    // contains no records.
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

/** Than the page that the 304 confirms. */
function hasOtherTotal({ headerTotal }: PageValidator, reply: NotModifiedResponse): boolean {
  const now = readTotalCount(reply);
  return now !== undefined && headerTotal !== undefined && now !== headerTotal;
}
