import type { Clock } from '../model/clock.js';
import { countIn } from './dialect.js';
import { SourceFailure, isRefusal } from './failure.js';
import type { NotModified, PageReply, SourceReply } from './fetch.js';
import { allowedBy } from './lifetime.js';
import type { Reading } from './read-body.js';
import type { Proof, Witness } from './testimony.js';
import type { Visit } from './visit.js';

/** How a source is asked about the pages of a copy. */
export interface Questioning {
  readonly visit: Visit;
  /** How what comes in place of a page is read. */
  readonly as: Reading;
  /** Pages asked for at a time. */
  readonly concurrency: number;
  readonly clock: Clock;
}

/** What a source says of the pages of a copy. */
export type Verdict = Holds | Changed;

/** Every page still holds. */
export interface Holds {
  readonly proof: Proof;
  /** So long (milliseconds since 1970) the source lets them be used, Infinity where it does not say. */
  readonly until: number;
  /** Gateways that its answers went through. */
  readonly via: ReadonlySet<string>;
}

/**
 * One does not, or a doubt was told. Those that came instead, by URL: none where a source refuses to say, or says with a 304 that it counts
 * otherwise.
 */
export interface Changed {
  readonly changed: Map<string, PageReply> | undefined;
}

/**
 * Asks whether every page of a copy still holds: the first page first, for most changes show there, then the others in parallel,
 * for a later page may change while the first does not. A source that refuses such a question has to be drained. Rejects when a
 * page fails otherwise.
 */
export function verify(proof: Proof, questioning: Questioning): Promise<Verdict> {
  const inquiry = new Inquiry(questioning);
  const [page, ...others] = proof;
  return inquiry.look(page, (first) =>
    first === undefined || others.length === 0 ? inquiry.verdict(first && [first]) : inquiry.rest(first, others),
  );
}

class Inquiry {
  private until = Infinity;
  private came: Map<string, PageReply> | undefined;
  /** Until a page has changed, or failed. */
  private goesOn = true;

  constructor(private readonly questioning: Questioning) {}

  /**
   * Asks for a page, and does what follows: with the page and what the source says now of how long it may be used; undefined where it does not hold
   * any more.
   */
  look<T>(page: Witness, follows: (page: Witness | undefined) => T | Promise<T>): Promise<T> {
    const { visit, as } = this.questioning;
    return visit.askAgain(page, as).then(
      (reply) => follows(this.answered(page, reply)),
      (error: unknown) => {
        this.goesOn = false;
        if (error instanceof SourceFailure && isRefusal(error)) return follows(undefined);
        throw error;
      },
    );
  }

  /** Looks at all pages behind the first one, which holds. */
  async rest(first: Witness, others: readonly Witness[]): Promise<Verdict> {
    const pages = new Map<Witness, Witness>();
    const queue = others[Symbol.iterator]();
    const worker = async (): Promise<void> => {
      for (let next = queue.next(); this.goesOn && next.done !== true; next = queue.next()) {
        const { value } = next;
        await this.look(value, (page) => page && pages.set(value, page));
      }
    };
    const { concurrency } = this.questioning;
    await Promise.all(Array.from({ length: Math.min(concurrency, others.length) }, worker));
    return this.verdict([first, ...others.map((page) => pages.get(page) ?? page)]);
  }

  /** What is said of a copy, with its pages as they were found to hold; these are undefined where the first one does not. */
  verdict(proof: Proof | undefined): Verdict {
    const { visit } = this.questioning;
    // What tells of a doubt is judged by a drain.
    const holds = proof !== undefined && this.goesOn && !visit.doubtful;
    return holds ? { proof, until: this.until, via: visit.via } : { changed: this.came };
  }

  private answered(page: Witness, reply: SourceReply): Witness | undefined {
    if (!('notModified' in reply)) {
      this.goesOn = false;
      (this.came ??= new Map()).set(page.url.href, reply);
      return undefined;
    }
    // An entity tag of the body of a page says nothing of the pages behind it, but its header may. A 304 is no page: it brings none.
    if (countsOtherwise(page, reply)) {
      this.goesOn = false;
      return undefined;
    }
    const now = this.questioning.clock.now();
    const allowed = allowedBy(reply, now) ?? page.allowed;
    this.until = Math.min(this.until, now + allowed);
    return allowed === page.allowed ? page : { ...page, allowed };
  }
}

/** Whether a 304 counts other records than the page did that it stands for. */
function countsOtherwise({ counted }: Witness, reply: NotModified): boolean {
  const now = countIn(reply);
  return now !== undefined && counted !== undefined && now !== counted;
}
