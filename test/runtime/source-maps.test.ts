import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { ServerProcess } from '../../src/cli/serve/server-process.js';
import { createMetrics } from '../../src/events/metrics.js';
import { mapStackTraces } from '../../src/runtime/source-maps.js';

const before = Object.getOwnPropertyDescriptor(Error, 'prepareStackTrace') ?? { value: undefined, writable: true };
afterEach(() => {
  Object.defineProperty(Error, 'prepareStackTrace', before);
});

it('lets stack traces name a line of a source that exists', () => {
  mapStackTraces();
  const unopened = new ServerProcess({
    file: 'rollcall.yaml',
    log: { setLevel: () => undefined },
    publish: () => undefined,
    metrics: createMetrics({ ofProcess: false }),
    program: { version: '1.2.3', build: 'a' },
  });
  let stack = '';
  try {
    expect(unopened.current).toBeUndefined();
  } catch (error) {
    if (error instanceof Error) stack = error.stack ?? '';
  }
  const [, url = '', line = ''] = /(file:\S+server-process\.ts):(\d+):\d+/.exec(stack) ?? [];
  expect(readFileSync(fileURLToPath(url), 'utf8').split('\n')[Number(line) - 1]).toContain('the process is not open');
});

it('finds all sources of the built program', () => {
  const dist = new URL('../../dist/', import.meta.url);
  const maps = readdirSync(dist).filter((file) => file.endsWith('.js.map'));
  const sources = maps.flatMap((file) => {
    const { sources: paths } = JSON.parse(readFileSync(new URL(file, dist), 'utf8')) as { sources: readonly string[] };
    return paths.filter((path) => path.includes('/src/') && !path.includes('node_modules'));
  });
  expect(sources.length).toBeGreaterThan(500);
  expect(sources.filter((path) => !existsSync(new URL(path, dist)))).toEqual([]);
});
