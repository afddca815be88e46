import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';

/**
 * Sends spans to the collector that OTEL_EXPORTER_OTLP_ENDPOINT names (operation 7.1), and reports the result of each
 * batch: the error, or undefined for one that the collector has accepted.
 */
export class ReportingExporter extends OTLPTraceExporter {
  constructor(private readonly report: (error: Error | undefined) => void) {
    super();
  }

  override export(...[spans, done]: Parameters<OTLPTraceExporter['export']>): void {
    super.export(spans, (result) => {
      this.report(result.error);
      done(result);
    });
  }
}
