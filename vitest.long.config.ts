import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { useCompiledSources } from './tools/compiled-sources.js';

/** Long tests: those of test/long, and those that generate more examples than in `npm test` (test/support/generated-runs.ts). */
function longTests(): string[] {
  const folder = join(import.meta.dirname, 'test');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
  return files
    .filter(
      (file) =>
        file.startsWith('long/') || readFileSync(join(folder, file), 'utf8').includes('/support/generated-runs.js'),
    )
    .map((file) => join('test', file));
}

export default defineConfig({
  plugins: [useCompiledSources()],
  test: {
    include: longTests(),
    globalSetup: ['test/support/build-program.ts'],
    setupFiles: ['test/support/set-up-worker.ts'],
    env: { LONG: '1' },
    maxWorkers: '100%',
    dangerouslyIgnoreUnhandledErrors: false,
  },
});
