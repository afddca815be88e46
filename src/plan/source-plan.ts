import { pushDown } from './push-down.js';
import type { PushDown, SourceTraits } from './push-down.js';
import { noCapability } from '../model/registration/capability.js';
import type { Capability } from '../model/registration/capability.js';
import type { Query } from '../model/query.js';

/**
 * Availability of a snapshot with all records that a query needs: fresh, stale but usable, or none. `large`: no fresh
 * snapshot, and the source has more records than its drain-threshold. `too-large`: in addition, its list exceeds the
 * memory that one source may use (decisions 5.3, 5.10).
 */
export type SnapshotAvailability = 'fresh' | 'stale' | 'none' | 'large' | 'too-large';

/** What is known about a resource of a source before the source is contacted. */
export interface SourcePlanInput {
  readonly availability: SnapshotAvailability;
  /** Capabilities of the source for the resource, without those that were disproved. */
  readonly capability: Capability;
  /** The source's properties that decide what may be pushed down. */
  readonly traits: SourceTraits;
}

/**
 * How one source answers a query. A plain value: `sent` are parameters sent in addition to paging, `residual` are names
 * of parameters that Rollcall evaluates. After `cached` and `drain`, all records of the source are available.
 */
export type SourcePlan =
  /** `cached`: a cached snapshot is used. */
  | ({ readonly strategy: 'cached'; readonly isStale: boolean } & WorkSplit)
  /** `ifLarge`: the plan to follow if the list turns out to have more records than the source's drain-threshold. */
  | ({ readonly strategy: 'drain'; readonly ifLarge: LargeSourcePlan } & WorkSplit)
  | LargeSourcePlan;

/** How a source with more records than its drain-threshold answers a query. */
export type LargeSourcePlan =
  /**
   * Fetches records that match the parameters sent: all of them (narrowed drain) or, with `isTopN`, only the first
   * ones of the guaranteed order (stream). `isCountOnly`: only the total is needed, and no order is sent.
   */
  | ({
      readonly strategy: 'push-down';
      readonly pushDown: PushDown;
      readonly isTopN: boolean;
      readonly isCountOnly: boolean;
    } & WorkSplit)
  /** No pushed-down filter narrows the list, so the complete list is drained, within the memory limit. */
  | ({ readonly strategy: 'drain'; readonly pushDown: PushDown } & WorkSplit)
  /** As `drain`, but the complete list is known to exceed the memory limit. */
  | { readonly strategy: 'too-large'; readonly pushDown: PushDown };

/** Division of work between the source and Rollcall. */
export interface WorkSplit {
  readonly sent: PushDown['sent'];
  readonly residual: PushDown['residual'];
}

/**
 * Chooses the plan. A source that is not large is drained. A large source is queried by push-down where possible, and
 * drained otherwise.
 */
export function planSource(query: Query, input: SourcePlanInput): SourcePlan {
  const { availability, traits } = input;
  if (availability === 'large' || availability === 'too-large') return planLargeSource(query, input);
  const split = planWithoutPushDown(query, traits);
  if (availability === 'none') return { strategy: 'drain', ...split, ifLarge: planLargeSource(query, input) };
  return { strategy: 'cached', isStale: availability === 'stale', ...split };
}

function planLargeSource(query: Query, { availability, capability, traits }: SourcePlanInput): LargeSourcePlan {
  const pushed = pushDown(query, canPushDown(query) ? capability : noCapability, traits);
  const { guaranteed, sent, residual } = pushed;
  if (guaranteed.limit)
    return { strategy: 'push-down', pushDown: pushed, sent, residual, isTopN: true, isCountOnly: false };
  // Rollcall sorts what a narrowed drain or a count returns, so that one cached list serves every order.
  const filters = Object.fromEntries(Object.entries(sent).filter(([name]) => name !== 'sort'));
  const residualFilters = residual.filter((name) => name !== 'sort');
  if (query.limit === 0 && guaranteed.total)
    return {
      strategy: 'push-down',
      pushDown: { ...pushed, order: [] },
      sent: filters,
      residual: residualFilters,
      isTopN: true,
      isCountOnly: true,
    };
  const residualWithSort = [...residualFilters, 'sort'];
  if (Object.keys(filters).length > 0)
    return {
      strategy: 'push-down',
      pushDown: pushed,
      sent: filters,
      residual: residualWithSort,
      isTopN: false,
      isCountOnly: false,
    };
  return availability === 'too-large'
    ? { strategy: 'too-large', pushDown: pushed }
    : { strategy: 'drain', pushDown: pushed, ...planWithoutPushDown(query, traits) };
}

/**
 * Whether a part of the source's list is enough for the query. It is not for scope `pgp`, because the keys come in a
 * separate list (decisions 5.12), nor for a channel, because items do not name their channels (decisions 5.18), nor for
 * a search by relevance (decisions 2.40).
 */
function canPushDown({ scope, channel, search }: Query): boolean {
  return scope !== 'pgp' && channel === undefined && search === undefined;
}

/**
 * The split without push-down: Rollcall evaluates everything except `channel`, which only the source can evaluate unless its
 * items name their channels (decisions 2.32). A search has no order but its relevance.
 */
function planWithoutPushDown(query: Query, traits: SourceTraits): WorkSplit {
  const { residual } = pushDown(query, noCapability, traits);
  const { channel, search } = query;
  if (search !== undefined) return { sent: {}, residual: ['q', ...residual.filter((name) => name !== 'sort')] };
  return channel === undefined || traits.itemsNameChannels === true
    ? { sent: {}, residual }
    : { sent: { channel }, residual: residual.filter((name) => name !== 'channel') };
}
