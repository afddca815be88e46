import type { Meter } from '../../model/meter.js';
import { createClientMeter, createRequestMeter } from './client-metrics.js';
import { createInstanceMeter, createWorkerMeter } from './instance-metrics.js';
import type { InstanceMeter, WorkerMeter } from './instance-metrics.js';
import { MetricRegistry } from './metric-registry.js';
import { createSourceMeters } from './source-metrics.js';

/** The meter of one process, and its text for Prometheus. */
export interface Metrics extends Meter, InstanceMeter, Pick<MetricRegistry, 'contentType' | 'text' | 'report'> {
  /** Removes the metrics of a source that is no longer registered. */
  forgetSource(source: string): void;
}

/** The metrics of a primary process, which serves nothing itself and counts its workers. */
export interface PrimaryMetrics extends Metrics, WorkerMeter {}

/**
 * Creates a meter that counts with prom-client. The names of its metrics begin with `rollcall_`; with `ofProcess`, the
 * default metrics of the process are included (operation 3.4).
 */
export function createMetrics({ ofProcess }: { readonly ofProcess: boolean }): Metrics {
  return createRegistryMetrics(new MetricRegistry({ ofProcess }));
}

/** Creates the metrics of a primary process (operation 2.3.9). */
export function createPrimaryMetrics(): PrimaryMetrics {
  const registry = new MetricRegistry({ ofProcess: true });
  return { ...createRegistryMetrics(registry), ...createWorkerMeter(registry) };
}

function createRegistryMetrics(registry: MetricRegistry): Metrics {
  const sources = createSourceMeters(registry);
  return {
    contentType: registry.contentType,
    text: () => registry.text(),
    report: () => registry.report(),
    ...createRequestMeter(registry),
    ...createClientMeter(registry),
    ...createInstanceMeter(registry),
    ...sources.forAccess('public'),
    ...sources,
  };
}
