import { findNearestName } from '../text/nearest-name.js';
import { type Schema, anyKey, childSchemas } from './schema/setting-types.js';
import { type ConfigIssue, type ConfigNode, type ConfigPath } from './yaml/config-node.js';

/** Keys of earlier versions, and others with the nearest known key or the known keys (operation 2.1.3). */
export function findUnknownKeys(node: ConfigNode, schema: Schema, path: ConfigPath = []): ConfigIssue[] {
  if (node.kind === 'list') return node.items.flatMap((item, index) => findUnknownKeys(item, schema, [...path, index]));
  const known = childSchemas(schema);
  if (node.kind !== 'map' || known.size === 0) return [];
  return Array.from(node.entries).flatMap(([key, { keyOffset: offset, value }]) => {
    const child = known.get(key) ?? known.get(anyKey);
    const childPath = [...path, key];
    if (child !== undefined) return findUnknownKeys(value, child, childPath);
    const message = describeRemovedKey(childPath) ?? describeUnknownKey(key, [...known.keys()]);
    return [{ path: childPath, offset, message }];
  });
}

function describeUnknownKey(key: string, known: readonly string[]): string {
  const nearest = findNearestName(key, known);
  return `unknown key; ${nearest === undefined ? `known keys: ${known.join(', ')}` : `did you mean ${nearest}?`}`;
}

/** Undefined: no version had the key. */
function describeRemovedKey(path: ConfigPath): string | undefined {
  const pattern = path.map((step, at) => (at === 1 && path[0] === 'sources' ? '*' : step)).join('.');
  const removed = REMOVED_KEYS.find(([key]) => key === pattern);
  return removed && `was removed in ${removed[1]}; ${removed[2]}`;
}

const MEMBERS =
  'members data is served for 15 minutes at most while its source fails, or for stale-if-error if that is less';
const UNVERIFIED = 'a 304 is trusted for one hour after the list was read';
const BREAKER = 'five failures in a row suspend a source for 30 seconds';
const COARSE = 'leave the parameter out; Rollcall filters by it';

/**
 * Path, where `*` stands for the code of a source; the first version without the setting; the end of the message (operation
 * 2.1.3). docs/configuration.md has the same table.
 */
export const REMOVED_KEYS: readonly (readonly [path: string, since: string, instead: string])[] = [
  ['server.workers', '0.2.0', 'run several instances behind a proxy (docs/deployment-instances.md)'],
  ['defaults.stale-if-error-members', '0.2.0', MEMBERS],
  ['sources.*.stale-if-error-members', '0.2.0', MEMBERS],
  ['defaults.max-unverified', '0.2.0', UNVERIFIED],
  ['sources.*.max-unverified', '0.2.0', UNVERIFIED],
  ['defaults.breaker', '0.2.0', BREAKER],
  ['sources.*.breaker', '0.2.0', BREAKER],
  ['server.directory-path', '0.2.0', 'the base path is /directory/v1, which a proxy can map to another path'],
  ['server.data-path', '0.2.0', 'the base path is /data/v1, which a proxy can map to another path'],
  ['server.envelope', '0.2.0', 'clients choose with the parameter envelope'],
  ['server.explorer.indexed', '0.2.0', 'the pages forbid search engines to index them'],
  ['server.warm-up', '0.2.0', 'the process always warms up before it is ready'],
  ['server.concurrency', '0.2.0', 'at most 64 requests to all sources are in progress; set concurrency of a source'],
  ['server.limits.connections', '0.2.0', 'at most 10,000 connections are open; a proxy can accept fewer'],
  ['server.limits.body', '0.2.0', 'the body of a request may have 64 KiB; a proxy can accept less'],
  ['server.limits.header-timeout', '0.2.0', 'the head of a request must arrive within 15 seconds'],
  ['server.limits.request-timeout', '0.2.0', 'a request must arrive within 30 seconds'],
  ['server.limits.write-timeout', '0.2.0', 'a client that reads nothing is disconnected after 30 seconds'],
  ['cache.state', '0.2.0', 'set cache.disk, which keeps the dates, too'],
  ['sources.*.tls.server-name', '0.2.0', 'use the address with the host name of the certificate'],
  ['sources.*.trace', '0.2.0', 'no trace context is sent to a source'],
  ['sources.*.supports.teams.coarse', '0.2.0', COARSE],
  ['sources.*.supports.teams.limit-max', '0.2.0', 'set page-size of the source'],
  ['sources.*.supports.news.coarse', '0.2.0', COARSE],
  ['sources.*.supports.news.limit-max', '0.2.0', 'set page-size of the source'],
  ['sources.*.supports.channels.coarse', '0.2.0', COARSE],
  ['sources.*.supports.channels.limit-max', '0.2.0', 'set page-size of the source'],
  ['access.scopes.members', '0.2.0', 'scope=members always needs members access'],
  ['access.issuer.algorithms', '0.2.0', 'the algorithms are RS256, PS256, ES256 and EdDSA'],
  ['access.issuer.clock-tolerance', '0.2.0', 'the clock of the issuer may differ by 60 seconds'],
  [
    'sources.*.keep',
    '0.2.0',
    'an item that leaves its feed leaves the answers: ask the publisher for a feed with more items',
  ],
];
