import { formatConfigError, loadConfig } from '../config/load-config.js';
import type { Config } from '../config/config.js';
import { sampleNames } from '../demo/start-sample-repositories.js';

/**
 * Loads a configuration. Where it has errors, writes all of them to standard error and returns undefined (operation
 * 2.1.3).
 */
export async function loadConfigOrReport(file: string): Promise<Config | undefined> {
  const parsed = await loadConfig(file, process.env, sampleNames);
  if ('config' in parsed) return parsed.config;
  for (const error of parsed.errors) process.stderr.write(`${formatConfigError(file, error)}\n`);
  return undefined;
}
