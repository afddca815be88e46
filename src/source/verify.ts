import { countIn } from './dialect.js';
import { SourceFailure, isRefusal } from './failure.js';
import type { NotModified, PageReply, SourceReply } from './fetch.js';
import { allowedBy } from './lifetime.js';
import type { Proof, Witness } from './testimony.js';

/** How a source is asked about the pages of a copy. */
export interface Questioning {
  /** Asks for a page if it has changed. */
  readonly ask: (page: Witness) => Promise<SourceReply>;
  /** Pages asked for at a time. */
  readonly concurrency: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** What a source says of the pages of a copy. */
export type Verdict =
  /** Every page still holds; `until` (milliseconds since 1970) the source lets them be used, Infinity where it does not say. */
  | { readonly proof: Proof; readonly until: number }
  /** One does not; those that came instead, by URL: none where a source refuses to say, or says with a 304 that it counts otherwise. */
  | { readonly changed: Map<string, PageReply> };

/**
 * Asks whether every page of a copy still holds: the first page first, for most changes show there, then the others in parallel,
 * for a later page may change while the first does not. A source that refuses such a question has to be drained. Rejects when a
 * page fails otherwise.
 */
export function verify(proof: Proof, questioning: Questioning): Promise<Verdict> {
  const inquiry = new Inquiry(questioning);
  return inquiry.look(proof[0]).then((first) => {
    if (first === undefined) return { changed: inquiry.changed };
    return proof.length === 1 ? { proof: [first], until: inquiry.until } : inquiry.rest(first, proof.slice(1));
  });
}

class Inquiry {
  until = Infinity;
  readonly changed = new Map<string, PageReply>();
  /** Until a page has changed, or failed. */
  private holds = true;

  constructor(private readonly questioning: Questioning) {}

  /** Looks at all pages behind the first one, which holds. */
  async rest(first: Witness, others: readonly Witness[]): Promise<Verdict> {
    const pages = new Map<Witness, Witness>();
    const queue = others[Symbol.iterator]();
    const worker = async (): Promise<void> => {
      for (let next = queue.next(); this.holds && next.done !== true; next = queue.next()) {
        const page = await this.look(next.value);
        if (page !== undefined) pages.set(next.value, page);
      }
    };
    const { concurrency } = this.questioning;
    await Promise.all(Array.from({ length: Math.min(concurrency, others.length) }, worker));
    if (!this.holds) return { changed: this.changed };
    return { proof: [first, ...others.map((page) => pages.get(page) ?? page)], until: this.until };
  }

  /** The page with what the source says now of how long it may be used; undefined where it does not hold any more. */
  look(page: Witness): Promise<Witness | undefined> {
    return this.questioning.ask(page).then(
      (reply) => this.answered(page, reply),
      (error: unknown) => {
        this.holds = false;
        if (error instanceof SourceFailure && isRefusal(error)) return undefined;
        throw error;
      },
    );
  }

  private answered(page: Witness, reply: SourceReply): Witness | undefined {
    if (!('notModified' in reply)) {
      this.holds = false;
      this.changed.set(page.url.href, reply);
      return undefined;
    }
    // An entity tag of the body of a page says nothing of the pages behind it, but its header may. A 304 is no page: it brings none.
    if (countsOtherwise(page, reply)) {
      this.holds = false;
      return undefined;
    }
    const now = this.questioning.now();
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
