import { stat } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';

/** Time between two looks at the file, in milliseconds. */
const INTERVAL_MS = 250;

/** A watched file. */
export interface ConfigWatch {
  /** Ends the watch. Nothing is called afterwards. */
  close(): void;
}

/**
 * Watches a configuration file (operation 6.2). `onChange` is called when two looks in a row find the file the same, and other
 * than before: editors write in several steps. It is also called once at the beginning, because the file may have changed
 * after it was read. The file is looked at by its path, so that the replacement of a symbolic link counts, as that of a
 * ConfigMap in Kubernetes, and the other files of its folder cost nothing.
 */
export function watchConfigFile(file: string, onChange: () => void): ConfigWatch {
  const closing = new AbortController();
  const { signal } = closing;
  const watch = async (): Promise<void> => {
    let [seen, reported] = ['', ''];
    for (;;) {
      await pause(INTERVAL_MS, undefined, { signal });
      const found = await describeFile(file);
      if (signal.aborted) return;
      if (found === seen && found !== reported) {
        reported = found;
        onChange();
      }
      seen = found;
    }
  };
  // Rejects when it is closed.
  void watch().catch(() => undefined);
  return {
    close: () => {
      closing.abort();
    },
  };
}

/** Describes which file is at a path, and when it was changed. */
async function describeFile(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join();
  } catch {
    return 'missing';
  }
}
