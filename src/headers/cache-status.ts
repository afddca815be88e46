import { serializeStructuredList } from './structured-list.js';

/** RFC 9211, section 2; decisions 7.15. */
export type CacheStatus =
  /** `ttl`: remaining seconds, whole, negative when the time to live has passed; absent for a response without one. */
  | { readonly hit: true; readonly ttl?: number }
  /** A source was waited for. `collapsed`: only for what was in progress for another request. */
  | { readonly fwd: 'uri-miss' | 'stale'; readonly collapsed: boolean };

/** With the single member `rollcall`. */
export function serializeCacheStatus(use: CacheStatus): string {
  return serializeStructuredList([{ name: 'rollcall', parameters: buildParameters(use) }]);
}

function buildParameters(use: CacheStatus): Readonly<Record<string, string | number | true>> {
  if ('hit' in use) return { hit: true, ...(use.ttl !== undefined && { ttl: use.ttl }) };
  return { fwd: use.fwd, ...(use.collapsed && { collapsed: true }) };
}
