import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { main } from '../../src/cli/main.js';
import { behaviours, simulatedRepository } from '../support/repository/simulated-repository.js';
import { distinctiveNews, distinctiveTeams } from '../support/repository/run-probe.js';
import { unusedAddress, startUpstream } from '../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamRequest } from '../support/upstream/upstream-server.js';

const directory = distinctiveTeams(153, 'directory');

/** A repository that counts what it hands out. */
interface Counted {
  readonly address: string;
  readonly requests: readonly UpstreamRequest[];
  /** Records and decoded bytes in what it has sent with status 200. */
  readonly sent: { records: number; bytes: number };
  /** Begins to count anew. */
  readonly forget: () => void;
  readonly close: () => Promise<void>;
}

async function counted(handler: RequestHandler): Promise<Counted> {
  const sent = { records: 0, bytes: 0 };
  const upstream = await startUpstream((asked, response) => {
    const end = response.end.bind(response);
    vi.spyOn(response, 'end').mockImplementation((body: unknown) => {
      if (response.statusCode === 200) {
        const { data } = JSON.parse(String(body)) as { data: object };
        sent.bytes += Buffer.byteLength(String(body));
        sent.records += Array.isArray(data) ? data.length : 1;
      }
      return end(body);
    });
    handler(asked, response);
  });
  return {
    address: upstream.address,
    requests: upstream.requests,
    sent,
    forget: () => {
      upstream.forget();
      Object.assign(sent, { records: 0, bytes: 0 });
    },
    close: () => upstream.close(),
  };
}

const list = simulatedRepository({ teams: distinctiveTeams(40, 'data'), news: distinctiveNews(30), channels: [] });

/** Has the items of its news, too; the thirteenth is found at its second address. */
const withItems: RequestHandler = (asked, response) => {
  const [, id] = /\/news\/(\d+)$/.exec(asked.path) ?? [];
  const item = distinctiveNews(30).find((one) => String(one['id']) === id);
  if (id === undefined) list(asked, response);
  else if (id === '13' && !asked.query.has('moved')) {
    response.writeHead(302, { Location: `${asked.path}?moved=1` }).end('{}');
  } else if (item === undefined) response.writeHead(404).end('{"status":"Not Found","status-code":404}');
  else response.writeHead(200).end(JSON.stringify({ status: 'OK', data: item }));
};

let folder: string;
let gone: string;
let good: Counted;
let sloppy: Counted;
let small: Counted;
const said = { out: '', err: '' };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollcall-explain-'));
  gone = await unusedAddress();
  good = await counted(simulatedRepository({ directory }));
  sloppy = await counted(
    simulatedRepository({ directory }, [behaviours['ignores filters'], behaviours['ignores sort']]),
  );
  small = await counted(withItems);
});

afterAll(async () => {
  await Promise.all([good, sloppy, small].map((upstream) => upstream.close()));
  await rm(folder, { recursive: true });
});

beforeEach(() => {
  for (const upstream of [good, sloppy, small]) upstream.forget();
  Object.assign(said, { out: '', err: '' });
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((said.out += String(text)), true));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((said.err += String(text)), true));
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Writes a configuration; `blocks` stand under the sources of their codes as they are. */
async function written(blocks: Readonly<Record<string, string>> = {}): Promise<string> {
  const file = join(folder, 'rollcall.yaml');
  const sources = {
    good: [`directory: ${good.address}/directory`, 'drain-threshold: 50'],
    sloppy: [`directory: ${sloppy.address}/directory`, 'drain-threshold: 50'],
    small: [`data: ${small.address}/data`, 'source-name: Small Harbour'],
    covered: [`directory: ${gone}`, 'coverage: { countries: [IS] }'],
  };
  const lines = Object.entries(sources).flatMap(([code, keys], at) => [
    `  ${code}:`,
    ...[`number: ${at + 1}`, ...keys].map((key) => `    ${key}`),
    ...(blocks[code] === undefined ? [] : [blocks[code]]),
  ]);
  await writeFile(file, ['sources:', ...lines, ''].join('\n'));
  return file;
}

/** What `rollcall probe --write` says is to be pasted under a source. */
async function probed(code: string): Promise<string> {
  expect(await main(['probe', code, '--write', '--budget', '60', '--config', await written()])).toBe(0);
  const block = said.out.slice(said.out.indexOf('    supports:'));
  Object.assign(said, { out: '', err: '' });
  return block.trimEnd();
}

/** Runs the command with `--json`, and reads what it prints. */
async function explained(target: string, file: string, ...options: string[]): Promise<Report> {
  said.out = '';
  await main(['explain', target, '--json', ...options, '--config', file]);
  return JSON.parse(said.out) as Report;
}

interface Report {
  readonly sources: readonly { readonly source: string; readonly plan: object; readonly run?: Run }[];
  readonly answer?: { readonly total?: number };
}

interface Run {
  readonly way: string;
  readonly requests: number;
  readonly records: number;
  readonly bytes: number;
  readonly notes: readonly string[];
}

function of(report: Report, code: string): Report['sources'][number] {
  const found = report.sources.find(({ source }) => source === code);
  if (found === undefined) throw new Error(`no source ${code}`);
  return found;
}

const BRAZIL = '/directory/v1/teams?country=BR&limit=5';

/** Lines of the output, white space as one space. */
const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trim().replaceAll(/ +/g, ' '));

describe('explain', () => {
  test('tells what each source is asked, and asks none', async () => {
    expect(await main(['explain', BRAZIL, '--config', await written()])).toBe(0);
    expect(said.err).toBe('');
    expect(linesOf(said.out)).toEqual([
      BRAZIL,
      'directory-teams?country=BR&sort=short-team-name&offset=0&limit=5',
      '',
      'source held if it has way pushed down done here',
      'good nothing up to 50 drain nothing country, sort',
      'more drain all nothing country, sort',
      'sloppy nothing up to 50 drain nothing country, sort',
      'more drain all nothing country, sort',
      'small nothing up to 5000 drain nothing country, sort, translation from data',
      'more drain all nothing country, sort, translation from data',
      'covered not asked the query asks for countries that it is declared not to have (coverage)',
      '',
    ]);
    expect([...good.requests, ...sloppy.requests, ...small.requests]).toEqual([]);
  });

  test('tells why a source is not asked', async () => {
    const file = await written();
    expect(await main(['explain', '/directory/v1/teams?source-name=small%20harbour', '--config', file])).toBe(0);
    expect(linesOf(said.out)).toContain('good not asked the query names other sources (source-name)');
    said.out = '';
    expect(await main(['explain', '/data/v1/news', '--config', file])).toBe(0);
    expect(linesOf(said.out)).toContain('good not asked it does not have what is asked for (resource)');
  });

  test('tells what a channel is asked beside, and whose an item is', async () => {
    const file = await written();
    expect(await main(['explain', '/data/v1/news?channel=Alerts', '--config', file])).toBe(0);
    expect(linesOf(said.out)).toContain('small nothing up to 5000 drain channel=alerts sort');
    expect(linesOf(said.out)).toContain('more drain all channel=alerts sort');
    said.out = '';
    expect(await main(['explain', '/data/v1/news/12003.csv', '--config', file])).toBe(0);
    expect(linesOf(said.out)).toContain('small nothing one item by its id there, 12');
  });

  test('folds what is long, and shows no control characters', async () => {
    const filters = ['host', 'website', 'email'].map((name) => `${name}=${'x'.repeat(150)}`).join('&');
    const supports =
      '    supports: { teams: { filters: [host, website, email], sort: [short-team-name], total: true } }';
    const target = `/directory/v1/teams?${filters}&q=%1B%5B31m`;
    expect(await main(['explain', target, '--config', await written({ good: supports })])).toBe(0);
    const [, , ...table] = said.out.split('\n');
    expect(Math.max(...table.map((line) => line.length))).toBeLessThanOrEqual(120);
    expect(said.out).not.toContain('\u{1B}');
  });

  test.each([
    [
      '/directory/v1/teams?contry=BR',
      '400 Bad Request: contry is not a parameter of this resource; did you mean "country"?',
    ],
    ['/data/v1/news.xlsx', '406 Not Acceptable: news are never served as xlsx; the formats served here are '],
    ['/data/v1/news/12009', '404 Not Found: there is no item with this id\n'],
    ['/directory/v1/team', '404 Not Found: there is nothing at this path; resources are at /directory/v1/teams\n'],
  ])('tells of %s what a client would be told, exit code 1', async (target, fault) => {
    const file = await written();
    expect(await main(['explain', target, '--run', '--config', file])).toBe(1);
    expect(said.err).toContain(`rollcall: ${fault}`);
    expect(said.out).toBe('');
  });

  test('tells the faults of a configuration, exit code 1', async () => {
    expect(await main(['explain', BRAZIL, '--config', join(folder, 'none.yaml')])).toBe(1);
    expect(said.err).toContain('ENOENT');
  });

  test('prints nothing but JSON with --json', async () => {
    expect(await explained(BRAZIL, await written())).toMatchObject({
      target: BRAZIL,
      resource: 'directory-teams',
      query: 'directory-teams?country=BR&sort=short-team-name&offset=0&limit=5',
      sources: [
        {
          source: 'good',
          interface: 'directory',
          held: 'none',
          drainThreshold: 50,
          plan: {
            way: 'drain',
            sent: {},
            here: ['country', 'sort'],
            ifLarge: { way: 'drain-large', sent: {}, here: ['country', 'sort'], lacks: ['country', 'sort'] },
          },
        },
        { source: 'sloppy' },
        { source: 'small', interface: 'data', sourceName: 'Small Harbour' },
        { source: 'covered', plan: { way: 'excluded', reason: 'coverage' } },
      ],
    });
  });
});

describe('an operator who probes, pastes the block and explains a query before and after', () => {
  let before: string;
  let after: string;
  let blocks: Record<string, string>;

  beforeAll(async () => {
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((said.out += String(text)), true));
    blocks = { good: await probed('good'), sloppy: await probed('sloppy') };
    vi.restoreAllMocks();
  });

  test('sees that the good one can be asked for what the query needs, and the sloppy one cannot', async () => {
    before = JSON.stringify(of(await explained(BRAZIL, await written()), 'good').plan);
    const report = await explained(BRAZIL, await written(blocks));
    after = JSON.stringify(of(report, 'good').plan);
    expect(before).toContain('"drain-large"');
    expect(after).not.toBe(before);
    expect(of(report, 'good').plan).toEqual({
      way: 'drain',
      sent: {},
      here: ['country', 'sort'],
      ifLarge: {
        way: 'push-down',
        sent: { country: 'BR', sort: 'short-team-name' },
        here: [],
        stream: true,
        guaranteed: { filters: true, order: true, total: true, limit: true },
      },
    });
    expect(of(report, 'sloppy').plan).toMatchObject({ ifLarge: { way: 'drain-large', lacks: ['country', 'sort'] } });
  });

  test('sees what came of it before: all that both have was fetched', async () => {
    const report = await explained(BRAZIL, await written(), '--run');
    expect(report).toMatchObject({ answer: { status: 200, completeness: 'complete' } });
    const { run } = of(report, 'good');
    expect(run).toMatchObject({ way: 'drain-large', state: 'fresh' });
    expect(run?.requests).toBeGreaterThan(2);
  });

  test('sees what is left out where all that a source has may not be held', async () => {
    const file = await written();
    await appendFile(file, 'cache: { memory: 64KiB }\n');
    const report = await explained(BRAZIL, file, '--run');
    expect(report).toMatchObject({ answer: { status: 200, completeness: 'partial' } });
    expect(of(report, 'good').run).toMatchObject({ way: 'too-large', state: 'partial', reason: 'too-large' });
  });

  test('sees what came of it after: the good one gives the front of its matches', async () => {
    const report = await explained(BRAZIL, await written(blocks), '--run');
    const { records, ...run } = of(report, 'good').run ?? { records: 0 };
    expect(run).toMatchObject({ way: 'push-down', state: 'fresh', requests: 3 });
    expect(records).toBeLessThan(2 * 100);
    expect(of(report, 'sloppy').run).toMatchObject({ way: 'drain-large' });
    expect(of(report, 'small').run).toMatchObject({ way: 'drain', state: 'fresh' });
    expect(of(report, 'covered').run).toMatchObject({ way: 'excluded', state: 'excluded', requests: 0 });
  });

  test('sees what is left to do here beside a filter that travels', async () => {
    const file = await written(blocks);
    const target = '/directory/v1/teams?country=BR&sort=website';
    expect(of(await explained(target, file), 'good').plan).toMatchObject({
      ifLarge: { way: 'push-down', sent: { country: 'BR' }, here: ['sort'], stream: false },
    });
    said.out = '';
    await main(['explain', target, '--config', file]);
    expect(linesOf(said.out)).toContain('more push down country=BR, up to 50 matches sort');
  });

  test('sees that a source was found out, and what all of it took', async () => {
    const [block = ''] = [blocks['good']];
    const report = await explained(BRAZIL, await written({ sloppy: block }), '--run');
    const { run } = of(report, 'sloppy');
    expect(run).toMatchObject({ way: 'drain-large', state: 'fresh' });
    expect(run?.notes.join('\n')).toMatch(/^capability disproved, directory-teams, filter country, /m);
  });
});

describe('explain --run', () => {
  const targets = [
    BRAZIL,
    '/data/v1/news?limit=3',
    '/data/v1/news/12003',
    '/data/v1/news/13003',
    '/data/v1/teams?country=BR&scope=pgp',
  ];

  test.each(targets)('counts for %s what the sources were asked and gave', async (target) => {
    const supports = '    supports: { teams: { filters: [country], sort: [short-team-name], total: true } }';
    const report = await explained(target, await written({ good: supports }), '--run');
    const seen = { good, sloppy, small };
    for (const [code, { requests, sent }] of Object.entries(seen)) {
      const run = report.sources.find(({ source }) => source === code)?.run;
      if (run === undefined) expect(requests).toHaveLength(0);
      else expect(run).toMatchObject({ requests: requests.length, ...sent });
    }
    expect(small.requests.length).toBeGreaterThan(0);
  });

  test('prints a row for each source with what it was asked, and what the answer came to', async () => {
    expect(await main(['explain', '/data/v1/news?limit=3', '--run', '--config', await written()])).toBe(0);
    const lines = linesOf(said.out);
    expect(lines).toContain('source state way taken requests records bytes ms');
    expect(lines).toContainEqual(expect.stringMatching(/^small fresh drain 2 30 \d+ \d+$/));
    expect(lines).toContain('news?limit=100&offset=0');
    expect(lines.at(-2)).toBe('answer: complete; 30 match, 3 of them on the page');
  });

  test('tells why no list came, exit code 2', async () => {
    const file = await written();
    const target = '/directory/v1/teams?source-name=covered';
    expect(await main(['explain', target, '--run', '--config', file])).toBe(2);
    expect(linesOf(said.out)).toContainEqual(expect.stringMatching(/^covered failed \(connect\) drain \d+ 0 0 \d+$/));
    expect(said.out).toMatch(/\n {6}source failed, directory-teams, connect, .*ECONNREFUSED/);
    expect(linesOf(said.out).at(-2)).toBe(
      'answer: 502 Bad Gateway: the one source that was asked gave no usable answer: covered: connection failed',
    );
  });

  test('tells that the owner has no such item, exit code 2', async () => {
    expect(await main(['explain', '/data/v1/news/99003', '--run', '--config', await written()])).toBe(2);
    expect(linesOf(said.out)).toContainEqual(expect.stringMatching(/^small fresh one item 1 0 0 \d+$/));
    expect(linesOf(said.out).at(-2)).toBe('answer: 404 Not Found: there is no item with this id');
  });
});
