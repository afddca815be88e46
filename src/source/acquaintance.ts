import type { Clock } from '../model/clock.js';
import type { Resource } from '../model/resource.js';
import type { Wish } from './wish.js';

/** How long is told what a source that gives nothing named last, in milliseconds: longer than it takes until it is asked again. */
const TOLD_FOR = 60_000;

/** What a source named, and when (milliseconds since 1970). */
interface Heard {
  readonly via: readonly string[];
  readonly at: number;
}

/**
 * The gateways that a source named when it was last heard of, well or failing, for each resource: of questions about one there may be any number. Of
 * gateways that wait for each other none gives anything, and it is by these names that they find out (docs/decisions/0014-rings.md).
 */
export class Acquaintance {
  private readonly heard = new Map<Resource['name'], Heard>();

  constructor(private readonly clock: Clock) {}

  /** What an answer to the wish named; an empty list says nothing. */
  note({ resource }: Wish, via: readonly string[] = []): void {
    if (via.length > 0) this.heard.set(resource.name, { via, at: this.clock.now() });
  }

  /** The same, to be told with an outcome that has no copy; nothing where it is too long ago. */
  of({ resource }: Wish): { readonly via?: readonly string[] } {
    const heard = this.heard.get(resource.name);
    return heard === undefined || this.clock.now() >= heard.at + TOLD_FOR ? {} : { via: heard.via };
  }
}
