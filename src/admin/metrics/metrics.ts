import type { Meter } from '../../model/meter.js';
import { createClientMeter, createRequestMeter } from './client-metrics.js';
import { createInstanceMeter } from './instance-metrics.js';
import type { InstanceMeter } from './instance-metrics.js';
import { MetricRegistry } from './metric-registry.js';
import { createSourceMeters } from './source-metrics.js';

export interface Metrics extends Meter, InstanceMeter, Pick<MetricRegistry, 'contentType' | 'text'> {
  /** The source is no longer registered. */
  forgetSource(source: string): void;
}

/** Metrics for Prometheus; with `ofProcess`, the default metrics of the process are included (operation 3.4). */
export function createMetrics({ ofProcess }: { readonly ofProcess: boolean }): Metrics {
  const registry = new MetricRegistry({ ofProcess });
  const sources = createSourceMeters(registry);
  return {
    contentType: registry.contentType,
    text: () => registry.text(),
    ...createRequestMeter(registry),
    ...createClientMeter(registry),
    ...createInstanceMeter(registry),
    ...sources.forAccess('public'),
    ...sources,
  };
}
