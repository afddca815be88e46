import { fingerprintConfig } from '../../config/config-fingerprint.js';
import type { Config } from '../../config/config.js';
import type { Log } from '../../model/log.js';
import { HistoryView } from '../../state/history-view.js';
import { openStateFile } from '../../state/state-file.js';
import type { StateFile } from '../../state/state-file.js';

/** The state file of a configuration (operation 2.5.2), which several generations may use one after the other. */
export interface ConfiguredState {
  readonly path: string | undefined;
  /** Undefined without `cache.state`. */
  readonly file: StateFile | undefined;
}

/**
 * Opens the state file of a configuration. Where `current` is the same file, it remains in use; the history of a process
 * that has served already is not in another one.
 */
export async function openState(config: Config, log: Log, current?: ConfiguredState): Promise<ConfiguredState> {
  const { state: path } = config.cache;
  if (current !== undefined && current.path === path) return current;
  const hasServed = current !== undefined;
  const configuration = fingerprintConfig(config);
  const file =
    path === undefined
      ? undefined
      : await openStateFile({ file: path, configuration, log, ...(hasServed && { hasServed }) });
  return { path, file };
}

/** Creates the view of the history for one generation. */
export function createHistoryView({ file }: ConfiguredState): HistoryView | undefined {
  return file && new HistoryView(file);
}
