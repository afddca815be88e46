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
 * How one source answers a query (decisions.md, section 5). A plain value. Of what is held or drained all that the source has is at hand, and the
 * offer names what is done with it here.
 */
export type Way =
  | { readonly way: 'held'; readonly stale: boolean; readonly offer: Offer }
  /** `ifLarge`: unless it turns out to have more records than are drained. */
  | { readonly way: 'drain'; readonly offer: Offer; readonly ifLarge: Narrowing }
  | Narrowing;

/** How a source answers that has too much to be drained. */
export type Narrowing =
  /** What comes are the matches (`stream` false), or, where that is guaranteed to be enough, only as many from the start of the order as are wanted. */
  | { readonly way: 'push-down'; readonly offer: Offer; readonly stream: boolean }
  /** Nothing that the source is known to do would make it less. */
  | { readonly way: 'too-large'; readonly offer: Offer };

/** Drains what is not large, and asks of what is only what the query needs. */
export function wayOf(query: Query, known: Known): Way {
  const { standing, origin } = known;
  if (standing === 'too-large') return narrowing(query, known);
  const whole = unaided(query, origin);
  if (standing === 'none') return { way: 'drain', offer: whole, ifLarge: narrowing(query, known) };
  return { way: 'held', stale: standing === 'stale', offer: whole };
}

function narrowing(query: Query, { capability, origin }: Known): Narrowing {
  const offered = offer(query, takesAll(query) ? noCapability : capability, origin);
  const { guaranteed, sent } = offered;
  const narrows = Object.keys(sent).some((name) => name !== 'sort');
  if (!guaranteed.limit && !narrows) return { way: 'too-large', offer: offered };
  return { way: 'push-down', offer: offered, stream: guaranteed.limit };
}

/** Which items are a channel's, and the keys of teams, are asked for beside all items and teams: these are needed, whatever the source can do. */
function takesAll({ channel, scope }: Query): boolean {
  return channel !== undefined || scope === 'pgp';
}

/** Everything is done here, but that only a source knows which items are a channel's. */
function unaided(query: Query, origin: Origin): Offer {
  const offered = offer(query, noCapability, origin);
  const { channel } = query;
  if (channel === undefined) return offered;
  return { ...offered, sent: { channel }, residual: offered.residual.filter((name) => name !== 'channel') };
}
