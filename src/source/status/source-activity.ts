import type { FailureReason } from '../../model/reasons.js';
import type { Resource } from '../../model/resource.js';
import { dataTeamsWithKeys } from '../../model/resources/data-teams.js';
import { feedEntries } from '../../model/resources/feed-entries.js';
import type { SourceQuery } from '../request/source-query.js';
import { ListActivity } from './list-activity.js';
import type { FinishedFetch } from './list-activity.js';

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

  countRequest(result: 'ok' | FailureReason): void {
    this.results.set(result, (this.results.get(result) ?? 0) + 1);
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

  /** Not of single items or of one channel's items. */
  noteFetch(query: SourceQuery, fetch: FinishedFetch): void {
    const { resource, parameters, nativeId, pushDown } = query;
    if (nativeId !== undefined) return;
    if (pushDown !== undefined) this.list(resource).noteResult(fetch);
    else if (resource === feedEntries) this.list(resource, parameters['feed']).note(fetch);
    else if (resource === dataTeamsWithKeys || Object.keys(parameters).length === 0) this.list(resource).note(fetch);
  }

  /** Pushed-down records were received, and no check contradicted a capability. `at` is in milliseconds since 1970. */
  noteChecked({ resource, parameters, pushDown }: SourceQuery, at: number): void {
    if (pushDown === undefined) return;
    const checked = new Set(pushDown.exact.map(({ name }) => `filter ${name}`));
    const { sort, ...filters } = parameters;
    const used = Object.keys(filters).map((name) => `filter ${name}`);
    for (const capability of used) this.countUse(resource, capability, checked.has(capability) ? at : undefined);
    if (sort !== undefined) this.countUse(resource, `sort ${sort}`, at);
    // A total is compared with the number of records, where these were requested.
    const isCountOnly = pushDown.topRecords?.first === 0;
    if (pushDown.hasExactTotal) this.countUse(resource, 'total', isCountOnly ? undefined : at);
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
