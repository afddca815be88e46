import type { PublishOfSource, SourceRequested } from '../../events/event.js';
import type { FailureReason } from '../../model/reasons.js';
import type { Clock } from '../../model/clock.js';
import { SuspendedFailure } from '../client/circuit-breaker.js';
import type { Fetch } from '../client/http-client-types.js';
import { asFailure } from '../client/source-failure.js';
import { isGivenUp } from '../client/timeout.js';
import type { SourceFetch, SourceRequest, SourceResponse } from './source-fetch-types.js';

export interface RequestReportOptions {
  readonly code: string;
  readonly publish: PublishOfSource;
  readonly clock: Clock;
}

/** Of each attempt; not of a request that was given up. */
export function withAttemptReports<Reply, Request>(
  next: Fetch<Reply, Request>,
  publish: PublishOfSource,
): Fetch<Reply, Request> {
  const report = (result: 'ok' | FailureReason): void => publish({ type: 'request sent', result });
  return (request, signal) =>
    next(request, signal).then(
      (reply) => {
        report('ok');
        return reply;
      },
      (error: unknown) => {
        if (!isGivenUp(signal)) report(asFailure(error).reason);
        throw error;
      },
    );
}

/** One for each page, retries and redirects included, with a span (operation 7.2). */
export function withRequestReports(next: SourceFetch, { code, publish, clock }: RequestReportOptions): SourceFetch {
  return (request, signal) => {
    const { url, headers, expected, trace } = request;
    const started = clock.now();
    const span = trace?.startChild('client', `GET ${code}`);
    const sent: SourceRequest = span === undefined ? request : { url, headers, expected, trace: span };
    const report = (result: RequestResult): void =>
      publish({ type: 'source request', url, milliseconds: clock.now() - started, span, ...result });
    return next(sent, signal).then(
      (reply) => {
        report(describeReply(reply));
        return reply;
      },
      (error: unknown) => {
        report(describeFailure(error));
        throw error;
      },
    );
  };
}

type RequestResult = Pick<SourceRequested, 'status' | 'reason' | 'bytes' | 'records'>;

function describeReply(reply: SourceResponse): RequestResult {
  if ('notModified' in reply) return { status: 304 };
  const { bytes, pageOrFailure } = reply;
  return { status: 200, bytes, records: 'receivedCount' in pageOrFailure ? pageOrFailure.receivedCount : undefined };
}

function describeFailure(error: unknown): RequestResult {
  const failure = asFailure(error);
  // No request was sent; the status is an earlier one's.
  if (failure instanceof SuspendedFailure) return { reason: 'suspended' };
  return { status: failure.status, reason: failure.reason };
}
