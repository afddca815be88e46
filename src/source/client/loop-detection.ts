import { parseViaNames } from '../../headers/via.js';
import { SourceFailure } from './source-failure.js';
import type { Fetch, HttpResponse } from './http-client-types.js';

/** The response passed through this gateway (decisions 5.23), which already knows its records. */
export class LoopFailure extends SourceFailure {
  constructor(override readonly via: readonly string[]) {
    super('loop', `the response passed through this gateway, via ${via.join(', ')}`, { via });
    this.name = 'Loop';
  }
}

/**
 * Rejects a response whose Via names this gateway, without reading its body. Any status: in a ring, a gateway without
 * own records returns only errors.
 */
export function withLoopDetection(next: Fetch<HttpResponse>, name: string): Fetch<HttpResponse> {
  return (request, signal) =>
    next(request, signal).then((reply) => {
      const via = parseViaNames(reply.header('via'));
      return via.includes(name) ? rejectLoop(reply, via) : reply;
    });
}

async function rejectLoop(reply: HttpResponse, via: readonly string[]): Promise<never> {
  await reply.discard();
  throw new LoopFailure(via);
}
