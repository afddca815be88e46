import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Tests that generate more examples here than in `npm test`: those that use test/support/runs.ts. */
function generated(): string[] {
  const folder = join(import.meta.dirname, 'test');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.test.ts'));
  return files
    .filter((file) => readFileSync(join(folder, file), 'utf8').includes('/support/runs.js'))
    .map((file) => join('test', file));
}

export default defineConfig({
  test: {
    include: generated(),
    setupFiles: ['test/support/chance.ts'],
    env: { LONG: '1' },
    maxWorkers: '100%',
    dangerouslyIgnoreUnhandledErrors: false,
  },
});
