import { conditionOf } from './condition.js';
import type { Condition } from './condition.js';
import { countIn } from './dialect.js';
import { allowedBy } from './lifetime.js';
import type { Headed } from './lifetime.js';

/** A page of a copy, as its source can be asked whether it still holds. */
export interface Witness {
  readonly url: URL;
  readonly condition: Condition;
  /** Milliseconds for which the source lets each of its answers be used; Infinity where it does not say. */
  readonly allowed: number;
  /** What the header of its reply counted, where it did: a 304 that counts something else is none. */
  readonly counted?: number;
}

/** All that must still hold for a copy to hold, the first page first. Never empty. */
export type Proof = readonly [Witness, ...Witness[]];

/** What is told of a page beside its reply. */
export interface PageFacts {
  readonly received: number;
  /** Records that were asked for. */
  readonly asked: number;
  readonly total?: number;
  readonly fingerprint: string;
}

/** A page that was read. */
interface Noted {
  readonly url: URL;
  readonly condition: Condition | undefined;
  readonly allowed: number;
  /** When it can no longer be used, in milliseconds since 1970; Infinity where the source does not say. */
  readonly until: number;
  readonly counted: number | undefined;
  readonly facts: PageFacts | undefined;
}

/** Notes of every page of a drain what lets it be verified later, and until when it may be used. */
export class Testimony {
  /** By URL: a drain that starts again asks for the same pages. */
  private readonly pages = new Map<string, Noted>();

  /** Notes a page that came at `now` (milliseconds since 1970); an item has no facts. */
  note(url: URL, reply: Headed, { now, facts }: { readonly now: number; readonly facts?: PageFacts }): void {
    const allowed = allowedBy(reply, now) ?? Infinity;
    const condition = conditionOf(reply, now);
    this.pages.set(url.href, { url, condition, allowed, until: now + allowed, counted: countIn(reply), facts });
  }

  /** Until when the source lets all pages be used, in milliseconds since 1970; Infinity where it does not say. */
  get until(): number {
    return [...this.pages.values()].reduce((least, { until }) => Math.min(least, until), Infinity);
  }

  /** Undefined where there is a page that nobody could ask about. */
  get proof(): Proof | undefined {
    const [first, ...others] = needed([...this.pages.values()]).map(witness);
    const known = others.filter((other) => other !== undefined);
    return first === undefined || known.length < others.length ? undefined : [first, ...known];
  }
}

function witness({ url, condition, allowed, counted }: Noted): Witness | undefined {
  return condition && { url, condition, allowed, ...(counted !== undefined && { counted }) };
}

/** Pages that say nothing beside the others need not be asked again. */
function needed(pages: readonly Noted[]): readonly Noted[] {
  const [first, ...others] = pages;
  if (first === undefined || (isWhole(first) && others.every(({ facts }) => facts?.received === 0)))
    return pages.slice(0, 1);
  // A source that ignores an offset gives the same page again, under the same tag.
  const seen = new Set<string>();
  return pages.filter((page) => seen.size < seen.add(identity(page)).size);
}

/** Whether it has all that the source counts, and had room for more: a further record would be on it, or change its count. */
function isWhole({ facts }: Noted): boolean {
  return facts !== undefined && facts.received === facts.total && facts.received < facts.asked;
}

function identity({ url, condition, facts }: Noted): string {
  const tag = condition?.['if-none-match'];
  return tag === undefined || facts === undefined ? url.href : `${tag} ${facts.fingerprint}`;
}
