import { serializeStructuredList } from './structured-list.js';

/** What the held copies did for an answer (RFC 9211, section 2). */
export type CacheStatus =
  /** All came from them. `ttl`: whole seconds of time to live left, negative past its end; absent where the answer has none. */
  | { readonly hit: true; readonly ttl?: number }
  /** Something had to be waited for, and why; `collapsed` when all of it had been under way for somebody else. */
  | { readonly fwd: 'uri-miss' | 'stale'; readonly collapsed: boolean };

/** Writes a Cache-Status field with the one member `rollcall` (decisions.md, section 7). */
export function serializeCacheStatus(use: CacheStatus): string {
  return serializeStructuredList([{ name: 'rollcall', parameters: buildParameters(use) }]);
}

function buildParameters(use: CacheStatus): Readonly<Record<string, string | number | true>> {
  if ('hit' in use) return { hit: true, ...(use.ttl !== undefined && { ttl: use.ttl }) };
  return { fwd: use.fwd, ...(use.collapsed && { collapsed: true }) };
}
