import type { Clock } from '../model/clock.js';
import type { SourceCredential } from '../model/registration/source-credential.js';
import type { BodyParser } from './body/body-parser.js';
import { withRedactedFailures } from './body/redacted-failures.js';
import { withAttemptReports, withRequestReports } from './body/request-reports.js';
import type { RequestReportOptions } from './body/request-reports.js';
import { withCircuitBreaker } from './client/circuit-breaker.js';
import type { CircuitBreakerLookup } from './client/circuit-breaker.js';
import { withDecoding } from './client/content-decoding.js';
import { withCredentials } from './client/credentials.js';
import type { SourceFetch } from './body/source-fetch-types.js';
import type { HttpResponse, Layer, Transport } from './client/http-client-types.js';
import { withLimit, withSharedLimit } from './client/concurrency-limit.js';
import type { Limiter } from './client/concurrency-limit.js';
import { withLoopDetection } from './client/loop-detection.js';
import { withBodyReading } from './body/read-responses.js';
import { withSameOriginRedirects } from './client/redirects.js';
import { withRequestSettings } from './client/request-settings.js';
import type { RequestSettings } from './client/request-settings.js';
import { withRetry } from './client/retry.js';
import type { RetryOptions } from './client/retry.js';
import { withTimeout } from './client/timeout.js';

interface SourceClientOptions extends RequestSettings {
  readonly transport: Transport;
  /** At the source (operation 2.8.12). Absent: none is sent. */
  readonly credential?: SourceCredential | undefined;
  /** Sees every request, including retries and redirects, but not the credential. */
  readonly requestObserver?: Layer<HttpResponse> | undefined;
  /** For the time at which a body is read. */
  readonly clock: Clock;
  /** In a worker thread, for large bodies. Absent: this thread. */
  readonly bodyParser?: BodyParser | undefined;
  /** `server.name`, in `Via`. */
  readonly gatewayName: string;
  /** For all sources; one request at each is exempt (decisions 5.8). */
  readonly sharedLimit: Limiter;
  /** `concurrency` of this source. */
  readonly sourceLimit: Limiter;
  /** Milliseconds, body included. */
  readonly timeout: number;
  /** Decoded bytes. */
  readonly maxBody: number;
  readonly breakers: CircuitBreakerLookup;
  readonly retry: RetryOptions;
  /** Absent: requests are not reported. */
  readonly reports?: Omit<RequestReportOptions, 'clock'> | undefined;
}

/** Layers, the outermost last. A request's timeout begins when both limits admit it and ends with the body. */
export function createSourceClient(options: SourceClientOptions): SourceFetch {
  const { credential, requestObserver, reports, clock } = options;
  const transport = withRequestSettings(options)(options.transport);
  const authenticated = credential === undefined ? transport : withCredentials(credential)(transport);
  const redirected = withSameOriginRedirects(requestObserver?.(authenticated) ?? authenticated);
  const forward = withLoopDetection(redirected, options.gatewayName);
  const decoded = withDecoding(forward, options.maxBody);
  const timed = withTimeout(decoded, options.timeout);
  const read = withBodyReading(timed, options);
  const sharedLimited = withSharedLimit(read, options.sharedLimit);
  const limited = withLimit(sharedLimited, options.sourceLimit);
  const reported = reports === undefined ? limited : withAttemptReports(limited, reports.publish);
  const guarded = withCircuitBreaker(reported, options.breakers);
  const retried = withRetry(guarded, options.retry, ({ trace }, resends) => {
    trace?.setAttributes({ 'http.request.resend_count': resends });
  });
  const redacted = credential === undefined ? retried : withRedactedFailures(credential)(retried);
  return reports === undefined ? redacted : withRequestReports(redacted, { ...reports, clock });
}
