import { readFileSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Matches tests that need their own process: they replace modules, the clock or parts of the process, or start threads. */
const NEEDS_OWN_PROCESS =
  /\bvi\.|\bprocess\.|\bglobalThis\b|\/support\/(process-warnings|gateway\/fetch-transport|gateway\/threads\/[a-z-]+)\.js/;
const FOLDERS_WITH_OWN_PROCESS =
  /^test\/(cli|failures|federation|freshness|oracle|search\/oracle|gateway\/links\/oracle)\//;

function testFiles(): string[] {
  const files = readdirSync(join(import.meta.dirname, 'test'), { recursive: true, encoding: 'utf8' });
  const tests = files.filter((file) => file.endsWith('.test.ts')).map((file) => `test/${file}`);
  return tests.filter((file) => !/^test\/(interop|long)\//.test(file));
}

function runsAlone(file: string): boolean {
  return (
    FOLDERS_WITH_OWN_PROCESS.test(file) || NEEDS_OWN_PROCESS.test(readFileSync(join(import.meta.dirname, file), 'utf8'))
  );
}

/**
 * Tests that need only Node.js. Files of the project "together" share the process of a worker, because loading Rollcall again
 * for each file costs more than many tests.
 */
export default defineConfig({
  test: {
    globalSetup: ['test/support/build-program.ts'],
    setupFiles: ['test/support/random-seed.ts'],
    testTimeout: 60_000,
    // Many tests wait for a loopback server or a real timer; two workers for each processor keep it busy.
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
