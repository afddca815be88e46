import type {
  ClientRequestEvent,
  Meter,
  RateLimitName,
  RejectedCredentialReason,
  RequestEvent,
} from '../../model/meter.js';
import type { LabelledCount, MetricRegistry } from './metric-registry.js';

/** For requests without a resource or a format. */
const NO_LABEL = 'none';

/** In seconds: from cached answers to those that wait for a slow source. */
const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createRequestMeter(registry: MetricRegistry): Pick<Meter, 'countRequest' | 'countClosedConnection'> {
  const closed = registry.createCounter({
    name: 'rollcall_connections_closed_total',
    help: 'Client connections closed by a limit, by limit (server.limits; pipelining: too many requests waited on the connection).',
    labelNames: ['reason'],
  });
  return {
    countRequest: createRequestCounters(registry),
    countClosedConnection: (reason) => {
      closed([reason]).count += 1;
    },
  };
}

export function createClientMeter(
  registry: MetricRegistry,
): Pick<Meter, 'countClientRequest' | 'countRejectedCredential' | 'countRateLimited'> {
  const requests = registry.createCounter({
    name: 'rollcall_client_requests_total',
    help: 'Requests with a valid credential, by client (empty for tokens), kind of credential and access level.',
    labelNames: ['client', 'credential', 'access'],
  });
  const rejected = registry.createCounter({
    name: 'rollcall_rejected_credentials_total',
    help: 'Requests refused for their credentials, by reason.',
    labelNames: ['reason'],
  });
  const limited = registry.createCounter({
    name: 'rollcall_rate_limited_requests_total',
    help: 'Requests refused by a rate limit: that of the client or that of the address.',
    labelNames: ['limit'],
  });
  return {
    countClientRequest: ({ client, credential, access }: ClientRequestEvent) => {
      requests([credential === 'token' ? '' : client, credential, access]).count += 1;
    },
    countRejectedCredential: (reason: RejectedCredentialReason) => {
      rejected([reason]).count += 1;
    },
    countRateLimited: (limit: RateLimitName) => {
      limited([limit]).count += 1;
    },
  };
}

function createRequestCounters(registry: MetricRegistry): (event: RequestEvent) => void {
  const requests = registry.createCounter({
    name: 'rollcall_requests_total',
    help: 'Requests, by status reported in the response (aborted: client disconnected) and format.',
    labelNames: ['resource', 'status', 'format'],
  });
  const results = registry.createCounter({
    name: 'rollcall_cache_results_total',
    help: 'Responses that depend on sources: hit (all cached), miss (nothing usable cached), stale (cached data expired).',
    labelNames: ['resource', 'result'],
  });
  const observeDuration = registry.createHistogram({
    name: 'rollcall_request_duration_seconds',
    help: 'Time from the request head to the end of the response, without aborted requests and responses from the response cache.',
    labelNames: ['resource'],
    buckets: DURATION_BUCKETS,
  });
  const findCounts = ({ resource, status, format = NO_LABEL, cache }: RequestEvent): readonly LabelledCount[] => [
    requests([resource ?? NO_LABEL, String(status), format]),
    ...(cache === undefined ? [] : [results([resource ?? NO_LABEL, cache])]),
  ];
  // Cached responses pass the same event object each time, so that its counts are looked up once.
  const countsByEvent = new WeakMap<RequestEvent, readonly LabelledCount[]>();
  return (event) => {
    const cachedCounts = countsByEvent.get(event);
    const counts = cachedCounts ?? findCounts(event);
    for (const count of counts) count.count += 1;
    if (cachedCounts !== undefined) return;
    const { status, milliseconds } = event;
    if (milliseconds === undefined) countsByEvent.set(event, counts);
    else if (status !== 'aborted') observeDuration(milliseconds / 1_000, { resource: event.resource ?? NO_LABEL });
  };
}
