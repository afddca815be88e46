import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/interop/**'],
    setupFiles: ['test/support/chance.ts'],
    testTimeout: 20_000,
    // Many tests wait for a loopback server or a real timer: two workers for each processor keep it busy meanwhile.
    maxWorkers: 2 * availableParallelism(),
    dangerouslyIgnoreUnhandledErrors: false,
  },
});
