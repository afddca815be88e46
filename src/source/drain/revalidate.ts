import type { Clock } from '../../model/clock.js';
import { readTotalCount } from '../dialect/envelope.js';
import { SourceFailure, isRequestRefusal } from '../client/source-failure.js';
import type { NotModifiedResponse } from '../client/fetch.js';
import type { PageResponse, SourceResponse } from '../body/source-fetch.js';
import { freshnessLifetime } from './freshness-lifetime.js';
import type { ExpectedBody } from '../body/read-body.js';
import type { SnapshotValidators, PageValidator } from './page-validators.js';
import type { RequestSession } from './request-session.js';

/** How a source is asked about the pages of a copy. */
export interface RevalidationOptions {
  readonly session: RequestSession;
  /** How what comes in place of a page is read. */
  readonly expected: ExpectedBody;
  /** Pages asked for at a time. */
  readonly concurrency: number;
  readonly clock: Clock;
}

/** What a source says of the pages of a copy. */
export type RevalidationResult = UnchangedPages | ChangedPages;

/** Every page still holds. */
export interface UnchangedPages {
  readonly validators: SnapshotValidators;
  /** So long (milliseconds since 1970) the source lets them be used, Infinity where it does not say. */
  readonly freshUntil: number;
  /** Gateways that its answers went through. */
  readonly via: ReadonlySet<string>;
}

/**
 * One does not, or a doubt was told. Those that came instead, by URL: none where a source refuses to say, or says with a 304 that it counts
 * otherwise.
 */
export interface ChangedPages {
  readonly changedReplies: Map<string, PageResponse> | undefined;
}

/**
 * Asks whether every page of a copy still holds: the first page first, for most changes show there, then the others in parallel,
 * for a later page may change while the first does not. A source that refuses such a question has to be drained. Rejects when a
 * page fails otherwise.
 */
export function revalidate(proof: SnapshotValidators, questioning: RevalidationOptions): Promise<RevalidationResult> {
  const inquiry = new Revalidation(questioning);
  const [page, ...others] = proof;
  return inquiry.revalidatePage(page, (first) =>
    first === undefined || others.length === 0
      ? inquiry.result(first && [first])
      : inquiry.revalidateOthers(first, others),
  );
}

class Revalidation {
  private freshUntil = Infinity;
  private changedReplies: Map<string, PageResponse> | undefined;
  /** Until a page has changed, or failed. */
  private isUnchanged = true;

  constructor(private readonly options: RevalidationOptions) {}

  /**
   * Asks for a page, and does what follows: with the page and what the source says now of how long it may be used; undefined where it does not hold
   * any more.
   */
  revalidatePage<T>(page: PageValidator, follows: (page: PageValidator | undefined) => T | Promise<T>): Promise<T> {
    const { session: visit, expected: as } = this.options;
    return visit.revalidatePage(page, as).then(
      (reply) => follows(this.takeReply(page, reply)),
      (error: unknown) => {
        this.isUnchanged = false;
        if (error instanceof SourceFailure && isRequestRefusal(error)) return follows(undefined);
        throw error;
      },
    );
  }

  /** Looks at all pages behind the first one, which holds. */
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

  /** What is said of a copy, with its pages as they were found to hold; these are undefined where the first one does not. */
  result(proof: SnapshotValidators | undefined): RevalidationResult {
    const { session: visit } = this.options;
    // What tells of a doubt is judged by a drain.
    const holds = proof !== undefined && this.isUnchanged && !visit.hasIncompleteUpstream;
    return holds
      ? { validators: proof, freshUntil: this.freshUntil, via: visit.via }
      : { changedReplies: this.changedReplies };
  }

  private takeReply(page: PageValidator, reply: SourceResponse): PageValidator | undefined {
    if (!('notModified' in reply)) {
      this.isUnchanged = false;
      (this.changedReplies ??= new Map()).set(page.url.href, reply);
      return undefined;
    }
    // An entity tag of the body of a page says nothing of the pages behind it, but its header may. A 304 is no page: it brings none.
    if (hasOtherTotal(page, reply)) {
      this.isUnchanged = false;
      return undefined;
    }
    const now = this.options.clock.now();
    const allowed = freshnessLifetime(reply, now) ?? page.freshnessLifetime;
    this.freshUntil = Math.min(this.freshUntil, now + allowed);
    return allowed === page.freshnessLifetime ? page : { ...page, freshnessLifetime: allowed };
  }
}

/** Whether a 304 counts other records than the page did that it stands for. */
function hasOtherTotal({ headerTotal: counted }: PageValidator, reply: NotModifiedResponse): boolean {
  const now = readTotalCount(reply);
  return now !== undefined && counted !== undefined && now !== counted;
}
