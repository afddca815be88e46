import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { main } from '../src/cli/main.js';
import { startSamples } from '../src/demo/start-sample-repositories.js';
import type { RunningSamples } from '../src/demo/start-sample-repositories.js';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** Each `rollcall probe` line of the page with the output shown below it. */
const examples = Array.from(
  read('docs/probing.md').matchAll(/```sh\nrollcall (probe [a-z].*)\n```\n\n```text\n([\s\S]*?)\n```/g),
  ([, command = '', output = '']) => [command, output] as const,
);

let samples: RunningSamples;
let folder: string;
let file: string;

beforeAll(async () => {
  samples = await startSamples(new Map(['harbour', 'attic'].map((name) => [name, 0])));
  const address = (name: string): string => samples.addresses.get(name)?.directory ?? '';
  const config = read('config/demo.yaml')
    .replace('http://127.0.0.1:8101/directory/v1', address('harbour'))
    .replace('http://127.0.0.1:8103/directory/v1', address('attic'));
  folder = await mkdtemp(join(tmpdir(), 'rollcall-probing-'));
  file = join(folder, 'demo.yaml');
  await writeFile(file, config);
});

afterAll(async () => {
  await samples.close();
  await rm(folder, { recursive: true });
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Replaces the date in the printed block. */
const withoutDate = (text: string): string => text.replace(/on \d{4}-\d\d-\d\d/, 'on some day').trimEnd();

test('docs/probing.md shows a consistent source and an inconsistent one', () => {
  expect(examples.map(([command]) => command.split(' ')[1])).toEqual(['harbour', 'attic']);
});

test.each(examples)('docs/probing.md shows the output of rollcall %s', async (command, output) => {
  let printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((printed += String(text)), true));
  expect(await main(command.split(' ').map((word) => (word === 'config/demo.yaml' ? file : word)))).toBe(0);
  vi.restoreAllMocks();
  expect(withoutDate(printed)).toBe(withoutDate(output));
});
