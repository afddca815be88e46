import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { PACKAGE_FOLDER } from '../../program/package-folder.js';
import { readJsonProperty } from './json-property.js';
import { WORLD_MAP_FILE, listMapCodes } from '../map/world-map-file.js';

export interface ExplorerAsset {
  /** Contains a hash of the content. */
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

/** The manifest names files by their source. */
const SCRIPT = 'src/explorer/client/explorer.ts';
const STYLE = 'src/explorer/client/explorer.css';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

/** Rejects if the files of `npm run build` are missing. */
export async function loadExplorerAssets(folder = BUNDLE_FOLDER): Promise<ExplorerAssets> {
  const manifest: unknown = JSON.parse(await readFile(new URL('manifest.json', folder), 'utf8'));
  const load = async (source: string): Promise<ExplorerAsset> => {
    const file = findFile(manifest, source);
    const contentType = CONTENT_TYPES[extname(file)] ?? 'application/octet-stream';
    return { path: `/assets/${file}`, contentType, bytes: await readFile(new URL(file, folder)) };
  };
  const [script, style] = await Promise.all([load(SCRIPT), load(STYLE)]);
  return { script, style, map: await loadWorldMap(folder) };
}

async function loadWorldMap(folder: URL): Promise<WorldMap> {
  const bytes = await readFile(new URL(WORLD_MAP_FILE, folder));
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 8);
  const path = `/assets/${WORLD_MAP_FILE.replace('.', `-${hash}.`)}`;
  return { path, contentType: 'image/svg+xml', bytes, codes: listMapCodes(bytes.toString()) };
}

/** Built from the source; without folders. */
function findFile(manifest: unknown, source: string): string {
  const file = readJsonProperty(readJsonProperty(manifest, source), 'file');
  if (typeof file !== 'string' || !/^[\w.-]+$/.test(file)) throw new Error(`the manifest has no file for ${source}`);
  return file;
}
