import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: ['test/interop/**'],
    setupFiles: ['test/support/chance.ts'],
    testTimeout: 20_000,
    dangerouslyIgnoreUnhandledErrors: false,
  },
});
