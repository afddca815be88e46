import { formatConfigError, loadConfig } from '../config/load-config.js';
import type { LoadOptions, LoadedConfig } from '../config/load-config.js';
import type { Config, SourceConfig } from '../config/config.js';
import type { ConfigError } from '../config/yaml/config-error.js';
import { sampleNames } from '../demo/start-sample-repositories.js';

/**
 * Loads a configuration. Where it has errors, writes all of them to standard error and returns undefined (operation
 * 2.1.3).
 */
export async function loadConfigOrReport(file: string, options?: LoadOptions): Promise<LoadedConfig | undefined> {
  const loaded = await loadConfig(file, process.env, sampleNames, options);
  if ('config' in loaded) return loaded;
  reportConfigErrors(file, loaded.errors);
  return undefined;
}

/** Writes errors of a configuration to standard error. */
export function reportConfigErrors(file: string, errors: readonly ConfigError[]): void {
  for (const error of errors) process.stderr.write(`${formatConfigError(file, error)}\n`);
}

/** Returns the source of a code. Where there is none, writes the known codes to standard error. */
export function findSourceOrReport({ sources }: Config, code: string): SourceConfig | undefined {
  const source = sources.find((candidate) => candidate.code === code);
  if (source !== undefined) return source;
  const known = sources.map((candidate) => candidate.code).join(', ');
  process.stderr.write(`rollcall: no source ${code}; known: ${known}\n`);
  return undefined;
}
