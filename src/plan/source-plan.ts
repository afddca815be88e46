import { pushDown } from './push-down.js';
import type { PushDown, SourceTraits } from './push-down.js';
import { noCapability } from '../model/registration/capability.js';
import type { Capability } from '../model/registration/capability.js';
import type { Query } from '../model/query.js';

/**
 * `large`: no fresh snapshot, and more records than the source's drain-threshold. `too-large`: in addition, the list
 * exceeds the memory of one source (decisions 5.3, 5.10).
 */
export type SnapshotAvailability = 'fresh' | 'stale' | 'none' | 'large' | 'too-large';

/** What is known before the source is contacted. */
interface SourcePlanInput {
  readonly availability: SnapshotAvailability;
  /** Without capabilities that were disproved. */
  readonly capability: Capability;
  readonly traits: SourceTraits;
}

/**
 * `sent` are parameters besides paging, `residual` those that Rollcall evaluates. After `cached` and `drain`, all
 * records of the source are available.
 */
export type SourcePlan =
  | ({ readonly strategy: 'cached'; readonly isStale: boolean } & WorkSplit)
  /** `ifLarge`: the plan if the list has more records than the source's drain-threshold. */
  | ({ readonly strategy: 'drain'; readonly ifLarge: LargeSourcePlan } & WorkSplit)
  | LargeSourcePlan;

/** How a source with more records than its drain-threshold answers a query. */
export type LargeSourcePlan =
  /**
   * Fetches all matches of the parameters sent (narrowed drain) or, with `isTopN`, only the first ones of the
   * guaranteed order (stream). `isCountOnly`: only the total, without order.
   */
  | ({
      readonly strategy: 'push-down';
      readonly pushDown: PushDown;
      readonly isTopN: boolean;
      readonly isCountOnly: boolean;
    } & WorkSplit)
  /** No pushed-down filter narrows the list, so all of it is drained, within the memory limit. */
  | ({ readonly strategy: 'drain'; readonly pushDown: PushDown } & WorkSplit)
  /** As `drain`, but the complete list is known to exceed the memory limit. */
  | { readonly strategy: 'too-large'; readonly pushDown: PushDown };

export interface WorkSplit {
  readonly sent: PushDown['sent'];
  readonly residual: PushDown['residual'];
}

/** A source that is not large is drained. A large one is queried by push-down where possible, and drained otherwise. */
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
 * Whether a part of the list is enough. For scope `pgp`, keys come in a separate list (decisions 5.12); items do not
 * name their channels (decisions 5.18); relevance needs all records (decisions 2.40).
 */
function canPushDown({ scope, channel, search }: Query): boolean {
  return scope !== 'pgp' && channel === undefined && search === undefined;
}

/**
 * Rollcall evaluates all but `channel`, unless items name their channels (decisions 2.32). Searches order by relevance.
 */
function planWithoutPushDown(query: Query, traits: SourceTraits): WorkSplit {
  const { residual } = pushDown(query, noCapability, traits);
  const { channel, search } = query;
  if (search !== undefined) return { sent: {}, residual: ['q', ...residual.filter((name) => name !== 'sort')] };
  return channel === undefined || traits.itemsNameChannels === true
    ? { sent: {}, residual }
    : { sent: { channel }, residual: residual.filter((name) => name !== 'channel') };
}
