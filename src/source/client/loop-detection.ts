import { parseViaHops, parseViaNames } from '../../headers/via.js';
import { SourceFailure } from './source-failure.js';
import type { Fetch, HttpResponse } from './fetch.js';

/** A reply that came through this gateway (decisions.md, section 5): what it brings is known here already. */
export class LoopFailure extends SourceFailure {
  constructor(override readonly via: readonly string[]) {
    super('loop', `it leads back here, through ${via.join(', ')}`, { via });
    this.name = 'Loop';
  }
}

/**
 * Ends what leads back to the gateway of this name with its first reply, unread: a reply of any status that names it in Via, for a gateway in a ring
 * that has nothing of its own gives errors only.
 */
export function withLoopDetection(next: Fetch<HttpResponse>, name: string): Fetch<HttpResponse> {
  return (request, signal) =>
    next(request, signal).then((reply) =>
      parseViaNames(reply.header('via')).includes(name) ? rejectLoop(reply) : reply,
    );
}

async function rejectLoop(reply: HttpResponse): Promise<never> {
  await reply.discard();
  throw new LoopFailure(parseViaHops(reply.header('via')));
}
