import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { listIncludedFiles } from '../../config/load-config.js';

const INTERVAL_MS = 250;

export interface ConfigWatch {
  /** Nothing is called afterwards. */
  close(): void;
}

/**
 * `onChange` is called when two looks in a row find the file and those of `sources.d` the same, and other than before: editors write in several
 * steps (operation 6.2). It is also called once at the beginning, because the file may have changed after it was read.
 * Looks at the path, so that the replacement of a symbolic link counts, as that of a ConfigMap in Kubernetes, and other
 * files of the folder cost nothing.
 */
export function watchConfigFile(file: string, onChange: () => void): ConfigWatch {
  const closing = new AbortController();
  const { signal } = closing;
  const watch = async (): Promise<void> => {
    let [seen, reported] = ['', ''];
    for (;;) {
      await pause(INTERVAL_MS, undefined, { signal });
      const found = await describeFiles(file);
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

async function describeFiles(file: string): Promise<string> {
  const included = (await listIncludedFiles(file).catch(() => [])).map((name) => join(dirname(file), name));
  const described = await Promise.all([file, ...included].map(describeFile));
  return [...included, ...described].join();
}

/** Identifies the file at a path, and its last change. */
async function describeFile(path: string): Promise<string> {
  try {
    const { dev, ino, size, mtimeNs, ctimeNs } = await stat(path, { bigint: true });
    return [dev, ino, size, mtimeNs, ctimeNs].join();
  } catch {
    return 'missing';
  }
}
