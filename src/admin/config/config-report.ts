import type { DocumentNode } from '../../model/document-node.js';
import { formatIsoTimestamp } from '../../text/date.js';
import type { FailedReload, ServedGeneration } from '../admin-state.js';
import { maskConfig } from './masked-config.js';

/** What `/config` reports. */
export interface ConfigReport {
  readonly file: string;
  /** Time at which the file was read, in ISO 8601. */
  readonly loadedAt: string;
  readonly generation: number;
  /** Absent where the last reload succeeded, or there was none. */
  readonly failedReload?: FailedReload;
  /** The settings, without secrets. */
  readonly config: ReadonlyMap<string, DocumentNode>;
}

/** Reports a configuration in force. */
export function buildConfigReport({
  file,
  loadedAt,
  number,
  failedReload,
  config,
}: Omit<ServedGeneration, 'gateway'>): ConfigReport {
  return {
    ...{ file, loadedAt: formatIsoTimestamp(loadedAt), generation: number },
    ...(failedReload && { failedReload }),
    config: maskConfig(config),
  };
}
