import { readHops, readVia } from '../wire/via.js';
import { SourceFailure } from './failure.js';
import type { Fetch, WireReply } from './fetch.js';

/** A reply that came through this gateway (decisions.md, section 5): what it brings is known here already. */
export class Loop extends SourceFailure {
  constructor(override readonly via: readonly string[]) {
    super('loop', `it leads back here, through ${via.join(', ')}`, { via });
    this.name = 'Loop';
  }
}

/**
 * Ends what leads back to the gateway of this name with its first reply, unread: a reply of any status that names it in Via, for a gateway in a ring
 * that has nothing of its own gives errors only.
 */
export function withoutLoops(next: Fetch<WireReply>, name: string): Fetch<WireReply> {
  return (request, signal) =>
    next(request, signal).then((reply) => (readVia(reply.header('via')).includes(name) ? ended(reply) : reply));
}

async function ended(reply: WireReply): Promise<never> {
  await reply.discard();
  throw new Loop(readHops(reply.header('via')));
}
