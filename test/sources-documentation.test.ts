import { readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { parseConfig } from '../src/config/parse-config.js';
import { load } from 'js-yaml';
import { startGateway } from './support/gateway/test-gateway.js';
import type { TestGateway } from './support/gateway/test-gateway.js';
import { startUpstream } from './support/upstream/upstream-server.js';
import type { UpstreamServer } from './support/upstream/upstream-server.js';

const PAGE = readFileSync(new URL('../docs/sources.md', import.meta.url), 'utf8');
const blocks = (language: string): readonly string[] =>
  Array.from(PAGE.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g')), ([, text = '']) => text);

const open: (UpstreamServer | TestGateway)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

it('the configurations of docs/sources.md are valid', () => {
  expect(blocks('yaml').length).toBeGreaterThan(1);
  for (const text of blocks('yaml')) expect(parseConfig(text, {})).toHaveProperty('config');
});

/** All teams of a gateway over the document of the page in this format, registered as the page says. */
async function readTeams(format: 'json' | 'csv'): Promise<unknown> {
  const [body = ''] = blocks(format);
  const upstream = await startUpstream((_, response) => response.end(body));
  open.push(upstream);
  const text = blocks('yaml').find((block) => block.includes(`teams.${format}`)) ?? '';
  const local = text
    .replace('https://lists.example.org', upstream.address)
    .replace('file: lists', `url: ${upstream.address}`);
  const { sources } = load(local) as { readonly sources: Readonly<Record<string, object>> };
  const gateway = await startGateway({ sources });
  open.push(gateway);
  return (await gateway.get('/directory/v1/teams')).json;
}

it('the registration of docs/sources.md reads the CSV of the page', async () => {
  expect(await readTeams('csv')).toEqual([
    {
      'short-team-name': 'BIRCH',
      'official-team-name': 'Birch CERT',
      'country-code': 'AT',
      email: 'birch@example.org',
      'phone-numbers': ['+43 5550 0100', '+43 5550 0101'],
      'source-name': 'Our own list',
      '-own-sectors': 'energy, water',
    },
  ]);
});

it('the registration of docs/sources.md reads the JSON document of the page', async () => {
  expect(await readTeams('json')).toEqual([
    {
      'short-team-name': 'ACORN',
      'country-code': 'NO',
      email: 'acorn@example.org',
      'phone-numbers': ['+47 5550 0100', '+47 5550 0101 (fax)'],
      constituency: 'Government',
      'source-name': 'Example Lists',
      '-lists-level': 'listed',
    },
  ]);
});
