import { parseSourceStates } from '../../headers/source-status.js';
import { parseViaHops } from '../../headers/via.js';
import { SourceFailure } from '../client/source-failure.js';
import type { PageResponse, SourceFetch, SourceResponse } from '../body/source-fetch.js';
import type { ExpectedBody } from '../body/read-body.js';
import type { PageValidator } from './page-validators.js';

/** What a visit needs. */
export interface RequestSessionOptions {
  readonly fetch: SourceFetch;
  /** What every request says in Via: this gateway's name. */
  readonly via: string;
  readonly signal: AbortSignal;
}

/** The requests of one drain, or of one look whether anything has changed, and what their replies said beside their records. */
export class RequestSession {
  private hops: Set<string> | undefined;
  /** Whether an aggregate told of a source of its own that did not give all. */
  hasIncompleteUpstream = false;

  /** `given` are replies that came already, by URL: none is asked for twice, but after a restart. */
  constructor(
    private readonly options: RequestSessionOptions,
    private readonly preloaded?: Map<string, PageResponse>,
  ) {}

  /** Gateways that the replies went through. */
  get via(): ReadonlySet<string> {
    return this.hops ?? NO_HOPS;
  }

  /** Fetches a page or item. */
  async request(url: URL, as: ExpectedBody): Promise<PageResponse> {
    const given = this.preloaded?.get(url.href);
    this.preloaded?.delete(url.href);
    if (given !== undefined) return this.recordResponse(given);
    const reply = await this.send(url, as);
    if ('notModified' in reply) throw new SourceFailure('status', 'HTTP status 304, unasked', { status: 304 });
    return reply;
  }

  /** Fetches a page if it has changed. */
  revalidatePage({ url, condition }: PageValidator, as: ExpectedBody): Promise<SourceResponse> {
    return this.send(url, as, condition);
  }

  private send(url: URL, as: ExpectedBody, condition?: PageValidator['condition']): Promise<SourceResponse> {
    const { fetch, via, signal } = this.options;
    return fetch({ url, headers: { via, prefer: PREFER_LENIENT, ...condition }, expected: as }, signal).then(
      (reply) => this.recordResponse(reply),
      (error: unknown) => {
        // That there is no such item is an answer too.
        if (error instanceof SourceFailure) this.recordHops(error.via);
        throw error;
      },
    );
  }

  private recordHops(hops: readonly string[] = []): void {
    for (const hop of hops) (this.hops ??= new Set()).add(hop);
  }

  private recordResponse<Reply extends SourceResponse>(reply: Reply): Reply {
    this.recordHops(parseViaHops(reply.header('via')));
    this.hasIncompleteUpstream ||= parseSourceStates(reply.header('source-status')).some(
      (state) => !COMPLETE_STATES.has(state),
    );
    return reply;
  }
}

const NO_HOPS: ReadonlySet<string> = new Set();

/**
 * Asks an aggregate for what it has, marked as partial, instead of an error where it has no match and cannot ask all of its sources
 * (decisions.md, section 6). Every other source ignores it.
 */
const PREFER_LENIENT = 'handling=lenient';

/** States of an aggregate's own sources that leave its answer whole; every other makes it less than all (decisions.md, section 5). */
const COMPLETE_STATES: ReadonlySet<string> = new Set(['fresh', 'excluded']);
