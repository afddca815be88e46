import type { Clock } from '../../model/clock.js';
import type { Log } from '../../model/log.js';
import type { SpanAttributes, TraceSpan } from '../../model/tracer.js';
import { SuspendedFailure } from '../client/circuit-breaker.js';
import { asFailure } from '../client/source-failure.js';
import type { SourceFetch, SourceRequest, SourceResponse } from './source-fetch-types.js';

export interface RequestReportOptions {
  readonly code: string;
  readonly log: Log;
  readonly clock: Clock;
}

interface RequestResult {
  readonly attributes: SpanAttributes;
  /** Absent for success. */
  readonly errorType?: string;
}

/** One span for each page, retries and redirects included (operation 7.2); logs at the level `debug`. */
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

/** Without the query. A file has no server. */
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
  // No request was sent; the status is an earlier one's.
  if (failure instanceof SuspendedFailure) return { attributes: {}, errorType: 'suspended' };
  return { attributes: { [STATUS]: failure.status }, errorType: String(failure.status ?? failure.reason) };
}

/** `resends`: requests after the first one. */
export function noteResend(span: TraceSpan | undefined, resends: number): void {
  span?.setAttributes({ 'http.request.resend_count': resends });
}
