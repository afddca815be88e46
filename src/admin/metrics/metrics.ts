import type { Meter } from '../../model/meter.js';
import { createClientMeter, createRequestMeter } from './client-metrics.js';
import { createInstanceMeter } from './instance-metrics.js';
import type { InstanceMeter } from './instance-metrics.js';
import { MetricRegistry } from './metric-registry.js';
import { createSourceMeters } from './source-metrics.js';

/** The meter of one process, and its text for Prometheus. */
export interface Metrics extends Meter, InstanceMeter, Pick<MetricRegistry, 'contentType' | 'text'> {
  /** Removes the metrics of a source that is no longer registered. */
  forgetSource(source: string): void;
}

/**
 * Creates a meter that counts with prom-client. The names of its metrics begin with `rollcall_`; with `ofProcess`, the
 * default metrics of the process are included (operation 3.4).
 */
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
