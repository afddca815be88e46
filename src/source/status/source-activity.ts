import type { FailureReason } from '../../model/outcome.js';
import type { Resource } from '../../model/resource.js';
import { dataTeamsWithKeys } from '../../model/resources/data-teams.js';
import { feedEntries } from '../../model/resources/feed-entries.js';
import type { SourceQuery } from '../request/source-query.js';
import { ListActivity } from './list-activity.js';
import type { FinishedFetch } from './list-activity.js';

/** How often a capability was used. */
export interface CapabilityUse {
  /** Number of fetches that relied on it. */
  uses: number;
  /** Number of them whose records were compared with it. */
  checks: number;
  /** Time of the last check, in milliseconds since 1970. */
  lastChecked?: number;
}

/**
 * What the requests to one source at one access level showed, for the operator (operation 3.5). Nothing here is
 * computed while a request of a client is answered, but counted when a fetch ends.
 */
export class SourceActivity {
  private lists = new Map<string, ListActivity>();
  private capabilityUses = new Map<Resource['path'], Map<string, CapabilityUse>>();
  private results = new Map<'ok' | FailureReason, number>();

  /** Number of finished requests by result. */
  get requestResults(): ReadonlyMap<'ok' | FailureReason, number> {
    return this.results;
  }

  /** Counts a finished request. */
  countRequest(result: 'ok' | FailureReason): void {
    this.results.set(result, (this.results.get(result) ?? 0) + 1);
  }

  /** Returns what is known of a list; of a source that consists of feeds, of the feed with a URL. */
  list(resource: Resource, feed = ''): ListActivity {
    // The teams of the data interface and their keys are two lists with one name.
    const key = `${resource === dataTeamsWithKeys ? 'team-keys' : resource.name} ${feed}`;
    const known = this.lists.get(key) ?? new ListActivity();
    this.lists.set(key, known);
    return known;
  }

  /** Returns how a capability for a resource was used, by its kind and name: `filter country`. */
  useOf({ path }: Resource, capability: string): CapabilityUse {
    return this.capabilityUses.get(path)?.get(capability) ?? { uses: 0, checks: 0 };
  }

  /** Notes a fetch. Fetches of single items and of the items of one channel are not reported. */
  noteFetch(query: SourceQuery, fetch: FinishedFetch): void {
    const { resource, parameters, nativeId, pushDown } = query;
    if (nativeId !== undefined) return;
    if (pushDown !== undefined) this.list(resource).noteResult(fetch);
    else if (resource === feedEntries) this.list(resource, parameters['feed']).note(fetch);
    else if (resource === dataTeamsWithKeys || Object.keys(parameters).length === 0) this.list(resource).note(fetch);
  }

  /**
   * Notes that the records of a pushed-down query were received, and that no check contradicted a capability. `at` is in
   * milliseconds since 1970.
   */
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

  /** Takes over what the source of an earlier configuration noted (operation 6.2). */
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
