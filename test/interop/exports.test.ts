import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { closeDataGateways, startDataGateway } from '../support/gateway/data-gateway.js';
import type { DataGateway } from '../support/gateway/data-gateway.js';
import { hostileTexts } from '../support/generators/hostile-values.js';
import { programs, run } from './programs.js';
import { xmllint } from './readers.js';

afterEach(closeDataGateways);

const SCRIPT = fileURLToPath(new URL('read-exports.py', import.meta.url));

function read(program: 'vobject' | 'feedparser', kind: 'vcf' | 'feed', input: string): unknown {
  const { status, stdout, stderr } = run(programs[program], [SCRIPT, kind], { input });
  if (status !== 0) throw new Error(`${SCRIPT} ended with ${String(status)}: ${stderr}`);
  return JSON.parse(stdout);
}

function start(): Promise<DataGateway> {
  const texts = hostileTexts.filter((text) => text.trim() !== '');
  return startDataGateway({
    harbour: {
      records: {
        teams: [
          {
            id: 'a',
            team: 'A',
            'team-full': 'Ærø, Team; A',
            address: 'Street 1\r\nTown',
            country: 'NO',
            email: 'a@a.example',
          },
          ...texts.map((text, at) => ({ id: `h${at}`, team: `T${at}`, 'team-full': text, address: text, host: text })),
        ],
        news: [
          { id: 1, title: 'One', summary: 'a < b & c', link: 'https://a.example/1', published: '2025-12-01' },
          ...texts.map((text, at) => ({ id: at + 2, title: text, summary: text })),
        ],
      },
    },
  });
}

describe('vobject', () => {
  it('reads each card, with as many as there are teams', async () => {
    const { gateway } = await start();
    const { headers, text } = await gateway.get('/data/v1/teams.vcf?limit=1000&sort=id');
    const cards = read('vobject', 'vcf', text);
    expect(cards).toHaveLength(Number(headers.get('x-total-count')));
    expect(cards).toMatchObject({
      0: {
        fn: ['Ærø, Team; A'],
        uid: ['harbour.a'],
        email: ['a@a.example'],
        kind: ['org'],
        adr: ['Street 1\nTown'],
        note: ['Source: harbour.'],
      },
    });
  });
});

describe.each([
  ['Atom', '/data/v1/news.atom', 'atom10'],
  ['RSS', '/data/v1/news.rss', 'rss20'],
])('feedparser reads the feed in %s', (_name, target, version) => {
  it('without a public URL, with as many entries as there are news', async () => {
    const { gateway } = await start();
    const { headers, text } = await gateway.get(`${target}?limit=1000`);
    expect(xmllint([Buffer.from(text)])).toBe('');
    const feed = read('feedparser', 'feed', text);
    expect(feed).toMatchObject({ version, malformed: false, subtitle: 'Rests on harbour.' });
    expect(feed).toMatchObject({ entries: { length: Number(headers.get('x-total-count')) } });
    expect(feed).toMatchObject({
      entries: expect.arrayContaining([
        expect.objectContaining({ title: 'One', link: 'https://a.example/1', author: 'harbour' }),
      ]) as unknown,
    });
  });
});
