import { defineConfig } from 'vitest/config';

/** Tests with programs outside Node.js. A missing program is a failure (test/interop/programs.ts). */
export default defineConfig({
  test: {
    include: ['test/interop/**/*.test.ts'],
    globalSetup: ['test/support/build-program.ts'],
    setupFiles: ['test/support/random-seed.ts'],
    testTimeout: 120_000,
    dangerouslyIgnoreUnhandledErrors: false,
  },
});
