import type { Clock } from '../../model/clock.js';
import type { Log } from '../../model/log.js';
import type { SpanAttributes, TraceSpan } from '../../model/tracer.js';
import { SuspendedFailure } from '../client/circuit-breaker.js';
import { asFailure } from '../client/source-failure.js';
import type { SourceFetch, SourceRequest, SourceResponse } from './source-fetch-types.js';

/** Options of {@link withRequestReports}. */
export interface RequestReportOptions {
  /** Code of the source. */
  readonly code: string;
  readonly log: Log;
  readonly clock: Clock;
}

/** What is known of a request after its end. */
interface RequestResult {
  readonly attributes: SpanAttributes;
  /** Absent where the request succeeded. */
  readonly errorType?: string;
}

/**
 * Records a span for each page that is requested of a source, its retries and redirects included (operation
 * 7.2). Writes a log line at the level `debug`.
 */
export function withRequestReports(next: SourceFetch, options: RequestReportOptions): SourceFetch {
  const { code, log, clock } = options;
  return (request, signal) => {
    const { url, headers, expected, trace } = request;
    const started = clock.now();
    const span = trace?.startChild('client', `GET ${code}`, { 'rollcall.source': code, ...describeTarget(url) });
    const sent: SourceRequest = span === undefined ? request : { url, headers, expected, trace: span };
    const report = ({ attributes, errorType }: RequestResult): void => {
      span?.setAttributes(attributes);
      span?.end(errorType);
      const { [STATUS]: status, [BYTES]: bytes } = attributes;
      const reason = status === undefined ? errorType : undefined;
      const milliseconds = clock.now() - started;
      log.debug({ source: code, path: url.pathname, status, reason, bytes, milliseconds }, 'source request');
    };
    return next(sent, signal).then(
      (reply) => {
        report({ attributes: describeReply(reply) });
        return reply;
      },
      (error: unknown) => {
        report(describeFailure(error));
        throw error;
      },
    );
  };
}

const STATUS = 'http.response.status_code';
const BYTES = 'rollcall.bytes';

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** Describes where a request goes, without its query. A file has no server. */
function describeTarget({ protocol, hostname, port, origin, pathname }: URL): SpanAttributes {
  if (protocol === 'file:') return { 'url.scheme': 'file' };
  return {
    'http.request.method': 'GET',
    'server.address': hostname.replace(/^\[(.*)\]$/, '$1'),
    'server.port': port === '' ? DEFAULT_PORTS[protocol] : Number(port),
    'url.full': origin + pathname,
  };
}

function describeReply(reply: SourceResponse): SpanAttributes {
  if ('notModified' in reply) return { [STATUS]: 304 };
  const { bytes, pageOrFailure } = reply;
  const records = 'receivedCount' in pageOrFailure ? pageOrFailure.receivedCount : undefined;
  return { [STATUS]: 200, [BYTES]: bytes, 'rollcall.records': records };
}

function describeFailure(error: unknown): RequestResult {
  const failure = asFailure(error);
  // No request was sent, and the status is that of an earlier one.
  if (failure instanceof SuspendedFailure) return { attributes: {}, errorType: 'suspended' };
  return { attributes: { [STATUS]: failure.status }, errorType: String(failure.status ?? failure.reason) };
}

/** Notes on the span of a request that it is sent again. `resends`: number of requests after the first one. */
export function noteResend(span: TraceSpan | undefined, resends: number): void {
  span?.setAttributes({ 'http.request.resend_count': resends });
}
