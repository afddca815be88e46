import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/chance.ts'],
    testTimeout: 20_000,
    dangerouslyIgnoreUnhandledErrors: false,
  },
});
