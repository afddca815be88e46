import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { main } from '../src/cli/main.js';
import { startSamples } from '../src/demo/start-sample-repositories.js';
import type { RunningSamples } from '../src/demo/start-sample-repositories.js';

const page = readFileSync(new URL('../docs/explaining.md', import.meta.url), 'utf8');

/** The configuration on the page, and the block that is pasted into it. */
const [config = '', block = ''] = Array.from(page.matchAll(/```yaml\n([\s\S]*?)\n```/g), ([, text = '']) => text);

/** Each `rollcall explain` line of the page with the output shown below it. */
const examples = Array.from(
  page.matchAll(/```sh\nrollcall (explain '\/.*)\n```\n\n```(?:text|json)\n([\s\S]*?)\n```/g),
  ([, command = '', output = '']) => [command, output] as const,
);

let samples: RunningSamples;
let folder: string;
/** Configuration files before and after the block is pasted. */
const files = { before: '', after: '' };

beforeAll(async () => {
  const ports = new Map(Array.from(config.matchAll(/^ {2}(\w+):$/gm), ([, name = '']) => [name, 0]));
  samples = await startSamples(ports);
  const addressed = [...samples.addresses].reduce((text, [code, { directory, data }]) => {
    const [before = '', rest = ''] = text.split(`  ${code}:\n`);
    return `${before}  ${code}:\n${rest.replace(/http:\S+/, directory ?? data ?? '')}`;
  }, config);
  folder = await mkdtemp(join(tmpdir(), 'rollcall-explaining-'));
  Object.assign(files, { before: join(folder, 'before.yaml'), after: join(folder, 'after.yaml') });
  await writeFile(files.before, addressed);
  await writeFile(files.after, addressed.replace('\n  attic:\n', `\n${block}\n  attic:\n`));
});

afterAll(async () => {
  await samples.close();
  await rm(folder, { recursive: true });
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Runs a command, and returns its output and exit code. */
async function runCommand(command: string, file: string): Promise<{ readonly out: string; readonly code?: number }> {
  let out = '';
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((out += String(text)), true));
  const words = Array.from(command.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, word = '']) => quoted ?? word);
  const code = await main(words.map((word) => (word === 'large.yaml' ? file : word)));
  vi.restoreAllMocks();
  return { out: out.trimEnd(), ...(code !== undefined && { code }) };
}

/** Replaces milliseconds, which differ in each run. */
function withoutTimes(text: string): string {
  return text
    .replaceAll(/("milliseconds": )\d+/g, '$1N')
    .replaceAll(/ +(?:\d+|ms)$/gm, ' N')
    .trimEnd();
}

describe('docs/explaining.md', () => {
  test('shows a query before and after the block is pasted', () => {
    expect(examples.map(([command]) => command.split("'")[1])).toEqual([
      '/directory/v1/teams?country=BR&limit=5',
      '/directory/v1/teams?country=BR&limit=5',
      '/directory/v1/teams?country=BR&host=harbour',
      '/data/v1/news/110003',
    ]);
  });

  test.each(examples.map(([command, output], at) => [command, output, at === 0 ? 'before' : 'after'] as const))(
    'shows the output of rollcall %s',
    async (command, output, when) => {
      const { out, code } = await runCommand(command, files[when]);
      expect(withoutTimes(out)).toBe(withoutTimes(output));
      expect(code).toBe(0);
    },
  );

  test('shows the block that rollcall probe --write prints', async () => {
    const { out } = await runCommand('probe harbour --config large.yaml --write', files.before);
    const withoutDate = (text: string): string => text.replace(/on \d{4}-\d\d-\d\d/, 'on some day');
    expect(withoutDate(out.slice(out.indexOf('    supports:')))).toBe(withoutDate(block));
  });

  test('lists exactly the properties that --json prints', async () => {
    const targets = [
      '/directory/v1/teams?country=BR',
      '/directory/v1/teams?source-name=beacon%20exchange',
      '/data/v1/news/110003',
      '/data/v1/news/999003',
    ];
    const printed = new Set<string>();
    for (const target of targets) {
      const { out } = await runCommand(`explain '${target}' --config large.yaml --run --json`, files.after);
      for (const name of namesIn(JSON.parse(out))) printed.add(name);
    }
    const [, programs = ''] = page.split('\n## For programs\n');
    const documented = Array.from(programs.matchAll(/^\| `(\w+)` /gm), ([, name = '']) => name);
    expect([...printed].toSorted()).toEqual(documented.toSorted());
  });
});

/** Names of all properties, except the parameters inside `sent`. */
function namesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => [name, ...(name === 'sent' ? [] : namesIn(inner))]);
}
