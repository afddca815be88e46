import type { Clock } from '../model/clock.js';
import type { FailureReason } from '../model/outcome.js';
import type { BodyParser } from './body-parser.js';
import { broken } from './breaker.js';
import type { BreakerOptions } from './breaker.js';
import { counted } from './counted.js';
import { decodeBody } from './decode.js';
import type { SourceFetch, Transport } from './fetch.js';
import { limited, limitedBesideOne } from './limit.js';
import type { Limiter } from './limit.js';
import { withoutLoops } from './loop.js';
import { readReplies } from './read-replies.js';
import { sameOriginRedirects } from './redirect.js';
import { retried } from './retry.js';
import type { RetryOptions } from './retry.js';
import { timeout } from './timeout.js';

/** What the line of one source is made of. */
export interface StackParts {
  readonly transport: Transport;
  /** For the time at which bodies are read. */
  readonly clock: Clock;
  /** Parses large bodies in a worker thread; absent: they are parsed on this one. */
  readonly bodies?: BodyParser | undefined;
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

/** The line from a source's drain to the wire, outermost layer last; a request's time begins when it has its place in both limits, and ends with its last byte. */
export function stack(parts: StackParts): SourceFetch {
  const redirected = sameOriginRedirects(parts.transport);
  const forward = withoutLoops(redirected, parts.name);
  const decoded = decodeBody(forward, parts.maxBody);
  const timed = timeout(decoded, parts.timeout);
  const read = readReplies(timed, parts);
  const inHouse = limitedBesideOne(read, parts.house);
  const inTurn = limited(inHouse, parts.own);
  const told = counted(inTurn, parts.count);
  const guarded = broken(told, parts.breaker);
  return retried(guarded, parts.retry);
}
