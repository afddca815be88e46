import { offer } from './push-down.js';
import type { Offer, Origin } from './push-down.js';
import type { Capability } from '../model/capabilities.js';
import type { Query } from '../model/query.js';

/** What is known of a source's resource before it is asked. */
export interface Known {
  /** Whether all of it is held, and still given. */
  readonly held: boolean;
  /** Whether it has more records than are drained. */
  readonly large: boolean;
  /** What the source is believed to do with it. */
  readonly capability: Capability;
  /** Whose records they are. */
  readonly origin: Origin;
}

/**
 * How one source answers a query (decisions.md, section 5). `held` and `drain` have all that the source has at hand, and everything is done
 * here. Of a source that is pushed down to comes what meets what is `sent`: all of it, or, as a `stream`, where that is guaranteed to be enough,
 * as many from the start of the order as are wanted.
 */
export type Way =
  | { readonly way: 'held' | 'drain' }
  | { readonly way: 'push-down'; readonly offer: Offer; readonly sent: Offer['sent']; readonly stream: boolean }
  /** Too much to be drained, and nothing that the source is known to do would make it less. */
  | { readonly way: 'too-large'; readonly offer: Offer };

/** Drains what is not large, and asks of what is only what the query needs. */
export function wayOf(query: Query, { held, large, capability, origin }: Known): Way {
  if (held) return { way: 'held' };
  if (!large) return { way: 'drain' };
  const offered = offer(query, capability, origin);
  const { guaranteed, sent } = offered;
  // Keys may come in a list of their own, and of which channel an item is only a list of the channel's tells.
  if (query.scope === 'pgp' || query.channel !== undefined) return { way: 'too-large', offer: offered };
  if (guaranteed.limit) return { way: 'push-down', offer: offered, sent, stream: true };
  // Of all that comes the order is made here: one set serves every order.
  const narrowing = Object.entries(sent).filter(([name]) => name !== 'sort');
  if (narrowing.length === 0) return { way: 'too-large', offer: offered };
  return { way: 'push-down', offer: offered, sent: Object.fromEntries(narrowing), stream: false };
}
