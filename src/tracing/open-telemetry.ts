import {
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  defaultTextMapGetter,
  diag,
  trace,
} from '@opentelemetry/api';
import type { Context, Span, Tracer as SpanRecorder } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { Publish } from '../events/event.js';
import type { SpanAttributes, TraceSpan, TracedRequest, Tracer } from '../model/tracer.js';

export interface ExportingTracer {
  readonly tracer: Tracer;
  /** Sends the spans that still wait. May take as long as the collector does; never rejects. */
  close(): Promise<void>;
}

/**
 * The SDK of OpenTelemetry reads collector, sampler and limits from the environment (operation 7.1). Spans wait in a
 * bounded queue and are dropped when it is full.
 */
export function createExportingTracer(version: string, publish: Publish): ExportingTracer {
  const provider = withSetUpWarnings(
    (detail) => publish({ type: 'a setting of tracing is not used', detail }),
    () => {
      const defaults = resourceFromAttributes({ 'service.name': 'rollcall', 'service.version': version });
      const resource = defaults.merge(detectResources({ detectors: [envDetector] }));
      return new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(createExporter(publish))] });
    },
  );
  return {
    tracer: createRecordingTracer(provider.getTracer('rollcall', version)),
    close: () => provider.shutdown().catch(() => undefined),
  };
}

/**
 * Passes on warnings of the SDK about variables of the environment. Its later messages are not needed: the exporter
 * reports its results itself.
 */
function withSetUpWarnings<T>(warn: (message: string) => void, setUp: () => T): T {
  const ignore = (): void => undefined;
  diag.setLogger({ error: warn, warn, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.WARN);
  try {
    return setUp();
  } finally {
    diag.disable();
  }
}

/** Reports when the collector stops accepting spans, and when it accepts them again (operation 5.4). */
function createExporter(publish: Publish): OTLPTraceExporter {
  let isFailing = false;
  const report = (error: Error | undefined): void => {
    if (isFailing === (error !== undefined)) return;
    isFailing = error !== undefined;
    if (error === undefined) publish({ type: 'traces are exported again' });
    else publish({ type: 'traces cannot be exported', detail: error.message || String(Reflect.get(error, 'code')) });
  };
  return new (class extends OTLPTraceExporter {
    override export(...[spans, done]: Parameters<OTLPTraceExporter['export']>): void {
      super.export(spans, (result) => {
        report(result.error);
        done(result);
      });
    }
  })();
}

/** (operation 7) */
function createRecordingTracer(recorder: SpanRecorder): Tracer {
  return {
    startRequest: (request) => {
      const { name, attributes } = request;
      const parent = readParent(request);
      const span = recorder.startSpan(name, { kind: SpanKind.SERVER, attributes: { ...attributes } }, parent);
      return new RecordedSpan(span, trace.setSpan(parent, span), recorder);
    },
  };
}

/** `traceparent` and `tracestate` (W3C Trace Context). */
const propagator = new W3CTraceContextPropagator();

function readParent({ traceparent, tracestate }: TracedRequest): Context {
  if (traceparent === undefined) return ROOT_CONTEXT;
  const carrier = { traceparent, ...(tracestate !== undefined && { tracestate }) };
  return propagator.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter);
}

const KINDS = { internal: SpanKind.INTERNAL, client: SpanKind.CLIENT } as const;

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
