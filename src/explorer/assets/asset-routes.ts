import type { PageRoute } from '../../http/page-route.js';
import type { OutgoingResponse, RenderKey } from '../../http/representation/outgoing-response.js';
import type { ExplorerAsset, ExplorerAssets } from './explorer-assets.js';

/** A path contains the hash of its content, which therefore never changes (RFC 8246). */
const ROUTE = '/assets/{file}';

const IMMUTABLE = 'public, max-age=31536000, immutable';

export function createAssetRoutes({ script, style, map }: ExplorerAssets): readonly PageRoute[] {
  return [script, style, map].map((asset) => ({
    pattern: new RegExp(`^${asset.path.replace(/[^\w/-]/g, '\\$&')}$`),
    route: ROUTE,
    handle: () => createAssetResponse(asset),
  }));
}

function createAssetResponse({ path, contentType, bytes }: ExplorerAsset): OutgoingResponse {
  return {
    status: 200,
    isPage: true,
    headers: { 'Content-Type': contentType, 'Cache-Control': IMMUTABLE },
    body: () => [bytes],
    renderKey: createAssetKey(path),
  };
}

/** The cache of rendered bodies keeps the asset with its compressed forms. */
function createAssetKey(path: string): RenderKey {
  const reusePolicy = { changes: 0, getTimedHeaders: () => undefined, logFields: {}, route: ROUTE, total: 0 };
  return { name: `public ${path}`, version: path, reusePolicy };
}
