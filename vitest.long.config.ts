import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createTestConfig } from './vitest.common.js';

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

export default createTestConfig(120, {
  include: longTests(),
  isolate: true,
  env: { LONG: '1' },
  maxWorkers: '100%',
});
