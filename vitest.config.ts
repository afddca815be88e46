import { readFileSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Files that run in a process of their own: they replace modules, the clock or something of the process, or start threads. */
const ALONE = /\bvi\.|\bprocess\.|\bglobalThis\b|\/support\/(process-warnings|fetch-transport|threads\/[a-z-]+)\.js/;
const ALONE_FOLDERS = /^test\/(cli|failures|federation|freshness|oracle)\//;

function testFiles(): string[] {
  const files = readdirSync(join(import.meta.dirname, 'test'), { recursive: true, encoding: 'utf8' });
  const tests = files.filter((file) => file.endsWith('.test.ts')).map((file) => `test/${file}`);
  return tests.filter((file) => !/^test\/(interop|long)\//.test(file));
}

function runsAlone(file: string): boolean {
  return ALONE_FOLDERS.test(file) || ALONE.test(readFileSync(join(import.meta.dirname, file), 'utf8'));
}

/** Tests that need Node only. The other files of a worker share its process: to load Rollcall anew for each costs more than many tests. */
export default defineConfig({
  test: {
    setupFiles: ['test/support/random-seed.ts'],
    testTimeout: 60_000,
    // Many tests wait for a loopback server or a real timer: two workers for each processor keep it busy meanwhile.
    maxWorkers: 2 * availableParallelism(),
    dangerouslyIgnoreUnhandledErrors: false,
    projects: [
      { extends: true, test: { name: 'alone', include: testFiles().filter(runsAlone) } },
      {
        extends: true,
        test: { name: 'together', include: testFiles().filter((file) => !runsAlone(file)), isolate: false },
      },
    ],
  },
});
