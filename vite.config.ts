import { defineConfig } from 'vite';

/**
 * Builds the script and the style sheet of the pages (src/explorer/client/) for src/explorer/assets/explorer-assets.ts.
 * Their names contain a hash of their content, so that browsers may keep them for ever.
 */
export default defineConfig({
  base: '/assets/',
  publicDir: false,
  logLevel: 'warn',
  build: {
    outDir: 'dist/explorer/client',
    emptyOutDir: true,
    assetsDir: '',
    manifest: 'manifest.json',
    modulePreload: false,
    target: 'es2022',
    rolldownOptions: { input: ['src/explorer/client/explorer.ts', 'src/explorer/client/explorer.css'] },
  },
});
