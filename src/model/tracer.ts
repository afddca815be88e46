/**
 * Attributes of a span, by the names of OpenTelemetry's semantic conventions or as `rollcall.…` (operation 7.2). They must
 * not contain text of a query, text of a source, credentials or names of clients. Undefined: the attribute is absent.
 */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | undefined>>;

/** A step of a trace that is being recorded (operation 7). No method throws. */
export interface TraceSpan {
  /** Id of the trace, 32 hexadecimal digits. */
  readonly traceId: string;
  /** Starts a step within this one, which may end later than this one. `client`: a request to a server. */
  startChild(kind: 'internal' | 'client', name: string, attributes: SpanAttributes): TraceSpan;
  setAttributes(attributes: SpanAttributes): void;
  /** Ends the step. `errorType` states that it failed, and why: a word such as a `FailureReason`, or an HTTP status. */
  end(errorType?: string): void;
}

/** A request whose trace begins or continues here. */
export interface TracedRequest {
  /** Name of the span. */
  readonly name: string;
  readonly attributes: SpanAttributes;
  /** The `traceparent` field of the request; undefined without one. One that is not valid is ignored. */
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
}

/** Records traces. Passed in like the log; absent where tracing is not active. */
export interface Tracer {
  /** Starts the span of a request to this gateway. */
  startRequest(request: TracedRequest): TraceSpan;
}
