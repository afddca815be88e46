import type { Clock } from '../model/clock.js';
import type { FailureReason } from '../model/outcome.js';
import type { BodyParser } from './body/body-parser.js';
import { withCircuitBreaker } from './client/circuit-breaker.js';
import type { CircuitBreakerOptions } from './client/circuit-breaker.js';
import { withResultCount } from './client/request-metrics.js';
import { withDecoding } from './client/content-decoding.js';
import type { SourceFetch } from './body/source-fetch.js';
import type { Transport } from './client/fetch.js';
import { withLimit, withSharedLimit } from './client/concurrency-limit.js';
import type { Limiter } from './client/concurrency-limit.js';
import { withLoopDetection } from './client/loop-detection.js';
import { withBodyReading } from './body/read-responses.js';
import { withSameOriginRedirects } from './client/redirects.js';
import { withRetry } from './client/retry.js';
import type { RetryOptions } from './client/retry.js';
import { withTimeout } from './client/timeout.js';

/** What the line of one source is made of. */
export interface SourceClientOptions {
  readonly transport: Transport;
  /** For the time at which bodies are read. */
  readonly clock: Clock;
  /** Parses large bodies in a worker thread; absent: they are parsed on this one. */
  readonly bodyParser?: BodyParser | undefined;
  /** This gateway's name in Via. */
  readonly gatewayName: string;
  /** Shared by all sources, for what each asks beside one request. */
  readonly sharedLimit: Limiter;
  /** Of this source alone. */
  readonly sourceLimit: Limiter;
  /** Milliseconds for one request, its body included. */
  readonly timeout: number;
  /** Decoded bytes of a body. */
  readonly maxBody: number;
  readonly breaker: CircuitBreakerOptions;
  readonly retry: RetryOptions;
  /** What came of each request that was sent. */
  readonly onResult: (result: 'ok' | FailureReason) => void;
}

/** The line from a source's drain to the wire, outermost layer last; a request's time begins when it has its place in both limits, and ends with its last byte. */
export function createSourceClient(parts: SourceClientOptions): SourceFetch {
  const redirected = withSameOriginRedirects(parts.transport);
  const forward = withLoopDetection(redirected, parts.gatewayName);
  const decoded = withDecoding(forward, parts.maxBody);
  const timed = withTimeout(decoded, parts.timeout);
  const read = withBodyReading(timed, parts);
  const inHouse = withSharedLimit(read, parts.sharedLimit);
  const inTurn = withLimit(inHouse, parts.sourceLimit);
  const told = withResultCount(inTurn, parts.onResult);
  const guarded = withCircuitBreaker(told, parts.breaker);
  return withRetry(guarded, parts.retry);
}
