import type { SpanAttributes, TraceSpan } from '../model/tracer.js';
import type { EventOf, EventType } from './event.js';

/** With which a step ends; `errorType` where it failed. */
interface SpanEnd {
  readonly span: TraceSpan | undefined;
  readonly attributes: SpanAttributes;
  readonly errorType?: string | undefined;
}

/** By type of event (operation 7.2). In words and numbers of this gateway, without text of a source or of a query. */
const ENDS: { readonly [Type in EventType]?: (event: EventOf<Type>) => SpanEnd } = {
  'request answered': ({ span, status, isAborted, facts: { resource, format, cache } }) => ({
    span,
    attributes: {
      'http.response.status_code': status,
      'rollcall.resource': resource,
      'rollcall.format': format,
      'rollcall.cache': cache,
      'rollcall.aborted': isAborted ? true : undefined,
    },
    errorType: status >= 500 ? String(status) : undefined,
  }),
  'source request': ({ span, source, url, status, reason, bytes, records }) => ({
    span,
    attributes: {
      'rollcall.source': source,
      ...describeTarget(url),
      'http.response.status_code': status,
      'rollcall.bytes': bytes,
      'rollcall.records': records,
    },
    errorType: reason === undefined ? undefined : String(status ?? reason),
  }),
  'source queried': describeOutcome,
  'list refreshed': describeOutcome,
};

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

function describeOutcome({ span, source, resource, outcome, records }: OutcomeEvent): SpanEnd {
  const reason = 'reason' in outcome ? outcome.reason : undefined;
  return {
    span,
    attributes: {
      'rollcall.source': source,
      'rollcall.resource': resource,
      'rollcall.state': outcome.state,
      'rollcall.reason': reason,
      'rollcall.records': records,
    },
    errorType: outcome.state === 'failed' || outcome.state === 'suspended' ? reason : undefined,
  };
}

type OutcomeEvent = Omit<EventOf<'source queried' | 'list refreshed'>, 'type'>;

export function endSpan<Type extends EventType>(event: EventOf<Type>): void {
  const end = ENDS[event.type]?.(event);
  end?.span?.setAttributes(end.attributes);
  end?.span?.end(end.errorType);
}
