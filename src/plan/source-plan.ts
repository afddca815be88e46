import { pushDown } from './push-down.js';
import type { PushDown, SourceTraits } from './push-down.js';
import { noCapability } from '../model/capability.js';
import type { Capability } from '../model/capability.js';
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
 * How one source answers a query (decisions 5.3). A plain value: `sent` are parameters sent in addition to paging,
 * `residual` are names of parameters that Rollcall evaluates. After `held` and `drain`, all records of the source are
 * available.
 */
export type SourcePlan =
  /** `held`: a cached snapshot is used. `isLarge`: the list has more records than the source's drain-threshold. */
  | ({ readonly strategy: 'held'; readonly isStale: boolean; readonly isLarge?: true } & WorkSplit)
  /** `ifLarge`: the plan to follow if the list turns out to have more records than the source's drain-threshold. */
  | ({ readonly strategy: 'drain'; readonly ifLarge: LargeSourcePlan } & WorkSplit)
  | LargeSourcePlan;

/** How a source with more records than its drain-threshold answers a query (decisions 5.3). */
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
  /**
   * No pushed-down filter narrows the list, so the complete list is drained, within the memory limit (decisions 5.10).
   */
  | ({ readonly strategy: 'drain-large'; readonly pushDown: PushDown } & WorkSplit)
  /** As `drain-large`, but the complete list is known to exceed the memory limit. */
  | { readonly strategy: 'too-large'; readonly pushDown: PushDown };

/** Division of work between the source and Rollcall. */
export interface WorkSplit {
  readonly sent: PushDown['sent'];
  readonly residual: PushDown['residual'];
}

/**
 * Chooses the plan (decisions 5.3). A source that is not large is drained. A large source is queried by push-down
 * where possible, and drained otherwise.
 */
export function planSource(query: Query, known: SourcePlanInput): SourcePlan {
  const { availability, traits: origin } = known;
  if (availability === 'large' || availability === 'too-large') return planLargeSource(query, known);
  const shares = planWithoutPushDown(query, origin);
  if (availability === 'none') return { strategy: 'drain', ...shares, ifLarge: planLargeSource(query, known) };
  return { strategy: 'held', isStale: availability === 'stale', ...shares };
}

function planLargeSource(query: Query, { availability, capability, traits: origin }: SourcePlanInput): LargeSourcePlan {
  const offered = pushDown(query, canPushDown(query, capability) ? capability : noCapability, origin);
  const { guaranteed, sent, residual } = offered;
  if (guaranteed.limit)
    return { strategy: 'push-down', pushDown: offered, sent, residual: residual, isTopN: true, isCountOnly: false };
  // Rollcall sorts what a narrowed drain or a count returns, so that one cached list serves every order.
  const filters = Object.fromEntries(Object.entries(sent).filter(([name]) => name !== 'sort'));
  const left = residual.filter((name) => name !== 'sort');
  if (query.limit === 0 && guaranteed.total)
    return {
      strategy: 'push-down',
      pushDown: { ...offered, order: [] },
      sent: filters,
      residual: left,
      isTopN: true,
      isCountOnly: true,
    };
  const here = [...left, 'sort'];
  if (Object.keys(filters).length > 0)
    return {
      strategy: 'push-down',
      pushDown: offered,
      sent: filters,
      residual: here,
      isTopN: false,
      isCountOnly: false,
    };
  return availability === 'too-large'
    ? { strategy: 'too-large', pushDown: offered }
    : { strategy: 'drain-large', pushDown: offered, ...planWithoutPushDown(query, origin) };
}

/**
 * Whether a part of the source's list is enough for the query. It is not for scope `pgp`, because the keys come in a
 * separate list (decisions 5.12), nor for a channel that the source does not filter and count, because items do not
 * name their channels (decisions 5.18).
 */
function canPushDown({ scope, channel }: Query, { filters, total }: Capability): boolean {
  return scope !== 'pgp' && (channel === undefined || (filters.includes('channel') && total));
}

/**
 * The split without push-down: Rollcall evaluates everything except `channel`, which only the source can evaluate
 * (decisions 2.32).
 */
function planWithoutPushDown(query: Query, origin: SourceTraits): WorkSplit {
  const { residual } = pushDown(query, noCapability, origin);
  const { channel } = query;
  return channel === undefined
    ? { sent: {}, residual: residual }
    : { sent: { channel }, residual: residual.filter((name) => name !== 'channel') };
}
