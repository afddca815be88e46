import type { Publish } from '../events/event.js';
import type { Tracer } from '../model/tracer.js';
import { ReportingExporter } from './otlp-exporter.js';
import { createRecordingTracer, withSetUpWarnings } from './recorded-spans.js';
import { createTraceContextPropagator } from './trace-context.js';
import { describeService } from './trace-resource.js';
import { createTracerProvider } from './tracer-provider.js';

export interface ExportingTracer {
  readonly tracer: Tracer;
  /** Sends the spans that still wait. May take as long as the collector does; never rejects. */
  close(): Promise<void>;
}

/** From the environment (operation 7.1). Loads the SDK of OpenTelemetry. */
export function createExportingTracer(version: string, publish: Publish): ExportingTracer {
  const warn = (detail: string): void => publish({ type: 'a setting of tracing is not used', detail });
  const provider = withSetUpWarnings(warn, () => {
    const exporter = new ReportingExporter(createExportReporter(publish));
    return createTracerProvider({ resource: describeService(version), exporter });
  });
  return {
    tracer: createRecordingTracer(provider.getTracer('rollcall', version), createTraceContextPropagator()),
    close: () => provider.shutdown().catch(() => undefined),
  };
}

/** When the collector stops accepting spans, and when it accepts them again (operation 5.4). */
function createExportReporter(publish: Publish): (error: Error | undefined) => void {
  let isFailing = false;
  return (error) => {
    if (isFailing === (error !== undefined)) return;
    isFailing = error !== undefined;
    if (error === undefined) publish({ type: 'traces are exported again' });
    else publish({ type: 'traces cannot be exported', detail: error.message || String(Reflect.get(error, 'code')) });
  };
}
