import { MISSING_KEY_WARNING } from '../lists/store/redis/entry-sealer.js';
import { loadConfigOrReport } from './load-config-or-report.js';

/** Validates the configuration without network access (operation 1.4). Returns the exit code. */
export async function check(file: string): Promise<number> {
  const config = (await loadConfigOrReport(file, { checksDocumentFiles: true }))?.config;
  if (config === undefined) return 1;
  const { redis, redisKey } = config.cache;
  if (redis !== undefined && redisKey === undefined) {
    process.stderr.write(`${file}: warning: ${MISSING_KEY_WARNING}\n`);
  }
  const { length } = config.sources;
  process.stdout.write(`${file}: valid, ${length} ${length === 1 ? 'source' : 'sources'}\n`);
  return 0;
}
