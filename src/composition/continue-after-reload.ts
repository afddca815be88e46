import { isDeepStrictEqual } from 'node:util';
import { fingerprintSources } from '../config/config-fingerprint.js';
import type { FingerprintedSource } from '../config/config-fingerprint.js';
import type { Config, SourceConfig } from '../config/config.js';
import { ACCESS_LEVELS } from '../model/access-level.js';
import type { AccessLevel } from '../model/access-level.js';
import type { CircuitBreakers } from '../source/client/circuit-breaker.js';
import type { AppDependencies } from './app-dependencies.js';
import type { Level } from './level.js';

export interface ReplaceableApp {
  readonly config: Config;
  /** `members` is undefined where no client can have members access. */
  readonly levels: Readonly<Record<AccessLevel, Level | undefined>>;
  readonly admissionControl: AppDependencies['continuedAdmissionControl'];
  /** Its answers have no dates: another application answers now. */
  markReplaced(): void;
}

/**
 * What of an earlier configuration a source goes on with: everything; its lists, which must be read again before they are
 * fresh, because requests or the reading of records may give something else; or nothing, because it is another source, or may
 * have other records for this gateway.
 */
export type Continuity = 'all' | 'stale' | 'none';

/** By the code of the source (operation 6.2). */
export function compareSources(
  { previous, next }: Readonly<Record<'previous' | 'next', readonly SourceConfig[]>>,
  access: AccessLevel,
): ReadonlyMap<string, Continuity> {
  const before = new Map(fingerprintSources(previous).map((one) => [one.source.code, one]));
  return new Map(
    fingerprintSources(next).map((one) => [one.source.code, compareSource(before.get(one.source.code), one, access)]),
  );
}

function compareSource(
  previous: FingerprintedSource | undefined,
  { source, fingerprints }: FingerprintedSource,
  access: AccessLevel,
): Continuity {
  if (previous?.fingerprints.definition !== fingerprints.definition) return 'none';
  const { source: before } = previous;
  // Other members credentials may give this gateway less.
  if (access === 'members' && !isDeepStrictEqual(before.credentials, source.credentials)) return 'none';
  const isSame = previous.fingerprints.context === fingerprints.context && isDeepStrictEqual(before, source);
  return isSame ? 'all' : 'stale';
}

/** With which the next application is created. */
export function continuedParts(
  previous: ReplaceableApp,
  config: Config,
): Pick<AppDependencies, 'continuedBreakers' | 'continuedAdmissionControl'> {
  const breakersOf = (access: AccessLevel): ReadonlyMap<string, CircuitBreakers> => {
    const continuity = compareSources({ previous: previous.config.sources, next: config.sources }, access);
    const breakers = [...(previous.levels[access]?.breakers ?? [])];
    return new Map(breakers.filter(([code]) => continuity.get(code) === 'all'));
  };
  return {
    continuedBreakers: { public: breakersOf('public'), members: breakersOf('members') },
    ...(isAdmissionEqual(previous.config, config) && { continuedAdmissionControl: previous.admissionControl }),
  };
}

/**
 * The next application takes over lists and indexes, in one turn of the event loop. Every request from then on is its
 * own; the earlier one finishes those that it has. Every list counts as changed.
 */
export function continueApp(previous: ReplaceableApp, next: ReplaceableApp): void {
  previous.markReplaced();
  for (const access of ACCESS_LEVELS) {
    const [level, before] = [next.levels[access], previous.levels[access]];
    if (level === undefined) continue;
    const continuity = compareSources({ previous: previous.config.sources, next: next.config.sources }, access);
    const earlier = new Map(before?.sources.map((source) => [source.code, source]));
    const isKept = ({ code }: { readonly code: string }): boolean => continuity.get(code) !== 'none';
    for (const source of level.sources) {
      const known = isKept(source) ? earlier.get(source.code) : undefined;
      source.replace(known, continuity.get(source.code) === 'stale');
    }
    const numbers = new Set(level.sources.filter(isKept).map(({ number }) => number));
    if (before !== undefined) level.searchEngine.continueFrom(before.searchEngine, (number) => numbers.has(number));
  }
}

/** Both configurations admit and count requests in the same way, so that the counts are kept. */
function isAdmissionEqual(previous: Config, next: Config): boolean {
  const settingsOf = ({ access, server }: Config): unknown => [access, server.trustProxy, server.limits.rate];
  return isDeepStrictEqual(settingsOf(previous), settingsOf(next));
}
