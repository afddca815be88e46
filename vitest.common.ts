import { defineConfig } from 'vitest/config';
import type { ViteUserConfig } from 'vitest/config';
import type { InlineConfig } from 'vitest/node';
import { useCompiledSources } from './tools/compiled-sources.js';

const MINUTE = 60_000;

/**
 * What all runs of tests have in common. The limits end only what hangs: each is more than ten times what anything takes
 * on an idle machine. Files of tests share the processes of the workers, so a test closes and restores what it changes.
 */
export function createTestConfig(minutes: number, test: InlineConfig): ViteUserConfig {
  return defineConfig({
    plugins: [useCompiledSources()],
    test: {
      globalSetup: ['test/support/build-program.ts'],
      setupFiles: ['test/support/set-up-worker.ts'],
      isolate: false,
      testTimeout: minutes * MINUTE,
      hookTimeout: minutes * MINUTE,
      expect: { poll: { timeout: MINUTE, interval: 20 } },
      ...test,
    },
  });
}
