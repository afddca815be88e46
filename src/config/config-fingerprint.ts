import { createHash } from 'node:crypto';
import type { Config } from './config.js';

/**
 * Hash of the settings by which the same records produce other responses: the paths, envelope, limits and public URL
 * of the server; the access levels of scopes; and for each source its identity, addresses and how its records are read.
 * After a change, persistent fingerprints and change times are not used (operation 2.5.2). Times, other limits and ports
 * do not count, and neither does how a source is reached. Keys, credentials, proxies and header fields must not count: with
 * the hash, which is stored, anybody could test guesses of a short one.
 */
export function fingerprintConfig({ server, access, sources }: Config): string {
  const { publicUrl, directoryPath, dataPath, envelope, limit } = server;
  const serverSettings = [publicUrl, directoryPath, dataPath, envelope, limit];
  const sourceSettings = sources.map((source) => {
    const { code, number, sourceName, site, directory, data, document } = source;
    const { resources, aggregate, prefixes, properties, coverage, allKeysPublic } = source;
    const readingSettings = [resources, aggregate, prefixes, properties, coverage, allKeysPublic];
    const identity = [code, number, sourceName, site, directory, data];
    return [...identity, ...readingSettings, ...(document === undefined ? [] : [document])];
  });
  return createHash('sha256')
    .update(JSON.stringify([serverSettings, Object.entries(access.scopes), sourceSettings]))
    .digest('base64url');
}
