import type { Gateway } from '../gateway/gateway.js';
import type { RenderCache } from '../http/cache/render-cache.js';
import type { QueryBackend } from '../http/operations/served-resource.js';
import type { SearchEngine } from '../search/search-engine.js';
import type { CircuitBreakers } from '../source/client/circuit-breaker.js';
import type { Source } from '../lists/source/source.js';

export interface LevelSources {
  /** Ordered by number. */
  readonly sources: readonly Source[];
  /** By the code of the source. */
  readonly breakers: ReadonlyMap<string, CircuitBreakers>;
}

/** Two levels share nothing but connections. */
export interface Level extends LevelSources {
  readonly gateway: Gateway;
  readonly backend: QueryBackend;
  readonly searchEngine: SearchEngine;
  /** Used at the public level only: members responses are not shared. */
  readonly renderCache: RenderCache;
}
