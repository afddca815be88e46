import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { loadExplorerAssets } from '../../../src/explorer/assets/explorer-assets.js';
import { WORLD_MAP_FILE } from '../../../src/explorer/map/world-map-file.js';
import { createWorldMap } from '../../../src/explorer/map/world-map.js';
import type { ExplorerAssets } from '../../../src/explorer/assets/explorer-assets.js';

/** Builds the script and the style sheet of the pages as `npm run build` does, into a folder that is removed again. */
export async function buildExplorerAssets(): Promise<ExplorerAssets> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-assets-'));
  try {
    const root = join(import.meta.dirname, '../../..');
    await build({ root, configFile: join(root, 'vite.config.ts'), build: { outDir: folder } });
    await writeFile(join(folder, WORLD_MAP_FILE), JSON.stringify(createWorldMap()));
    return await loadExplorerAssets(pathToFileURL(`${folder}/`));
  } finally {
    await rm(folder, { recursive: true });
  }
}
