import { readStates } from '../wire/source-status.js';
import { readHops } from '../wire/via.js';
import { SourceFailure } from './failure.js';
import type { PageReply, SourceFetch, SourceReply } from './fetch.js';
import type { Reading } from './read-body.js';
import type { Witness } from './testimony.js';

/** What a visit needs. */
export interface VisitParts {
  readonly fetch: SourceFetch;
  /** What every request says in Via: this gateway's name. */
  readonly via: string;
  readonly signal: AbortSignal;
}

/** The requests of one drain, or of one look whether anything has changed, and what their replies said beside their records. */
export class Visit {
  private hops: Set<string> | undefined;
  /** Whether an aggregate told of a source of its own that did not give all. */
  doubtful = false;

  /** `given` are replies that came already, by URL: none is asked for twice, but after a restart. */
  constructor(
    private readonly parts: VisitParts,
    private readonly given?: Map<string, PageReply>,
  ) {}

  /** Gateways that the replies went through. */
  get via(): ReadonlySet<string> {
    return this.hops ?? NO_HOPS;
  }

  /** Fetches a page or item. */
  async request(url: URL, as: Reading): Promise<PageReply> {
    const given = this.given?.get(url.href);
    this.given?.delete(url.href);
    if (given !== undefined) return this.heard(given);
    const reply = await this.send(url, as);
    if ('notModified' in reply) throw new SourceFailure('status', 'HTTP status 304, unasked', { status: 304 });
    return reply;
  }

  /** Fetches a page if it has changed. */
  askAgain({ url, condition }: Witness, as: Reading): Promise<SourceReply> {
    return this.send(url, as, condition);
  }

  private send(url: URL, as: Reading, condition?: Witness['condition']): Promise<SourceReply> {
    const { fetch, via, signal } = this.parts;
    return fetch({ url, headers: { via, prefer: LENIENT, ...condition }, as }, signal).then(
      (reply) => this.heard(reply),
      (error: unknown) => {
        // That there is no such item is an answer too.
        if (error instanceof SourceFailure) this.named(error.via);
        throw error;
      },
    );
  }

  private named(hops: readonly string[] = []): void {
    for (const hop of hops) (this.hops ??= new Set()).add(hop);
  }

  private heard<Reply extends SourceReply>(reply: Reply): Reply {
    this.named(readHops(reply.header('via')));
    this.doubtful ||= readStates(reply.header('source-status')).some((state) => !WHOLE.has(state));
    return reply;
  }
}

const NO_HOPS: ReadonlySet<string> = new Set();

/**
 * Asks an aggregate for what it has, marked as partial, instead of an error where it has no match and cannot ask all of its sources
 * (decisions.md, section 6). Every other source ignores it.
 */
const LENIENT = 'handling=lenient';

/** States of an aggregate's own sources that leave its answer whole; every other makes it less than all (decisions.md, section 5). */
const WHOLE: ReadonlySet<string> = new Set(['fresh', 'excluded']);
