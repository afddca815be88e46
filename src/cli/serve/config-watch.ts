import { basename, dirname, resolve } from 'node:path';
import { watch } from 'chokidar';

/** Time without a further event after which a change is reported, in milliseconds: editors write in several steps. */
const QUIET_PERIOD_MS = 250;

/** Name of the symbolic link that Kubernetes replaces when a mounted ConfigMap changes. */
const KUBERNETES_LINK = '..data';

/** Callbacks of {@link watchConfigFile}. */
export interface ConfigWatchEvents {
  /** Called after the file may have changed. */
  readonly onChange: () => void;
  readonly onError: (error: unknown) => void;
}

/** A watched file. */
export interface ConfigWatch {
  /** Ends the watch. Nothing is called afterwards. */
  close(): Promise<void>;
}

/**
 * Watches a configuration file (operation 6.2). Its folder is watched, because most editors and Kubernetes replace the
 * file instead of writing to it.
 */
export function watchConfigFile(file: string, { onChange, onError }: ConfigWatchEvents): ConfigWatch {
  const path = resolve(file);
  const folder = dirname(path);
  const isRelevant = (entry: string): boolean =>
    entry === folder || entry === path || basename(entry) === KUBERNETES_LINK;
  const watcher = watch(folder, { depth: 0, ignoreInitial: true, ignored: (entry) => !isRelevant(resolve(entry)) });
  let timer: NodeJS.Timeout | undefined;
  const notify = (): void => {
    clearTimeout(timer);
    timer = setTimeout(onChange, QUIET_PERIOD_MS);
  };
  watcher.on('all', notify);
  // The file may have changed after it was read and before the watch began.
  watcher.on('ready', notify);
  watcher.on('error', onError);
  return {
    close: async () => {
      await watcher.close();
      clearTimeout(timer);
    },
  };
}
