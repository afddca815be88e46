import type { Clock } from '../../model/clock.js';
import type { ResourceName } from '../../model/resource.js';

/**
 * Milliseconds for which failed outcomes carry the gateway names: longer than the time until the source is queried
 * again (decisions 5.22).
 */
const VIA_TTL = 60_000;

/**
 * The gateways behind a source, by resource, as its last response named them, error responses included. Gateways in a
 * ring that wait for each other all fail, and detect the ring by these names (decisions 5.22; decision record 0014).
 */
export class LastVia {
  /** `at` is in milliseconds since 1970. */
  private readonly entries = new Map<ResourceName, { readonly via: readonly string[]; readonly at: number }>();

  constructor(private readonly clock: Clock) {}

  /** Notes the names of a response. An empty list changes nothing. */
  note(resource: ResourceName, via: readonly string[] = []): void {
    if (via.length > 0) this.entries.set(resource, { via, at: this.clock.now() });
  }

  /** Returns the names for an outcome without a snapshot; no names once they are too old. */
  get(resource: ResourceName): { readonly via?: readonly string[] } {
    const named = this.entries.get(resource);
    return named === undefined || this.clock.now() >= named.at + VIA_TTL ? {} : { via: named.via };
  }
}
