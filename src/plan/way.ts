import { offer } from './push-down.js';
import type { Offer, Origin } from './push-down.js';
import { noCapability } from '../model/capabilities.js';
import type { Capability } from '../model/capabilities.js';
import type { Query } from '../model/query.js';

/**
 * What is held of all that a query needs: within its time to live, past it but still given, or nothing. `large`: nothing that is fresh, and the source has
 * more records than its drain-threshold; `too-large`: more than may be held of one source, too.
 */
export type Availability = 'fresh' | 'stale' | 'none' | 'large' | 'too-large';

/** What is known of a source's resource before it is asked. */
export interface Known {
  readonly availability: Availability;
  /** What the source is believed to do with it. */
  readonly capability: Capability;
  /** Whose records they are. */
  readonly origin: Origin;
}

/**
 * How one source answers a query (decisions.md, section 5). A plain value: parameters that are `sent` beside paging, and names of the parameters
 * whose work is done `here`. Of what is held or drained all that the source has is at hand.
 */
export type Way =
  /** `large`: it is a list with more records than the source's drain-threshold. */
  | ({ readonly way: 'held'; readonly stale: boolean; readonly large?: true } & Shares)
  /** `ifLarge`: where it turns out to have more records than its drain-threshold. */
  | ({ readonly way: 'drain'; readonly ifLarge: LargeWay } & Shares)
  | LargeWay;

/** How a source answers that has more records than its drain-threshold. */
export type LargeWay =
  /**
   * What comes meets what is sent: all of it, or, as a `stream`, where that is guaranteed to be enough, as many from the start of the order as are wanted.
   * `counts`: only the total is wanted, and no order is sent.
   */
  | ({ readonly way: 'push-down'; readonly offer: Offer; readonly stream: boolean; readonly counts: boolean } & Shares)
  /** Nothing that the source is known to do would make it less: all that it has is drained, as long as that may be held. */
  | ({ readonly way: 'drain-large'; readonly offer: Offer } & Shares)
  /** The same, and all that it has is known to be more than may be held. */
  | { readonly way: 'too-large'; readonly offer: Offer };

/** Which work the source does, and which is done here. */
interface Shares {
  readonly sent: Offer['sent'];
  readonly here: Offer['residual'];
}

/** Drains what is not large; of what is, only what the query needs is asked, where that is possible, and else it is drained all the same. */
export function wayOf(query: Query, known: Known): Way {
  const { availability, origin } = known;
  if (availability === 'large' || availability === 'too-large') return largeWay(query, known);
  const shares = unaided(query, origin);
  if (availability === 'none') return { way: 'drain', ...shares, ifLarge: largeWay(query, known) };
  return { way: 'held', stale: availability === 'stale', ...shares };
}

function largeWay(query: Query, { availability, capability, origin }: Known): LargeWay {
  const offered = offer(query, canNarrow(query, capability) ? capability : noCapability, origin);
  const { guaranteed, sent, residual } = offered;
  if (guaranteed.limit) return { way: 'push-down', offer: offered, sent, here: residual, stream: true, counts: false };
  // Of all that comes the order is made here: one set serves every order.
  const filters = Object.fromEntries(Object.entries(sent).filter(([name]) => name !== 'sort'));
  const left = residual.filter((name) => name !== 'sort');
  if (query.limit === 0 && guaranteed.total)
    return {
      way: 'push-down',
      offer: { ...offered, order: [] },
      sent: filters,
      here: left,
      stream: true,
      counts: true,
    };
  const here = [...left, 'sort'];
  if (Object.keys(filters).length > 0)
    return { way: 'push-down', offer: offered, sent: filters, here, stream: false, counts: false };
  return availability === 'too-large'
    ? { way: 'too-large', offer: offered }
    : { way: 'drain-large', offer: offered, ...unaided(query, origin) };
}

/**
 * Whether less than the whole list of the source can answer the query. Which teams have keys is known from a list of its own, and items do not name
 * their channel.
 */
function canNarrow({ scope, channel }: Query, { filters, total }: Capability): boolean {
  return scope !== 'pgp' && (channel === undefined || (filters.includes('channel') && total));
}

/** Everything is done here, but that only a source knows which items are a channel's. */
function unaided(query: Query, origin: Origin): Shares {
  const { residual } = offer(query, noCapability, origin);
  const { channel } = query;
  return channel === undefined
    ? { sent: {}, here: residual }
    : { sent: { channel }, here: residual.filter((name) => name !== 'channel') };
}
