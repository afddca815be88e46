import { createHash } from 'node:crypto';
import type { Config } from './config.js';

/**
 * Tells configurations apart under which the same records make other answers: by what of the server shows in them, and by which sources
 * there are, where they are, and how their records are read. Times, bounds and ports make no difference.
 */
export function fingerprintConfig({ server, sources }: Config): string {
  const { publicUrl, directoryPath, dataPath, envelope, limit } = server;
  const shown = [publicUrl, directoryPath, dataPath, envelope, limit];
  const asked = sources.map((source) => {
    const { code, number, sourceName, site, directory, data } = source;
    const { resources, aggregate, prefixes, properties, coverage, allKeysPublic } = source;
    const records = [resources, aggregate, prefixes, properties, coverage, allKeysPublic];
    return [code, number, sourceName, site, directory, data, ...records];
  });
  return createHash('sha256')
    .update(JSON.stringify([shown, asked]))
    .digest('base64url');
}
