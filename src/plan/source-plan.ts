import { pushDown } from './push-down.js';
import type { PushDown, SourceTraits } from './push-down.js';
import { noCapability } from '../model/capability.js';
import type { Capability } from '../model/capability.js';
import type { Query } from '../model/query.js';

/**
 * What is held of all that a query needs: within its time to live, past it but still given, or nothing. `large`: nothing that is fresh, and the source has
 * more records than its drain-threshold; `too-large`: more than may be held of one source, too.
 */
export type SnapshotAvailability = 'fresh' | 'stale' | 'none' | 'large' | 'too-large';

/** What is known of a source's resource before it is asked. */
export interface SourcePlanInput {
  readonly availability: SnapshotAvailability;
  /** What the source is believed to do with it. */
  readonly capability: Capability;
  /** Whose records they are. */
  readonly traits: SourceTraits;
}

/**
 * How one source answers a query (decisions.md, section 5). A plain value: parameters that are `sent` beside paging, and names of the parameters
 * whose work is done `here`. Of what is held or drained all that the source has is at hand.
 */
export type SourcePlan =
  /** `large`: it is a list with more records than the source's drain-threshold. */
  | ({ readonly strategy: 'held'; readonly isStale: boolean; readonly isLarge?: true } & WorkSplit)
  /** `ifLarge`: where it turns out to have more records than its drain-threshold. */
  | ({ readonly strategy: 'drain'; readonly ifLarge: LargeSourcePlan } & WorkSplit)
  | LargeSourcePlan;

/** How a source answers that has more records than its drain-threshold. */
export type LargeSourcePlan =
  /**
   * What comes meets what is sent: all of it, or, as a `stream`, where that is guaranteed to be enough, as many from the start of the order as are wanted.
   * `counts`: only the total is wanted, and no order is sent.
   */
  | ({
      readonly strategy: 'push-down';
      readonly pushDown: PushDown;
      readonly isTopN: boolean;
      readonly isCountOnly: boolean;
    } & WorkSplit)
  /** Nothing that the source is known to do would make it less: all that it has is drained, as long as that may be held. */
  | ({ readonly strategy: 'drain-large'; readonly pushDown: PushDown } & WorkSplit)
  /** The same, and all that it has is known to be more than may be held. */
  | { readonly strategy: 'too-large'; readonly pushDown: PushDown };

/** Which work the source does, and which is done here. */
export interface WorkSplit {
  readonly sent: PushDown['sent'];
  readonly residual: PushDown['residual'];
}

/** Drains what is not large; of what is, only what the query needs is asked, where that is possible, and else it is drained all the same. */
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
  // Of all that comes the order is made here: one set serves every order.
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
 * Whether less than the whole list of the source can answer the query. Which teams have keys is known from a list of its own, and items do not name
 * their channel.
 */
function canPushDown({ scope, channel }: Query, { filters, total }: Capability): boolean {
  return scope !== 'pgp' && (channel === undefined || (filters.includes('channel') && total));
}

/** Everything is done here, but that only a source knows which items are a channel's. */
function planWithoutPushDown(query: Query, origin: SourceTraits): WorkSplit {
  const { residual } = pushDown(query, noCapability, origin);
  const { channel } = query;
  return channel === undefined
    ? { sent: {}, residual: residual }
    : { sent: { channel }, residual: residual.filter((name) => name !== 'channel') };
}
