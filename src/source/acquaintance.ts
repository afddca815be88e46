import type { Clock } from '../model/clock.js';

/** How long is told what a source that gives nothing named last, in milliseconds: longer than it takes until it is asked again. */
const TOLD_FOR = 60_000;

/**
 * The gateways that a source named when it was last heard of, well or failing. Of gateways that wait for each other none gives anything, and it is
 * by these names that they find out (docs/decisions/0014-rings.md).
 */
export class Acquaintance {
  private readonly heard = new Map<string, { readonly via: readonly string[]; readonly at: number }>();

  constructor(private readonly clock: Clock) {}

  /** What an answer to the question named; an empty list says nothing. */
  note(key: string, via: readonly string[] = []): void {
    if (via.length > 0) this.heard.set(key, { via, at: this.clock.now() });
  }

  /** The same, to be told with an outcome that has no copy; nothing where it is too long ago. */
  of(key: string): { readonly via?: readonly string[] } {
    const heard = this.heard.get(key);
    return heard === undefined || this.clock.now() >= heard.at + TOLD_FOR ? {} : { via: heard.via };
  }
}
