import { defineConfig } from 'vitest/config';
import { useCompiledSources } from './tools/compiled-sources.js';

/** Tests with programs outside Node.js. A missing program is a failure (test/interop/programs.ts). */
export default defineConfig({
  plugins: [useCompiledSources()],
  test: {
    include: ['test/interop/**/*.test.ts'],
    globalSetup: ['test/support/build-program.ts'],
    setupFiles: ['test/support/set-up-worker.ts'],
    testTimeout: 120_000,
    dangerouslyIgnoreUnhandledErrors: false,
  },
});
