import type { Gateway } from '../gateway/gateway.js';
import type { RenderCache } from '../http/cache/render-cache.js';
import type { QueryBackend } from '../http/operations/served-resource.js';
import type { SearchEngine } from '../search/search-engine.js';
import type { CircuitBreakers } from '../source/client/circuit-breaker.js';
import type { Source } from '../source/source.js';

/** The sources of one access level, and the circuit breakers of their clients. */
export interface LevelSources {
  /** Ordered by number. */
  readonly sources: readonly Source[];
  /** By the code of the source. */
  readonly breakers: ReadonlyMap<string, CircuitBreakers>;
}

/** The sources, caches and limits of one access level. Two levels share nothing but connections. */
export interface Level extends LevelSources {
  readonly gateway: Gateway;
  readonly backend: QueryBackend;
  readonly searchEngine: SearchEngine;
  /** Only that of the public level is used: members responses are not shared. */
  readonly renderCache: RenderCache;
}
