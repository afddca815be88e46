import type { CounterLookup, MetricRegistry, SettableGauge } from './metric-registry.js';

export interface InstanceMeter {
  /** (operation 3.3) */
  recordReadiness(isReady: boolean): void;
  /** `at`, in milliseconds since 1970, is when a valid configuration was put in force. */
  recordReload(reload: { readonly isSuccessful: boolean; readonly at?: number }): void;
  /** Undefined: this instance serves what the others serve (operation 2.5.4). */
  recordAgreement(disagreement: string | undefined): void;
  countSharedSnapshot(event: 'adopted' | 'refused'): void;
  /** In `cache.disk` (operation 2.5.3). */
  recordUnsavedSnapshots(lists: number): void;
  /** (operation 5.1) */
  countDroppedLogLine(): void;
}

export function createInstanceMeter(registry: MetricRegistry): InstanceMeter {
  const ready = registry.createGauge({
    name: 'rollcall_ready',
    help: '1 while /readyz is 200, else 0.',
  });
  const droppedLogLines = registry.createCounter({
    name: 'rollcall_dropped_log_lines_total',
    help: 'Lines of the log that could not be written, or for which the reader of the log was too slow.',
  })([]);
  return {
    countDroppedLogLine: () => {
      droppedLogLines.count += 1;
    },
    recordReadiness: (isReady) => {
      ready.set(isReady ? 1 : 0);
    },
    recordReload: createReloadMetrics(registry),
    recordUnsavedSnapshots: createSnapshotFolderMetric(registry),
    ...createSharedMemoryMeter(registry),
  };
}

function createSharedMemoryMeter(
  registry: MetricRegistry,
): Pick<InstanceMeter, 'recordAgreement' | 'countSharedSnapshot'> {
  let metrics: { readonly up: SettableGauge; readonly snapshots: CounterLookup } | undefined;
  const create = (): NonNullable<typeof metrics> => ({
    up: registry.createGauge({
      name: 'rollcall_shared_memory_up',
      help: '1 if this instance is in agreement with the others through cache.redis, else 0.',
    }),
    snapshots: registry.createCounter({
      name: 'rollcall_shared_snapshots_total',
      help: 'Snapshots of other instances that were adopted, and entries of the shared memory that were refused.',
      labelNames: ['event'],
    }),
  });
  return {
    recordAgreement: (disagreement) => {
      metrics ??= create();
      metrics.up.set(disagreement === undefined ? 1 : 0);
    },
    countSharedSnapshot: (event) => {
      metrics ??= create();
      metrics.snapshots([event]).count += 1;
    },
  };
}

function createSnapshotFolderMetric(registry: MetricRegistry): InstanceMeter['recordUnsavedSnapshots'] {
  let unsaved: SettableGauge | undefined;
  return (lists) => {
    unsaved ??= registry.createGauge({
      name: 'rollcall_unsaved_snapshots',
      help: 'Lists whose last snapshot could not be saved in cache.disk.',
    });
    unsaved.set(lists);
  };
}

/** Named as those of Prometheus itself. */
function createReloadMetrics(registry: MetricRegistry): InstanceMeter['recordReload'] {
  const success = registry.createGauge({
    name: 'rollcall_config_last_reload_successful',
    help: '1 if the last attempt to load the configuration put it in force, else 0.',
  });
  const time = registry.createGauge({
    name: 'rollcall_config_last_reload_success_timestamp_seconds',
    help: 'Time at which the configuration file was last found valid and in force.',
  });
  return ({ isSuccessful, at }) => {
    success.set(isSuccessful ? 1 : 0);
    if (at !== undefined) time.set(at / 1_000);
  };
}
