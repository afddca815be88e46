import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { main } from '../src/cli/main.js';
import { startUpstream } from './support/upstream/upstream-server.js';
import type { UpstreamServer } from './support/upstream/upstream-server.js';

const page = readFileSync(new URL('../docs/preview.md', import.meta.url), 'utf8');
const blocks = (language: string): readonly string[] =>
  Array.from(page.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g')), ([, text = '']) => text);

/** Each `rollcall preview` line of the page with the output shown below it. */
const examples = Array.from(
  page.matchAll(/```sh\nrollcall (preview [a-z].*)\n```\n\n```text\n([\s\S]*?)```/g),
  ([, command = '', output = '']) => [command, output] as const,
);

let upstream: UpstreamServer;
let folder: string;

beforeAll(async () => {
  const [body = ''] = blocks('json');
  upstream = await startUpstream((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(body),
  );
  folder = await mkdtemp(join(tmpdir(), 'rollcall-docs-preview-'));
  const { origin } = new URL(upstream.address);
  for (const [at, name] of ['first.yaml', 'second.yaml'].entries())
    await writeFile(join(folder, name), (blocks('yaml')[at] ?? '').replace('https://lists.example.org', origin));
});

afterAll(async () => {
  await upstream.close();
  await rm(folder, { recursive: true });
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Replaces milliseconds, whose width also changes that of their column. */
const withoutTimes = (text: string): string => text.replace(/\d+ ms +/, '').replace(/time +/, '');

test('docs/preview.md shows a first and a second registration', () => {
  expect(examples.map(([command]) => command.split(' ')[3])).toEqual(['first.yaml', 'second.yaml']);
});

test.each(examples)('docs/preview.md shows the output of rollcall %s', async (command, output) => {
  let printed = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((printed += String(text)), true));
  await main(command.split(' ').map((word) => (word.endsWith('.yaml') ? join(folder, word) : word)));
  vi.restoreAllMocks();
  expect(withoutTimes(printed)).toBe(withoutTimes(output));
});
