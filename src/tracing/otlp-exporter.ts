import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';

/** Reports the result of each batch to OTEL_EXPORTER_OTLP_ENDPOINT (operation 7.1): the error, or undefined. */
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
