import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { PageRoute } from '../../http/page-route.js';
import { PACKAGE_FOLDER } from '../../program/package-folder.js';
import { WORLD_MAP_FILE, listMapCodes } from '../map/world-map-file.js';

export interface ExplorerAsset {
  /** Contains a hash of the content, which therefore never changes (RFC 8246). */
  readonly path: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

export interface WorldMap extends ExplorerAsset {
  /** Of its countries, ISO 3166-1 alpha-2. */
  readonly codes: ReadonlySet<string>;
}

/** Loaded once, before the first request (operation 4.2). */
export interface ExplorerAssets {
  readonly map: WorldMap;
  readonly script: ExplorerAsset;
  readonly style: ExplorerAsset;
}

/** Written by `npm run build`. */
const BUNDLE_FOLDER = new URL('dist/client/', PACKAGE_FOLDER);

/** Rejects if the files of `npm run build` are missing. */
export async function loadExplorerAssets(folder = BUNDLE_FOLDER): Promise<ExplorerAssets> {
  const load = async (file: string, contentType: string): Promise<ExplorerAsset> => {
    const bytes = await readFile(new URL(file, folder));
    const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 8);
    return { path: `/assets/${file.replace('.', `-${hash}.`)}`, contentType, bytes };
  };
  const [script, style, map] = await Promise.all([
    load('explorer.js', 'text/javascript; charset=utf-8'),
    load('explorer.css', 'text/css; charset=utf-8'),
    load(WORLD_MAP_FILE, 'image/svg+xml'),
  ]);
  return { script, style, map: { ...map, codes: listMapCodes(Buffer.from(map.bytes).toString()) } };
}

const ROUTE = '/assets/{file}';

export function createAssetRoutes({ script, style, map }: ExplorerAssets): readonly PageRoute[] {
  return [script, style, map].map(({ path, contentType, bytes }) => ({
    pattern: new RegExp(`^${path.replace(/[^\w/-]/g, '\\$&')}$`),
    route: ROUTE,
    handle: () => ({
      status: 200,
      isPage: true,
      headers: { 'Content-Type': contentType, 'Cache-Control': 'public, max-age=31536000, immutable' },
      body: () => [bytes],
      // The cache of rendered bodies keeps the asset with its compressed forms.
      renderKey: {
        name: `public ${path}`,
        version: path,
        reusePolicy: { changes: 0, getTimedHeaders: () => undefined, logFields: {}, route: ROUTE, total: 0 },
      },
    }),
  }));
}
