/**
 * Named by OpenTelemetry's semantic conventions or `rollcall.…` (operation 7.2). They must not contain text of a query,
 * text of a source, credentials or names of clients.
 */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A step of a trace that is being recorded. No method throws. */
export interface TraceSpan {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** Starts a step within this one, which may end later than this one. `client`: a request to a server. */
  startChild(kind: 'internal' | 'client', name: string): TraceSpan;
  setAttributes(attributes: SpanAttributes): void;
  /** `errorType` states that the step failed, and why: a word such as a `FailureReason`, or an HTTP status. */
  end(errorType?: string): void;
}

/** A trace begins or continues with the request. */
export interface TracedRequest {
  readonly name: string;
  readonly attributes: SpanAttributes;
  /** An invalid `traceparent` field is ignored. */
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
}

/** Absent where tracing is not active. */
export interface Tracer {
  startRequest(request: TracedRequest): TraceSpan;
}
