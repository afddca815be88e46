import { describeFault, loadConfig } from '../config/load.js';
import type { Config } from '../config/config.js';
import { sampleNames } from '../demo/samples.js';

/** Loads a configuration; writes every fault to standard error, and gives nothing, where there are any. */
export async function configOrFaults(file: string): Promise<Config | undefined> {
  const parsed = await loadConfig(file, process.env, sampleNames);
  if ('config' in parsed) return parsed.config;
  for (const fault of parsed.faults) process.stderr.write(`${describeFault(file, fault)}\n`);
  return undefined;
}

/** `rollcall check` (operation.md): validates, touching no network. Returns the exit code. */
export async function check(file: string): Promise<number> {
  const config = await configOrFaults(file);
  if (config === undefined) return 1;
  const { length } = config.sources;
  process.stdout.write(`${file}: valid, ${length} ${length === 1 ? 'source' : 'sources'}\n`);
  return 0;
}
