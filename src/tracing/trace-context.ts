import { W3CTraceContextPropagator } from '@opentelemetry/core';

/** `traceparent` and `tracestate` (W3C Trace Context; operation 7.2). */
export function createTraceContextPropagator(): W3CTraceContextPropagator {
  return new W3CTraceContextPropagator();
}
