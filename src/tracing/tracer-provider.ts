import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';
import type { SpanExporter } from '@opentelemetry/sdk-trace-base';

interface TracerProviderOptions {
  readonly resource: NonNullable<ConstructorParameters<typeof BasicTracerProvider>[0]>['resource'];
  readonly exporter: SpanExporter;
}

/**
 * The SDK reads sampler and limits from the environment (operation 7.1). Spans wait in a bounded queue and are dropped
 * when it is full.
 */
export function createTracerProvider({ resource, exporter }: TracerProviderOptions): BasicTracerProvider {
  return new BasicTracerProvider({ ...(resource && { resource }), spanProcessors: [new BatchSpanProcessor(exporter)] });
}
