import type { Log } from '../model/log.js';
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
export function createExportingTracer(version: string, log: Log): ExportingTracer {
  const warn = (detail: string): void => log.warn({ detail }, 'a setting of tracing is not used');
  const provider = withSetUpWarnings(warn, () => {
    const exporter = new ReportingExporter(createExportReporter(log));
    return createTracerProvider({ resource: describeService(version), exporter });
  });
  return {
    tracer: createRecordingTracer(provider.getTracer('rollcall', version), createTraceContextPropagator()),
    close: () => provider.shutdown().catch(() => undefined),
  };
}

/** When the collector stops accepting spans, and when it accepts them again (operation 5.4). */
function createExportReporter(log: Log): (error: Error | undefined) => void {
  let isFailing = false;
  return (error) => {
    if (isFailing === (error !== undefined)) return;
    isFailing = error !== undefined;
    if (error === undefined) log.info({}, 'traces are exported again');
    else log.warn({ detail: error.message || String(Reflect.get(error, 'code')) }, 'traces cannot be exported');
  };
}
