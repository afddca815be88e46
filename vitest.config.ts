import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { useCompiledSources } from './tools/compiled-sources.js';

/** Tests that need only Node.js. The files share the processes of the workers: a test closes and restores what it changes. */
export default defineConfig({
  plugins: [useCompiledSources()],
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/{interop,long}/**'],
    globalSetup: ['test/support/build-program.ts'],
    setupFiles: ['test/support/set-up-worker.ts'],
    isolate: false,
    testTimeout: 60_000,
    // Many tests wait for a loopback server or a real timer; two workers for each processor keep it busy.
    maxWorkers: 2 * availableParallelism(),
    dangerouslyIgnoreUnhandledErrors: false,
  },
});
