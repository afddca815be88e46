import type { DocumentNode } from '../../model/document-node.js';
import { formatIsoTimestamp } from '../../text/date.js';
import type { FailedReload, ServedGeneration } from '../admin-state.js';
import { maskConfig } from './masked-config.js';

export interface ConfigReport {
  readonly file: string;
  /** When the file was read, in ISO 8601. */
  readonly loadedAt: string;
  readonly generation: number;
  /** Absent where the last reload succeeded, or there was none. */
  readonly failedReload?: FailedReload;
  /** Without secrets. */
  readonly config: ReadonlyMap<string, DocumentNode>;
}

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
