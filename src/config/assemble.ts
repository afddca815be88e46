import type { Config, ServerConfig, ServerLimits, SourceConfig } from './config.js';
import type { Capability, Supports } from '../model/capabilities.js';
import type { Document } from './schema.js';

/** The configuration that a document without faults means; what a source does not set comes from `defaults`. */
export function assemble(document: Document): Config {
  const { admin, cache, samples, defaults, sources } = document;
  return {
    server: assembleServer(document.server),
    admin,
    cache: { memory: cache.memory, state: cache.state },
    samples: new Map(Object.entries(samples)),
    sources: Object.entries(sources)
      .map(([code, source]) => assembleSource(code, source, defaults))
      .sort((a, b) => a.number - b.number),
  };
}

function assembleServer(server: Document['server']): ServerConfig {
  const {
    name,
    'public-url': publicUrl,
    'directory-path': directoryPath,
    'data-path': dataPath,
    'warm-up': warmUp,
    limits,
    ...alike
  } = server;
  return { ...alike, name, publicUrl, directoryPath, dataPath, warmUp, limits: limitsOf(limits) };
}

function limitsOf(limits: Document['server']['limits']): ServerLimits {
  const {
    connections,
    body,
    'header-timeout': headerTimeout,
    'request-timeout': requestTimeout,
    'write-timeout': writeTimeout,
  } = limits;
  return { connections, body, headerTimeout, requestTimeout, writeTimeout };
}

/** What a source has when its registration does not say: what its interfaces have. */
function resourcesOf(data: string | undefined): SourceConfig['resources'] {
  return data === undefined ? ['teams'] : ['teams', 'news', 'channels'];
}

function assembleSource(
  code: string,
  source: Document['sources'][string],
  defaults: Document['defaults'],
): SourceConfig {
  return {
    code,
    number: source.number,
    sourceName: source['source-name'] ?? code,
    site: source.site,
    directory: source.directory,
    data: source.data,
    resources: source.resources.length > 0 ? source.resources : resourcesOf(source.data),
    required: source.required,
    aggregate: source.aggregate,
    prefixes: source.prefixes,
    coverage: { countries: source.coverage.countries },
    properties: source.properties,
    tolerates: source.tolerates,
    allKeysPublic: source['all-keys-public'],
    ttl: source.ttl ?? defaults.ttl,
    staleWhileRevalidate: source['stale-while-revalidate'] ?? defaults['stale-while-revalidate'],
    staleIfError: source['stale-if-error'] ?? defaults['stale-if-error'],
    confirmShrink: source['confirm-shrink'] ?? defaults['confirm-shrink'],
    maxUnverified: source['max-unverified'] ?? defaults['max-unverified'],
    timeout: source.timeout ?? defaults.timeout,
    retries: source.retries ?? defaults.retries,
    breaker: {
      failures: source.breaker.failures ?? defaults.breaker.failures,
      cooldown: source.breaker.cooldown ?? defaults.breaker.cooldown,
    },
    concurrency: source.concurrency ?? defaults.concurrency,
    pageSize: source['page-size'] ?? defaults['page-size'],
    drainThreshold: source['drain-threshold'] ?? defaults['drain-threshold'],
    supports: supportsOf(source.supports),
    maxBody: source['max-body'] ?? defaults['max-body'],
  };
}

type Declared = Document['sources'][string]['supports'];

function supportsOf({ teams, news, channels }: Declared): Supports {
  return {
    ...(teams && { teams: capabilityOf(teams) }),
    ...(news && { news: capabilityOf(news) }),
    ...(channels && { channels: capabilityOf(channels) }),
  };
}

function capabilityOf({ 'limit-max': limitMax, ...alike }: NonNullable<Declared['teams']>): Capability {
  return { ...alike, ...(limitMax !== undefined && { limitMax }) };
}
