import { offer } from './push-down.js';
import type { Offer, Origin } from './push-down.js';
import { noCapability } from '../model/capabilities.js';
import type { Capability } from '../model/capabilities.js';
import type { Query } from '../model/query.js';

/** What is held of all that a query needs: within its time to live, past it but still given, or nothing; or that it is known to be too much. */
export type Standing = 'fresh' | 'stale' | 'none' | 'too-large';

/** What is known of a source's resource before it is asked. */
export interface Known {
  readonly standing: Standing;
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
  | ({ readonly way: 'held'; readonly stale: boolean } & Shares)
  /** `ifLarge`: unless it turns out to have more records than are drained. */
  | ({ readonly way: 'drain'; readonly ifLarge: Narrowing } & Shares)
  | Narrowing;

/** How a source answers that has too much to be drained. */
export type Narrowing =
  /** What comes meets what is sent: all of it, or, as a `stream`, where that is guaranteed to be enough, as many from the start of the order as are wanted. */
  | ({ readonly way: 'push-down'; readonly offer: Offer; readonly stream: boolean } & Shares)
  /** Nothing that the source is known to do would make it less. */
  | { readonly way: 'too-large'; readonly offer: Offer };

/** Who does what. */
interface Shares {
  readonly sent: Offer['sent'];
  readonly here: Offer['residual'];
}

/** Drains what is not large, and asks of what is only what the query needs. */
export function wayOf(query: Query, known: Known): Way {
  const { standing, origin } = known;
  if (standing === 'too-large') return narrowing(query, known);
  const shares = unaided(query, origin);
  if (standing === 'none') return { way: 'drain', ...shares, ifLarge: narrowing(query, known) };
  return { way: 'held', stale: standing === 'stale', ...shares };
}

function narrowing(query: Query, { capability, origin }: Known): Narrowing {
  const offered = offer(query, takesAll(query) ? noCapability : capability, origin);
  const { guaranteed, sent, residual } = offered;
  if (guaranteed.limit) return { way: 'push-down', offer: offered, sent, here: residual, stream: true };
  // Of all that comes the order is made here: one set serves every order.
  const filters = Object.entries(sent).filter(([name]) => name !== 'sort');
  if (filters.length === 0) return { way: 'too-large', offer: offered };
  const here = [...residual.filter((name) => name !== 'sort'), 'sort'];
  return { way: 'push-down', offer: offered, sent: Object.fromEntries(filters), here, stream: false };
}

/** Keys may come in a list of their own, and of which channel an item is only a list of the channel's tells: both are told from all that the source has. */
function takesAll({ channel, scope }: Query): boolean {
  return channel !== undefined || scope === 'pgp';
}

/** Everything is done here, but that only a source knows which items are a channel's. */
function unaided(query: Query, origin: Origin): Shares {
  const { residual } = offer(query, noCapability, origin);
  const { channel } = query;
  return channel === undefined
    ? { sent: {}, here: residual }
    : { sent: { channel }, here: residual.filter((name) => name !== 'channel') };
}
