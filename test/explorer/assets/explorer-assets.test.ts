import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { createAssetRoutes, loadExplorerAssets } from '../../../src/explorer/assets/explorer-assets.js';
import type { ExplorerAssets } from '../../../src/explorer/assets/explorer-assets.js';
import { startGateway } from '../../support/gateway/test-gateway.js';

/** Maximum size of the script and the style sheet together, compressed. */
const MAX_BYTES = 60 * 1024;

let assets: ExplorerAssets;

beforeAll(async () => {
  assets = await loadExplorerAssets();
});

describe('the built script, style sheet and map', () => {
  it('are small, and load nothing from elsewhere', () => {
    const { script, style } = assets;
    const sizes = [script, style].map(({ bytes }) => gzipSync(bytes).length);
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(MAX_BYTES);
    for (const { bytes } of [script, style])
      expect(Buffer.from(bytes).toString()).not.toMatch(
        /https?:|\/\/[a-z]|@import|import\(|eval\(|innerHTML|insertAdjacentHTML/,
      );
  });

  it('are served under names with a hash of their content, which browsers keep', async () => {
    const gateway = await startGateway(
      { sources: { one: { directory: 'http://127.0.0.1:9' } } },
      { explorerAssets: assets },
    );
    try {
      const page = await gateway.get('/');
      for (const { path, contentType, bytes } of [assets.script, assets.style, assets.map]) {
        expect(path).toMatch(/^\/assets\/[\w-]+-[\w-]{8}\.(?:js|css|svg)$/);
        expect(page.text).toMatch(new RegExp(`="${path}[#"]`));
        const response = await gateway.get(path);
        expect([response.status, response.text]).toEqual([200, Buffer.from(bytes).toString()]);
        expect(response.headers.get('content-type')).toBe(contentType);
        expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
        expect(response.headers.get('x-content-type-options')).toBe('nosniff');
        expect((await gateway.get(`${path}x`)).status).toBe(404);
      }
    } finally {
      await gateway.close();
    }
  });

  it('have one route each', () => {
    expect(createAssetRoutes(assets).map(({ pattern }) => pattern.test(assets.script.path))).toEqual([
      true,
      false,
      false,
    ]);
  });
});

it('a folder without the files of a build is refused', async () => {
  await expect(loadExplorerAssets(new URL('./', import.meta.url))).rejects.toThrow(/ENOENT/);
});
