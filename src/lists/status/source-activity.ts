import type { FetchFinished, SourceEvent } from '../../events/event.js';
import type { FailureReason } from '../../model/reasons.js';
import type { Resource } from '../../model/resource.js';
import { dataTeamsWithKeys } from '../../model/resources/data-teams.js';
import { ListActivity } from './list-activity.js';

interface CapabilityUse {
  /** Fetches that relied on it. */
  uses: number;
  /** Fetches whose records were compared with it. */
  checks: number;
  /** In milliseconds since 1970. */
  lastChecked?: number;
}

/**
 * Of one source at one access level, for the operator (operation 3.5). Counts when a fetch ends; computes nothing while
 * a client is answered.
 */
export class SourceActivity {
  private lists = new Map<string, ListActivity>();
  private capabilityUses = new Map<Resource['path'], Map<string, CapabilityUse>>();
  private results = new Map<'ok' | FailureReason, number>();

  /** Finished requests by result. */
  get requestResults(): ReadonlyMap<'ok' | FailureReason, number> {
    return this.results;
  }

  note(event: SourceEvent): void {
    if (event.type === 'request sent') this.results.set(event.result, (this.results.get(event.result) ?? 0) + 1);
    else if (event.type === 'fetch finished') this.noteFetch(event);
  }

  /** Of feeds, by URL. */
  list(resource: Resource, feed = ''): ListActivity {
    // The data interface's teams and their keys are two lists with one name.
    const key = `${resource === dataTeamsWithKeys ? 'team-keys' : resource.name} ${feed}`;
    const known = this.lists.get(key) ?? new ListActivity();
    this.lists.set(key, known);
    return known;
  }

  /** By kind and name: `filter country`. */
  useOf({ path }: Resource, capability: string): CapabilityUse {
    return this.capabilityUses.get(path)?.get(capability) ?? { uses: 0, checks: 0 };
  }

  private noteFetch(fetch: FetchFinished): void {
    const { at, resource, list, parameters, outcome, result } = fetch;
    const { state } = result.kind === 'failed' ? result.failure : outcome;
    // No request was sent to a suspended source; a wrong evaluation is noted with the capability.
    const isCounted = state !== 'suspended' && !(result.kind === 'failed' && result.isDisproof);
    if (isCounted && list !== 'item' && list !== 'part') this.list(resource, parameters['feed']).note(fetch);
    if (result.kind === 'drained')
      for (const { capability, isChecked } of result.received.capabilities)
        this.countUse(resource, capability, isChecked ? at : undefined);
  }

  /** After a reload (operation 6.2). */
  continueFrom(previous: SourceActivity): void {
    this.lists = previous.lists;
    this.capabilityUses = previous.capabilityUses;
    this.results = previous.results;
  }

  private countUse({ path }: Resource, capability: string, checkedAt: number | undefined): void {
    const uses = this.capabilityUses.get(path) ?? new Map<string, CapabilityUse>();
    this.capabilityUses.set(path, uses);
    const use = uses.get(capability) ?? { uses: 0, checks: 0 };
    uses.set(capability, use);
    use.uses += 1;
    if (checkedAt === undefined) return;
    use.checks += 1;
    use.lastChecked = checkedAt;
  }
}
