import { fingerprintSources } from '../config/config-fingerprint.js';
import type { FingerprintedSource } from '../config/config-fingerprint.js';
import type { Config, SourceConfig, SourceOrigin } from '../config/config.js';
import type { Publish, PublishOfSource } from '../events/event.js';
import { isAccessSufficient } from '../model/access-level.js';
import type { AccessLevel } from '../model/access-level.js';
import { CircuitBreakers } from '../source/client/circuit-breaker.js';
import { createLimiter } from '../source/client/concurrency-limit.js';
import { fileTransport } from '../source/client/transport/file-transport.js';
import { createDocumentDialect } from '../source/dialect/document/document-dialect.js';
import { createFeedDialect } from '../source/dialect/feed/feed-dialect.js';
import { createDataDialect, createDirectoryDialect } from '../source/dialect/interface-dialects.js';
import type { ListsServices } from '../lists/lists.js';
import type { SharedLists } from '../lists/shared-lists.js';
import type { ListDisk } from '../lists/stored-list.js';
import type { Provenance } from '../source/record/record-reader.js';
import { createSourceClient } from '../source/source-client.js';
import { Source } from '../lists/source/source.js';
import { listOrigins } from '../lists/source/source-operations.js';
import type { SourceServices, SourceSettings } from '../source/source-settings.js';
import { SourceActivity } from '../lists/status/source-activity.js';
import type { AppDependencies } from './app-dependencies.js';
import type { LevelSources } from './level.js';

/**
 * In milliseconds, while the source fails: somebody whose membership ended may still see members data that long
 * (decisions 8.3).
 */
const MAX_MEMBERS_STALE_MS = 15 * 60_000;

/** In progress at all sources of a level together (operation 2.7). */
const MAX_REQUESTS = 64;

/** Of all sources of a level. */
export interface LevelServices
  extends Omit<SourceServices, 'publish'>, Omit<ListsServices, 'publish' | 'reader' | 'disk' | 'shared'> {
  readonly publish: Publish;
}

export interface SourceDependencies {
  readonly config: Config;
  readonly services: LevelServices;
  readonly dependencies: AppDependencies;
}

export function createSources(
  access: AccessLevel,
  { config, services, dependencies }: SourceDependencies,
): LevelSources {
  const { transport, observeSource, workers, continuedBreakers, findCertificate } = dependencies;
  const sharedLimit = createLimiter(MAX_REQUESTS);
  const breakers = new Map<string, CircuitBreakers>();
  const registrations = listRegistrations(config.sources);
  const sources = fingerprintSources(config.sources).map((fingerprinted) => {
    const { source } = fingerprinted;
    const settings = createSourceSettings(source, config, access, registrations);
    const { code, timeout, maxBody, concurrency, retries } = source;
    const activity = new SourceActivity();
    const findExpiry = createExpiryLookup(settings, findCertificate);
    const publish: PublishOfSource = (event) => {
      activity.note(event);
      services.publish({ source: code, ...event });
      const expiresAt = event.type === 'request sent' ? findExpiry() : undefined;
      if (expiresAt !== undefined) services.publish({ type: 'certificate seen', source: code, expiresAt });
    };
    const ownBreakers = continuedBreakers?.[access].get(code) ?? createBreakers(source, { ...services, publish });
    breakers.set(code, ownBreakers);
    publish({ type: 'source registered', isSuspended: ownBreakers.isSuspended });
    const fetch = createSourceClient({
      transport: isFile(source) ? fileTransport : transport,
      connection: source.connection,
      headers: source.headers,
      requestObserver: observeSource?.(code),
      credential: source.credentials[settings.upstreamAccess],
      clock: services.clock,
      bodyParser: workers?.[access].bodyParser,
      gatewayName: services.gatewayName,
      sharedLimit,
      sourceLimit: createLimiter(concurrency),
      timeout,
      maxBody,
      breakers: ownBreakers,
      retry: { retries, maxDelay: config.server.deadline, random: services.random },
      reports: { code, publish },
    });
    const disk = access === 'public' ? openDisk(fingerprinted, dependencies) : undefined;
    return new Source(
      settings,
      fetch,
      { ...services, publish, disk, shared: shareLists(fingerprinted, access, dependencies) },
      { activity, breakers: ownBreakers, findCertificate },
    );
  });
  return { sources, breakers };
}

/** Nothing that depends on members data is stored on disk (decisions 7.16). */
function openDisk(
  { source: { code, number }, fingerprints }: FingerprintedSource,
  { listFolder, configuration = '' }: AppDependencies,
): ListDisk | undefined {
  return listFolder?.forSource({ code, number, fingerprints, configuration });
}

/** Members data is shared only where it is encrypted (operation 2.5.4). */
function shareLists(
  { source, fingerprints }: FingerprintedSource,
  access: AccessLevel,
  { sharedStore, configuration = '' }: AppDependencies,
): SharedLists | undefined {
  const { code, number } = source;
  const credentials = JSON.stringify(source.credentials);
  return sharedStore?.forSource({ code, number, access, fingerprints, credentials, configuration });
}

/** Failures in a row that suspend a source, and milliseconds until a trial request (decisions 6.13). */
const SUSPENSION = { failures: 5, cooldown: 30_000 };

function createBreakers(
  { origin }: SourceConfig,
  { publish, clock }: Pick<SourceServices, 'publish' | 'clock'>,
): CircuitBreakers {
  return new CircuitBreakers(origin.kind === 'feed' ? 'url' : 'source', { ...SUSPENSION, clock, publish });
}

/** When the first certificate of the source expires, as far as known; in milliseconds since 1970. */
function createExpiryLookup(
  { access, dialects }: SourceSettings,
  findCertificate: AppDependencies['findCertificate'],
): () => number | undefined {
  const origins = listOrigins(dialects).filter((origin) => origin.startsWith('https:'));
  // The levels use the same servers.
  if (findCertificate === undefined || access !== 'public' || origins.length === 0) return () => undefined;
  return () => {
    const expiries = origins.flatMap((origin) => findCertificate(origin)?.validUntil ?? []);
    return expiries.length > 0 ? Math.min(...expiries) : undefined;
  };
}

/** A document in a file of this machine (operation 2.8.16). */
export function isFile({ origin }: SourceConfig): boolean {
  return origin.kind === 'document' && origin.document.url.startsWith('file:');
}

/** From the registrations of all sources. */
type SharedProvenance = Pick<Provenance, 'registeredCodes' | 'registeredProperties'>;

function listRegistrations(sources: Config['sources']): SharedProvenance {
  return {
    registeredCodes: sources.flatMap(listCodes),
    registeredProperties: sources.flatMap(({ properties }) => properties),
  };
}

/**
 * The registration of a source at an access level (operation 2.8). `registrations`: of all sources,
 * whose settings share them.
 */
export function createSourceSettings(
  source: SourceConfig,
  { sources, access: { scopes } }: Pick<Config, 'sources' | 'access'>,
  access: AccessLevel,
  registrations = listRegistrations(sources),
): SourceSettings {
  const others = source.aggregate ? sources.filter((other) => other !== source) : [];
  const { number, sourceName, site, aggregate, credentials } = source;
  const upstreamAccess = access === 'members' && credentials.members !== undefined ? 'members' : 'public';
  return {
    ...source,
    access,
    upstreamAccess,
    showsDerivedKeys: isAccessSufficient(access, scopes.pgp),
    ...(upstreamAccess === 'members' && { staleIfError: Math.min(source.staleIfError, MAX_MEMBERS_STALE_MS) }),
    dialects: createDialects(source.origin, upstreamAccess),
    provenance: {
      sourceName,
      sourceNumber: number,
      isAggregate: aggregate,
      ...(site !== undefined && { site }),
      codes: listCodes(source),
      otherSourceNames: others.map((other) => other.sourceName),
      ...registrations,
    },
  };
}

/** A published document serves the interface whose properties it maps, feeds the data interface. */
function createDialects(origin: SourceOrigin, upstreamAccess: AccessLevel): SourceSettings['dialects'] {
  switch (origin.kind) {
    case 'directory':
      return { directory: createDirectoryDialect(origin.directory), data: undefined };
    case 'data':
      return { directory: undefined, data: createDataDialect(origin.data, upstreamAccess) };
    case 'both':
      return {
        directory: createDirectoryDialect(origin.directory),
        data: createDataDialect(origin.data, upstreamAccess),
      };
    case 'document':
      return {
        directory: undefined,
        data: undefined,
        [origin.document.interfaceName]: createDocumentDialect(origin.document),
      };
    case 'feed':
      return { directory: undefined, data: createFeedDialect(origin.feeds) };
  }
}

/** The source may send `-<code>-…` properties with these codes. */
export function listCodes({ code, prefixes }: SourceConfig): readonly string[] {
  return [code, ...prefixes];
}
