import type { ConfigPath } from './yaml/config-node.js';

interface RemovedKey {
  /** `*` stands for any key or index. */
  readonly path: string;
  /** The first version without the setting. */
  readonly since: string;
  /** The end of a message. */
  readonly instead: string;
}

/** (operation 2.1.3). docs/configuration.md has the same table. */
export const REMOVED_KEYS: readonly RemovedKey[] = [
  {
    path: 'server.workers',
    since: '0.2.0',
    instead: 'run several instances behind a proxy (docs/deployment-instances.md)',
  },
  {
    path: 'defaults.stale-if-error-members',
    since: '0.2.0',
    instead:
      'members data is served for 15 minutes at most while its source fails, or for stale-if-error if that is less',
  },
  {
    path: 'sources.*.stale-if-error-members',
    since: '0.2.0',
    instead:
      'members data is served for 15 minutes at most while its source fails, or for stale-if-error if that is less',
  },
  {
    path: 'defaults.max-unverified',
    since: '0.2.0',
    instead: 'a 304 is trusted for one hour after the list was read',
  },
  {
    path: 'sources.*.max-unverified',
    since: '0.2.0',
    instead: 'a 304 is trusted for one hour after the list was read',
  },
  {
    path: 'server.directory-path',
    since: '0.2.0',
    instead: 'the base path is /directory/v1, which a proxy can map to another path',
  },
  {
    path: 'server.data-path',
    since: '0.2.0',
    instead: 'the base path is /data/v1, which a proxy can map to another path',
  },
  {
    path: 'server.envelope',
    since: '0.2.0',
    instead: 'clients choose with the parameter envelope',
  },
  {
    path: 'server.explorer.indexed',
    since: '0.2.0',
    instead: 'the pages forbid search engines to index them',
  },
  {
    path: 'server.warm-up',
    since: '0.2.0',
    instead: 'the process always warms up before it is ready',
  },
  {
    path: 'server.limits.header-timeout',
    since: '0.2.0',
    instead: 'the head of a request must arrive within 15 seconds',
  },
  {
    path: 'server.limits.request-timeout',
    since: '0.2.0',
    instead: 'a request must arrive within 30 seconds',
  },
  {
    path: 'server.limits.write-timeout',
    since: '0.2.0',
    instead: 'a client that reads nothing is disconnected after 30 seconds',
  },
  {
    path: 'sources.*.trace',
    since: '0.2.0',
    instead: 'no trace context is sent to a source',
  },
  {
    path: 'sources.*.supports.teams.coarse',
    since: '0.2.0',
    instead: 'leave the parameter out; Rollcall filters by it',
  },
  {
    path: 'sources.*.supports.teams.limit-max',
    since: '0.2.0',
    instead: 'set page-size of the source',
  },
  {
    path: 'sources.*.supports.news.coarse',
    since: '0.2.0',
    instead: 'leave the parameter out; Rollcall filters by it',
  },
  {
    path: 'sources.*.supports.news.limit-max',
    since: '0.2.0',
    instead: 'set page-size of the source',
  },
  {
    path: 'sources.*.supports.channels.coarse',
    since: '0.2.0',
    instead: 'leave the parameter out; Rollcall filters by it',
  },
  {
    path: 'sources.*.supports.channels.limit-max',
    since: '0.2.0',
    instead: 'set page-size of the source',
  },
  {
    path: 'access.scopes.members',
    since: '0.2.0',
    instead: 'scope=members always needs members access',
  },
  {
    path: 'access.issuer.clock-tolerance',
    since: '0.2.0',
    instead: 'the clock of the issuer may differ by 60 seconds',
  },
  {
    path: 'sources.*.keep',
    since: '0.2.0',
    instead: 'an item that leaves its feed leaves the answers: ask the publisher for a feed with more items',
  },
];

/** Undefined: no version had the key. */
export function describeRemovedKey(path: ConfigPath): string | undefined {
  const removed = REMOVED_KEYS.find((one) => matches(one.path.split('.'), path));
  return removed && `was removed in ${removed.since}; ${removed.instead}`;
}

function matches(pattern: readonly string[], path: ConfigPath): boolean {
  return pattern.length === path.length && pattern.every((step, at) => step === '*' || step === path[at]);
}
