import { readFileSync, readdirSync } from 'node:fs';
import { load } from 'js-yaml';
import { afterEach, describe, expect, it } from 'vitest';
import { parseConfig } from '../src/config/parse-config.js';
import { startGateway } from './support/gateway/test-gateway.js';
import type { GatewaySetup, TestGateway } from './support/gateway/test-gateway.js';
import { createSelfSignedCertificate } from './support/tls/self-signed-certificate.js';
import { startUpstream } from './support/upstream/upstream-server.js';
import type { UpstreamServer } from './support/upstream/upstream-server.js';

const PAGE = readFileSync(new URL('../docs/sources.md', import.meta.url), 'utf8');

/** The text of each section of the page, by its heading. */
const SECTIONS = new Map(
  PAGE.split(/^## /m)
    .slice(1)
    .map((text) => [text.split('\n', 1)[0] ?? '', text] as const),
);

/** The code blocks of a text in a language. */
function blocks(text: string, language: string): readonly string[] {
  return Array.from(text.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g')), ([, code = '']) => code);
}

const open: (UpstreamServer | TestGateway)[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

/** The first configuration of a section, with the document of the section at every address that it names. */
async function run(heading: string, language: string): Promise<TestGateway> {
  const section = SECTIONS.get(heading) ?? '';
  const [body = ''] = blocks(section, language);
  const [configuration = ''] = blocks(section, 'yaml');
  const upstream = await startUpstream((_, response) => response.end(body));
  const { origin } = new URL(upstream.address);
  const local = configuration
    .replaceAll(/https:\/\/(?:lists|files|inventory|www)\.example\.org(?=\/.*\.|\/teams)/g, origin)
    .replace('file: ', `url: ${origin}/`);
  const gateway = await startGateway(load(local) as GatewaySetup);
  open.push(gateway, upstream);
  return gateway;
}

async function recordsOf(gateway: TestGateway, path: string): Promise<unknown> {
  const response = await gateway.get(`${path}?envelope=false&pretty=0`);
  expect(response.headers.get('source-status')).toMatch(/^[\w-]+;state=fresh/);
  const drained = gateway.log.find(({ message }) => message === 'source drained');
  expect(JSON.stringify(drained?.facts)).not.toContain('expression-');
  return response.json;
}

describe('docs/sources.md', () => {
  it('has valid configurations only', () => {
    const { cert, key } = createSelfSignedCertificate();
    const files = { folder: '.', readFile: (path: string) => ({ content: path.endsWith('.key') ? key : cert }) };
    const texts = blocks(PAGE, 'yaml');
    expect(texts.length).toBeGreaterThan(15);
    for (const text of texts) expect([text, parseConfig(text, {}, undefined, files)]).toHaveProperty([1, 'config']);
  });

  it('links to each of its sections that it names, and to each example', () => {
    const anchors = new Set(
      Array.from(PAGE.matchAll(/^##+ (.*)$/gm), ([, text = '']) =>
        text
          .toLowerCase()
          .replaceAll(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      ),
    );
    const links = Array.from(PAGE.matchAll(/\]\(#([\w-]+)\)/g), ([, anchor = '']) => anchor);
    expect(links.filter((anchor) => !anchors.has(anchor))).toEqual([]);
    const examples = readdirSync(new URL('../config/examples/', import.meta.url)).filter((name) =>
      name.endsWith('.yaml'),
    );
    expect(examples.filter((name) => !PAGE.includes(`\`${name}\``))).toEqual([]);
  });

  it('reads its JSON document as it says', async () => {
    expect(await recordsOf(await run('A JSON document', 'json'), '/directory/v1/teams')).toEqual([
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

  it('reads its CSV as it says', async () => {
    expect(await recordsOf(await run('A spreadsheet saved as CSV', 'csv'), '/directory/v1/teams')).toEqual([
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

  it('reads its XML document as it says', async () => {
    expect(await recordsOf(await run('An XML document', 'xml'), '/directory/v1/teams')).toMatchObject([
      { 'short-team-name': 'ACORN', 'phone-numbers': ['+47 5550 0100'], email: 'acorn@example.org, duty@example.org' },
      { 'short-team-name': 'BIRCH', email: 'birch@example.org' },
    ]);
  });

  it.each([
    ['Several pages', 'json', '/directory/v1/teams', ['ACORN']],
    ['YAML and NDJSON', 'ndjson', '/directory/v1/teams', ['ACORN', 'BIRCH']],
    ['News', 'json', '/data/v1/news', ['Update the relay']],
    ['A news feed', 'xml', '/data/v1/news', ['Update the relay']],
    ['A news feed', 'xml', '/data/v1/channels', ['Advisories']],
  ])('reads the document of the section %s', async (heading, language, path, names) => {
    const records = await recordsOf(await run(heading, language), path);
    const nameOf = (record: Record<string, unknown>): unknown => record['short-team-name'] ?? record['title'];
    expect(Array.isArray(records) && records.map(nameOf)).toEqual(names);
  });
});
