import { serializeStructuredList } from './structured-list.js';

/** How snapshots served a response (RFC 9211, section 2; decisions 7.15). */
export type CacheStatus =
  /**
   * The response waited for no source. `ttl`: remaining time to live in whole seconds, negative when it has passed;
   * absent for a response without one.
   */
  | { readonly hit: true; readonly ttl?: number }
  /**
   * The response waited for a source. `collapsed`: everything that it waited for was already in progress for another
   * request.
   */
  | { readonly fwd: 'uri-miss' | 'stale'; readonly collapsed: boolean };

/** Serializes a Cache-Status field with the single member `rollcall` (decisions 7.15). */
export function serializeCacheStatus(use: CacheStatus): string {
  return serializeStructuredList([{ name: 'rollcall', parameters: buildParameters(use) }]);
}

function buildParameters(use: CacheStatus): Readonly<Record<string, string | number | true>> {
  if ('hit' in use) return { hit: true, ...(use.ttl !== undefined && { ttl: use.ttl }) };
  return { fwd: use.fwd, ...(use.collapsed && { collapsed: true }) };
}
