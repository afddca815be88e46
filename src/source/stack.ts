import type { FailureReason } from '../model/outcome.js';
import { broken } from './breaker.js';
import type { BreakerOptions } from './breaker.js';
import { counted } from './counted.js';
import { decodeJson } from './decode.js';
import type { Fetch, SourceReply, Transport } from './fetch.js';
import { limited, limitedBesideOne } from './limit.js';
import type { Limiter } from './limit.js';
import { withoutLoops } from './loop.js';
import { sameOriginRedirects } from './redirect.js';
import { retried } from './retry.js';
import type { RetryOptions } from './retry.js';
import { timeout } from './timeout.js';

/** What the line of one source is made of. */
export interface StackParts {
  readonly transport: Transport;
  /** This gateway's name in Via. */
  readonly name: string;
  /** Shared by all sources, for what each asks beside one request. */
  readonly house: Limiter;
  /** Of this source alone. */
  readonly own: Limiter;
  /** Milliseconds for one request, its body included. */
  readonly timeout: number;
  /** Decoded bytes of a body. */
  readonly maxBody: number;
  readonly breaker: BreakerOptions;
  readonly retry: RetryOptions;
  /** What came of each request that was sent. */
  readonly count: (result: 'ok' | FailureReason) => void;
}

/** The line from a source's drain to the wire, outermost layer last; a request's time begins when it has its place in both limits. */
export function stack(parts: StackParts): Fetch<SourceReply> {
  const redirected = sameOriginRedirects(parts.transport);
  const forward = withoutLoops(redirected, parts.name);
  const decoded = decodeJson(forward, parts.maxBody);
  const timed = timeout(decoded, parts.timeout);
  const inHouse = limitedBesideOne(timed, parts.house);
  const inTurn = limited(inHouse, parts.own);
  const told = counted(inTurn, parts.count);
  const guarded = broken(told, parts.breaker);
  return retried(guarded, parts.retry);
}
