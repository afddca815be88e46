import {
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  defaultTextMapGetter,
  diag,
  trace,
} from '@opentelemetry/api';
import type { Context, Span, TextMapPropagator, Tracer as SpanRecorder } from '@opentelemetry/api';
import type { SpanAttributes, TraceSpan, TracedRequest, Tracer } from '../model/tracer.js';

/** (operation 7) */
export function createRecordingTracer(recorder: SpanRecorder, propagator: TextMapPropagator): Tracer {
  return {
    startRequest: (request) => {
      const { name, attributes } = request;
      const parent = readParent(request, propagator);
      const span = recorder.startSpan(name, { kind: SpanKind.SERVER, attributes: { ...attributes } }, parent);
      return new RecordedSpan(span, trace.setSpan(parent, span), recorder);
    },
  };
}

function readParent({ traceparent, tracestate }: TracedRequest, propagator: TextMapPropagator): Context {
  if (traceparent === undefined) return ROOT_CONTEXT;
  const carrier = { traceparent, ...(tracestate !== undefined && { tracestate }) };
  return propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter);
}

const KINDS = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT } as const;

/**
 * Passes on warnings of the SDK of OpenTelemetry about variables of the environment. Its later messages are not needed:
 * the exporter reports its results itself.
 */
export function withSetUpWarnings<T>(warn: (message: string) => void, setUp: () => T): T {
  const ignore = (): void => undefined;
  diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
  try {
    return setUp();
  } finally {
    diag.disable();
  }
}

class RecordedSpan implements TraceSpan {
  constructor(
    private readonly span: Span,
    private readonly context: Context,
    private readonly recorder: SpanRecorder,
  ) {}

  get traceId(): string {
    return this.span.spanContext().traceId;
  }

  startChild(kind: 'internal' | 'client', name: string): TraceSpan {
    const span = this.recorder.startSpan(name, { kind: KINDS[kind] }, this.context);
    return new RecordedSpan(span, trace.setSpan(this.context, span), this.recorder);
  }

  setAttributes(attributes: SpanAttributes): void {
    this.span.setAttributes({ ...attributes });
  }

  end(errorType?: string): void {
    if (errorType !== undefined) {
      this.span.setAttribute('error.type', errorType);
      this.span.setStatus({ code: SpanStatusCode.ERROR });
    }
    this.span.end();
  }
}
