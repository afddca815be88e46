import { isDeepStrictEqual } from 'node:util';
import { fingerprintConfig, fingerprintSources } from '../config/config-fingerprint.js';
import type { FingerprintedSource } from '../config/config-fingerprint.js';
import type { Config, SourceConfig } from '../config/config.js';
import { ACCESS_LEVELS } from '../model/access-level.js';
import type { AccessLevel } from '../model/access-level.js';
import type { Clock } from '../model/clock.js';
import type { CircuitBreakers } from '../source/client/circuit-breaker.js';
import type { SnapshotHandover } from '../source/snapshot/snapshot-handover.js';
import type { AppDependencies } from './app-dependencies.js';
import type { Level } from './level.js';

export interface ReplaceableApp {
  readonly config: Config;
  /** `members` is undefined where no client can have members access. */
  readonly levels: Readonly<Record<AccessLevel, Level | undefined>>;
  readonly admissionControl: AppDependencies['continuedAdmissionControl'];
}

/**
 * Replaces the application of one configuration by that of another one (operation 6.2):
 *
 * 1. The later application is created with the `continuedParts` of the earlier one.
 * 2. `prepare`: its new sources may be warmed up. The earlier application serves meanwhile.
 * 3. `complete`: it takes over all snapshots, in one turn of the event loop. Every request from then on is its own; the
 *    earlier application finishes those that it has.
 */
export class AppHandover {
  private readonly handovers: Readonly<Record<AccessLevel, ReadonlyMap<string, SnapshotHandover>>>;

  constructor(
    private readonly previous: ReplaceableApp,
    private readonly config: Config,
  ) {
    const change = { previous: previous.config.sources, next: config.sources };
    this.handovers = { public: decideHandovers(change, 'public'), members: decideHandovers(change, 'members') };
  }

  get continuedParts(): Pick<AppDependencies, 'continuedBreakers' | 'continuedAdmissionControl'> {
    const { previous, config } = this;
    const breakersOf = (access: AccessLevel): ReadonlyMap<string, CircuitBreakers> =>
      new Map([...(previous.levels[access]?.breakers ?? [])].filter(([code]) => this.isUnchanged(code, access)));
    return {
      continuedBreakers: { public: breakersOf('public'), members: breakersOf('members') },
      ...(isAdmissionEqual(previous.config, config) && { continuedAdmissionControl: previous.admissionControl }),
    };
  }

  beginsEmpty({ code }: { readonly code: string }): boolean {
    return (this.handovers.public.get(code) ?? 'none') === 'none';
  }

  /** Continues the change dates of sources that begin without snapshots. */
  prepare(next: ReplaceableApp): void {
    this.continueSources(next, (handover) => handover === 'none');
  }

  /**
   * Hands over snapshots and indexes. Every set counts as changed where the configurations answer the same queries
   * differently, and where a source begins without snapshots: what the earlier application served of it meanwhile is
   * not in its history.
   */
  complete(next: ReplaceableApp, clock: Clock): void {
    this.continueSources(next, (handover) => handover !== 'none');
    this.continueIndexes(next);
    const isSameShape = fingerprintConfig(this.previous.config) === fingerprintConfig(this.config);
    for (const access of ACCESS_LEVELS) {
      const gateway = next.levels[access]?.gateway;
      const previous = this.previous.levels[access]?.gateway;
      if (previous !== undefined) previous.isReplaced = true;
      const isContinued = isSameShape && ![...this.handovers[access].values()].includes('none');
      if (gateway !== undefined) gateway.replacedAt = isContinued ? previous?.replacedAt : clock.now();
    }
  }

  private isUnchanged(code: string, access: AccessLevel): boolean {
    return this.handovers[access].get(code) === 'everything';
  }

  private continueSources({ levels }: ReplaceableApp, isSelected: (handover: SnapshotHandover) => boolean): void {
    for (const access of ACCESS_LEVELS) {
      const sources = levels[access]?.sources ?? [];
      const earlier = new Map(this.previous.levels[access]?.sources.map((source) => [source.code, source]));
      for (const source of sources) {
        const before = earlier.get(source.code);
        const handover = this.handovers[access].get(source.code) ?? 'none';
        if (before !== undefined && isSelected(handover)) source.continueFrom(before, handover);
      }
    }
  }

  private continueIndexes({ levels }: ReplaceableApp): void {
    for (const access of ACCESS_LEVELS) {
      const [level, before] = [levels[access], this.previous.levels[access]];
      if (level === undefined || before === undefined) continue;
      const kept = level.sources.filter(({ code }) => (this.handovers[access].get(code) ?? 'none') !== 'none');
      const numbers = new Set(kept.map(({ number }) => number));
      level.searchEngine.continueFrom(before.searchEngine, (number) => numbers.has(number));
    }
  }
}

/** Both configurations admit and count requests in the same way, so that the counts are kept. */
function isAdmissionEqual(previous: Config, next: Config): boolean {
  const settingsOf = ({ access, cache, server }: Config): unknown => {
    const store = cache.redis === undefined ? [] : [cache.redis, cache.redisKey, server.name];
    return [access, server.trustProxy, server.limits.rate, store];
  };
  return isDeepStrictEqual(settingsOf(previous), settingsOf(next));
}

/** What each source keeps of the earlier snapshots, by its code. */
export function decideHandovers(
  { previous, next }: Readonly<Record<'previous' | 'next', readonly SourceConfig[]>>,
  access: AccessLevel,
): ReadonlyMap<string, SnapshotHandover> {
  const before = new Map(fingerprintSources(previous).map((one) => [one.source.code, one]));
  return new Map(
    fingerprintSources(next).map((one) => [one.source.code, decideHandover(before.get(one.source.code), one, access)]),
  );
}

function decideHandover(
  previous: FingerprintedSource | undefined,
  { source, fingerprints }: FingerprintedSource,
  access: AccessLevel,
): SnapshotHandover {
  if (previous?.fingerprints.definition !== fingerprints.definition) return 'none';
  const { source: before } = previous;
  // Other members credentials may give this gateway less.
  const areCredentialsEqual = isDeepStrictEqual(before.credentials, source.credentials);
  if (access === 'members' && !areCredentialsEqual) return 'none';
  const isContextEqual = previous.fingerprints.context === fingerprints.context;
  if (isContextEqual && isDeepStrictEqual(before, source)) return 'everything';
  const isConnectionEqual =
    isDeepStrictEqual(before.headers, source.headers) && isDeepStrictEqual(before.connection, source.connection);
  return isContextEqual && areCredentialsEqual && isConnectionEqual ? 'snapshots' : 'stale-snapshots';
}
