import type { Clock } from '../model/clock.js';
import type { ResourceName } from '../model/resource.js';

/** Milliseconds in which failed outcomes carry gateway names: until after the source's next query (decisions 5.22). */
const VIA_TTL = 60_000;

/**
 * Gateways behind a source, as its last response, even an error, named them. Gateways in a ring that wait for each
 * other all fail, and detect the ring by these names (decision record 0014).
 */
export class LastVia {
  /** `at` is in milliseconds since 1970. */
  private readonly entries = new Map<ResourceName, { readonly via: readonly string[]; readonly at: number }>();

  constructor(private readonly clock: Clock) {}

  /** An empty list changes nothing. */
  note(resource: ResourceName, via: readonly string[] = []): void {
    if (via.length > 0) this.entries.set(resource, { via, at: this.clock.now() });
  }

  /** For an outcome without a snapshot; empty once the names are too old. */
  get(resource: ResourceName): { readonly via?: readonly string[] } {
    const named = this.entries.get(resource);
    return named === undefined || this.clock.now() >= named.at + VIA_TTL ? {} : { via: named.via };
  }
}
