import { formatConfigError, loadConfig } from '../config/load-config.js';
import type { LoadOptions, LoadedConfig } from '../config/load-config.js';
import type { ConfigError } from '../config/yaml/config-parts.js';
import { sampleNames } from '../demo/start-sample-repositories.js';

/** Writes all errors to standard error, and returns undefined then (operation 2.1.3). */
export async function loadConfigOrReport(file: string, options?: LoadOptions): Promise<LoadedConfig | undefined> {
  const loaded = await loadConfig(file, process.env, sampleNames, options);
  if ('config' in loaded) return loaded;
  reportConfigErrors(file, loaded.errors);
  return undefined;
}

export function reportConfigErrors(file: string, errors: readonly ConfigError[]): void {
  for (const error of errors) process.stderr.write(`${formatConfigError(file, error)}\n`);
}
