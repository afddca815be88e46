import type { Clock } from '../../model/clock.js';
import type { ResourceName } from '../../model/resource.js';

/** Milliseconds for which the gateways are named with failures: longer than it takes until the source is asked again. */
const VIA_TTL = 60_000;

/**
 * The gateways behind a source, by resource, as its last answer named them, a failure included. Gateways in a ring that wait for each other all
 * fail, and detect the ring by these names (docs/decisions/0014-rings.md).
 */
export class LastVia {
  /** `at` is in milliseconds since 1970. */
  private readonly entries = new Map<ResourceName, { readonly via: readonly string[]; readonly at: number }>();

  constructor(private readonly clock: Clock) {}

  /** Notes what an answer named; an empty list says nothing. */
  note(resource: ResourceName, via: readonly string[] = []): void {
    if (via.length > 0) this.entries.set(resource, { via, at: this.clock.now() });
  }

  /** The names, to be given with an outcome without a copy; none where they are too old. */
  get(resource: ResourceName): { readonly via?: readonly string[] } {
    const named = this.entries.get(resource);
    return named === undefined || this.clock.now() >= named.at + VIA_TTL ? {} : { via: named.via };
  }
}
