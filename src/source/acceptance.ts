import { copyOf, isTooLarge } from '../model/outcome.js';
import type { Outcome } from '../model/outcome.js';
import type { Resource } from '../model/resource.js';
import type { Collected } from './collect.js';
import type { History } from './history.js';
import type { Copy, Registration, SourceHouse } from './registration.js';
import type { Copyless, Question, Shelf } from './shelf.js';
import { isFarLess } from './shrink.js';
import type { ShrinkGuard } from './shrink.js';
import { HELD_AT_LEAST, weightOf } from './weight.js';
import { isFiltered, isList, sizeKeyOf } from './wish.js';

/** How long an outcome in doubt is kept, in milliseconds: the next look may be better (decisions.md, section 6). */
const DOUBT_TTL = 5_000;

/** How long a failure is kept, in milliseconds, so that a failing source is not asked by every waiting client. */
const FAILURE_TTL = 2_000;

/** What it takes to accept something. */
export interface AcceptanceParts {
  readonly shelf: Shelf;
  readonly history: History;
  readonly guard: ShrinkGuard;
  /** Called with the resource of every good copy of a list before that is given; optional. */
  readonly shown?: (resource: Resource) => void;
}

/**
 * What becomes of what came of a source (decisions.md, section 6): the good copy, held in place of the last one; or kept for a while, it or what stands
 * in for it.
 */
export class Acceptance {
  constructor(
    private readonly registration: Registration,
    private readonly house: SourceHouse,
    private readonly parts: AcceptanceParts,
  ) {}

  /** Takes what was collected. Returns what is given. */
  accept(question: Question, collected: Collected): Outcome<Copy> | Promise<Outcome<Copy>> {
    const { shelf, history, shown } = this.parts;
    const { key, wish } = question;
    const { drained, outcome: came } = collected;
    const copy = copyOf(came);
    const isGood = came.state === 'fresh' && copy !== undefined;
    // That it is large holds for as long as what it has would; a count is not believed against a copy.
    const large = isTooLarge(came) ? (shelf.standIn(question, 'too-large') ?? came) : undefined;
    // The size of a large list that is drained is known from the look at its size.
    const isCount = large === came && wish.however !== true;
    const counted = isGood || isCount ? this.shrunk(question, this.countOf(came)) : undefined;
    const instead = counted ?? large;
    if (instead !== undefined) return shelf.remember(question, instead, { milliseconds: this.registration.ttl });
    if (!isGood) return this.doubted(question, came, drained);
    if (isList(wish)) shown?.(wish.resource);
    const stands = history.stands(key, copy);
    if (stands !== undefined) return shelf.hold(question, { copy, placed: stands }, collected);
    return history.compare(key, copy).then((place) => {
      // From here on nothing is waited for: whoever asks after `since` gets this copy.
      const placed = place(this.house.clock.now());
      return shelf.hold(question, { copy, placed }, collected);
    });
  }

  /** Takes that nothing came. Returns what is given. */
  refuse(question: Question, nothing: Copyless): Outcome<Copy> {
    const { shelf } = this.parts;
    return shelf.remember(question, shelf.insteadOf(question, nothing), { milliseconds: FAILURE_TTL });
  }

  /** Records that a source has, as far as it says: of what is too large it fetched more than it may, at least. */
  private countOf(outcome: Outcome<Copy>): number {
    if (isTooLarge(outcome))
      return ('total' in outcome ? outcome.total : undefined) ?? this.registration.drainThreshold + 1;
    return copyOf(outcome)?.set.size ?? 0;
  }

  /** What is given instead of what has far less than there was before. */
  private shrunk(question: Question, now: number): Outcome<Copy> | undefined {
    const { clock, log } = this.house;
    const { code } = this.registration;
    const { guard, shelf } = this.parts;
    const { native, pushed } = question.wish;
    // How many match a filter may change from one moment to the next.
    if (native !== undefined || isFiltered(question.wish)) return undefined;
    const key = sizeKeyOf(code, question.wish);
    // Of a stream it is the look at the source's size that confirms.
    const believed =
      pushed === undefined ? guard.believes(key, now, clock.now()) : !isFarLess({ now, before: guard.believed(key) });
    if (believed) return undefined;
    log.warn({ source: code, records: now, before: guard.believed(key) }, 'source gave far less than before');
    return shelf.insteadOf(question, { state: 'failed', reason: 'shrunk' });
  }

  /** A doubtful copy is newer than the last good one, and kept for that; but not one that lacks most of it. */
  private doubted(question: Question, outcome: Outcome<Copy>, drained: Collected['drained']): Outcome<Copy> {
    const { shelf } = this.parts;
    const before = shelf.good(question)?.value;
    const counts = { now: sizeOf(outcome), before: before && sizeOf(before.outcome) };
    const doubt = outcome.state === 'partial' || outcome.state === 'inconsistent' ? outcome.reason : undefined;
    const lacks = doubt !== undefined && ((counts.now === 0 && counts.before !== 0) || isFarLess(counts));
    const instead = lacks ? shelf.standIn(question, doubt) : undefined;
    const weight = instead === undefined && drained !== undefined ? weightOf(drained) : HELD_AT_LEAST;
    return shelf.remember(question, instead ?? outcome, { milliseconds: DOUBT_TTL, weight });
  }
}

function sizeOf(outcome: Outcome<Copy>): number {
  return copyOf(outcome)?.set.records.length ?? 0;
}
