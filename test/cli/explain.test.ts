import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { main } from '../../src/cli/main.js';
import { behaviours, simulatedRepository } from '../support/repository/simulated-repository.js';
import { distinctiveNews, distinctiveTeams } from '../support/gateway/run-probe.js';
import { unusedAddress, startUpstream } from '../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamRequest } from '../support/upstream/upstream-server.js';

const directory = distinctiveTeams(153, 'directory');

/** A repository that counts the records and bytes it sends. */
interface CountingRepository {
  readonly address: string;
  readonly requests: readonly UpstreamRequest[];
  /** Records and decoded bytes of the responses with status 200. */
  readonly sent: { records: number; bytes: number };
  /** Resets the counts and the recorded requests. */
  readonly forget: () => void;
  readonly close: () => Promise<void>;
}

async function startCountingRepository(handler: RequestHandler): Promise<CountingRepository> {
  const sent = { records: 0, bytes: 0 };
  const upstream = await startUpstream((request, response) => {
    const end = response.end.bind(response);
    vi.spyOn(response, 'end').mockImplementation((body: unknown) => {
      if (response.statusCode === 200) {
        const { data } = JSON.parse(String(body)) as { data: object };
        sent.bytes += Buffer.byteLength(String(body));
        sent.records += Array.isArray(data) ? data.length : 1;
      }
      return end(body);
    });
    handler(request, response);
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

/** Serves single news items as well, and redirects requests for item 13. */
const withItems: RequestHandler = (request, response) => {
  const [, id] = /\/news\/(\d+)$/.exec(request.path) ?? [];
  const item = distinctiveNews(30).find((record) => String(record['id']) === id);
  if (id === undefined) list(request, response);
  else if (id === '13' && !request.query.has('moved')) {
    response.writeHead(302, { Location: `${request.path}?moved=1` }).end('{}');
  } else if (item === undefined) response.writeHead(404).end('{"status":"Not Found","status-code":404}');
  else response.writeHead(200).end(JSON.stringify({ status: 'OK', data: item }));
};

let folder: string;
let unreachable: string;
let good: CountingRepository;
let sloppy: CountingRepository;
let small: CountingRepository;
const printed = { out: '', err: '' };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rollcall-explain-'));
  unreachable = await unusedAddress();
  good = await startCountingRepository(simulatedRepository({ directory }));
  sloppy = await startCountingRepository(
    simulatedRepository({ directory }, [behaviours['ignores filters'], behaviours['ignores sort']]),
  );
  small = await startCountingRepository(withItems);
});

afterAll(async () => {
  await Promise.all([good, sloppy, small].map((upstream) => upstream.close()));
  await rm(folder, { recursive: true });
});

beforeEach(() => {
  for (const upstream of [good, sloppy, small]) upstream.forget();
  Object.assign(printed, { out: '', err: '' });
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((printed.out += String(text)), true));
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((printed.err += String(text)), true));
});

afterEach(() => {
  vi.restoreAllMocks();
});

/** Writes a configuration file and returns its path. `blocks` are appended to the sources, by code. */
async function writeConfig(blocks: Readonly<Record<string, string>> = {}): Promise<string> {
  const file = join(folder, 'rollcall.yaml');
  const sources = {
    good: [`directory: ${good.address}/directory`, 'drain-threshold: 50'],
    sloppy: [`directory: ${sloppy.address}/directory`, 'drain-threshold: 50'],
    small: [`data: ${small.address}/data`, 'source-name: Small Harbour'],
    covered: [`directory: ${unreachable}`, 'coverage: { countries: [IS] }'],
  };
  const lines = Object.entries(sources).flatMap(([code, keys], at) => [
    `  ${code}:`,
    ...[`number: ${at + 1}`, ...keys].map((key) => `    ${key}`),
    ...(blocks[code] === undefined ? [] : [blocks[code]]),
  ]);
  await writeFile(file, ['sources:', ...lines, ''].join('\n'));
  return file;
}

/** Returns the block that `rollcall probe --write` prints for a source. */
async function printSupports(code: string): Promise<string> {
  expect(await main(['probe', code, '--write', '--config', await writeConfig()])).toBe(0);
  const block = printed.out.slice(printed.out.indexOf('    supports:'));
  Object.assign(printed, { out: '', err: '' });
  return block.trimEnd();
}

/** Runs the command with `--json` and parses its output. */
async function explainJson(target: string, file: string, ...options: string[]): Promise<Report> {
  printed.out = '';
  await main(['explain', target, '--json', ...options, '--config', file]);
  return JSON.parse(printed.out) as Report;
}

interface Report {
  readonly sources: readonly { readonly source: string; readonly plan: object; readonly run?: Run }[];
  readonly answer?: { readonly total?: number };
}

interface Run {
  readonly strategy: string;
  readonly available?: number;
  readonly traffic: {
    readonly requests: readonly string[];
    readonly records: number;
    readonly bytes: number;
    readonly warnings: readonly string[];
  };
}

function sourceOf(report: Report, code: string): Report['sources'][number] {
  const found = report.sources.find(({ source }) => source === code);
  if (found === undefined) throw new Error(`no source ${code}`);
  return found;
}

const BRAZIL = '/directory/v1/teams?country=BR&limit=5';

/** The lines of an output, each run of spaces replaced by one space. */
const linesOf = (text: string): string[] => text.split('\n').map((line) => line.trim().replaceAll(/ +/g, ' '));

describe('explain', () => {
  test('prints the plan of each source without sending a request', async () => {
    expect(await main(['explain', BRAZIL, '--config', await writeConfig()])).toBe(0);
    expect(printed.err).toBe('');
    expect(linesOf(printed.out)).toEqual([
      BRAZIL,
      'directory-teams?country=BR&sort=short-team-name&offset=0&limit=5',
      '',
      'source interface cached if size strategy pushed down residual',
      'good directory none up to 50 drain nothing country, sort',
      'more drain nothing country, sort',
      'sloppy directory none up to 50 drain nothing country, sort',
      'more drain nothing country, sort',
      'small data none up to 5000 drain nothing country, sort',
      'more drain nothing country, sort',
      'covered excluded coverage',
      '',
    ]);
    expect([...good.requests, ...sloppy.requests, ...small.requests]).toEqual([]);
  });

  test('prints the reason of each excluded source', async () => {
    const file = await writeConfig();
    expect(await main(['explain', '/directory/v1/teams?source-name=small%20harbour', '--config', file])).toBe(0);
    expect(linesOf(printed.out)).toContain('good excluded source-name');
    printed.out = '';
    expect(await main(['explain', '/data/v1/news', '--config', file])).toBe(0);
    expect(linesOf(printed.out)).toContain('good excluded resource');
  });

  test('prints what a channel query pushes down, and the source that owns an item', async () => {
    const file = await writeConfig();
    expect(await main(['explain', '/data/v1/news?channel=Alerts', '--config', file])).toBe(0);
    expect(linesOf(printed.out)).toContain('small data none up to 5000 drain channel=alerts sort');
    expect(linesOf(printed.out)).toContain('more drain channel=alerts sort');
    printed.out = '';
    expect(await main(['explain', '/data/v1/news/12003.csv', '--config', file])).toBe(0);
    expect(linesOf(printed.out)).toContain('small data none item id 12');
  });

  test('shortens long values, and prints no control characters', async () => {
    const filters = ['host', 'website', 'email'].map((name) => `${name}=${'x'.repeat(150)}`).join('&');
    const supports =
      '    supports: { teams: { filters: [host, website, email], sort: [short-team-name], total: true } }';
    const target = `/directory/v1/teams?${filters}&q=%1B%5B31m`;
    expect(await main(['explain', target, '--config', await writeConfig({ good: supports })])).toBe(0);
    expect(printed.out).toContain(`host=${'x'.repeat(60)}…, `);
    expect(printed.out).not.toContain('\u{1B}');
  });

  test.each([
    [
      '/directory/v1/teams?contry=BR',
      '400 Bad Request: contry is not a parameter of this resource; did you mean "country"?',
    ],
    ['/data/v1/news.xlsx', '406 Not Acceptable: news are never served as xlsx; supported formats are '],
    ['/data/v1/news/12009', '404 Not Found: there is no item with this id\n'],
    [
      '/directory/v1/team',
      '404 Not Found: no resource at this path; resources are at /directory/v1/teams, /directory/v1/teams/ID, /directory/v1/teams/ID/same, /directory/v1/search\n',
    ],
  ])('prints for %s the error that a client would receive, exit code 1', async (target, error) => {
    const file = await writeConfig();
    expect(await main(['explain', target, '--run', '--config', file])).toBe(1);
    expect(printed.err).toContain(`rollcall: ${error}`);
    expect(printed.out).toBe('');
  });

  test('prints the errors of the configuration, exit code 1', async () => {
    expect(await main(['explain', BRAZIL, '--config', join(folder, 'none.yaml')])).toBe(1);
    expect(printed.err).toContain('ENOENT');
  });

  test('prints nothing but JSON with --json', async () => {
    expect(await explainJson(BRAZIL, await writeConfig())).toMatchObject({
      target: BRAZIL,
      resource: 'directory-teams',
      query: 'directory-teams?country=BR&sort=short-team-name&offset=0&limit=5',
      sources: [
        {
          source: 'good',
          interface: 'directory',
          cached: 'none',
          drainThreshold: 50,
          plan: {
            strategy: 'drain',
            sent: {},
            residual: ['country', 'sort'],
            ifLarge: { strategy: 'drain', sent: {}, residual: ['country', 'sort'], lacks: ['country', 'sort'] },
          },
        },
        { source: 'sloppy' },
        { source: 'small', interface: 'data', sourceName: 'Small Harbour' },
        { source: 'covered', plan: { strategy: 'excluded', reason: 'coverage' } },
      ],
    });
  });
});

describe('an operator who probes, pastes the block and explains a query before and after', () => {
  let before: string;
  let after: string;
  let blocks: Record<string, string>;

  beforeAll(async () => {
    vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((printed.out += String(text)), true));
    blocks = { good: await printSupports('good'), sloppy: await printSupports('sloppy') };
    vi.restoreAllMocks();
  });

  test('sees that the query is pushed down to the good source, and not to the sloppy one', async () => {
    before = JSON.stringify(sourceOf(await explainJson(BRAZIL, await writeConfig()), 'good').plan);
    const report = await explainJson(BRAZIL, await writeConfig(blocks));
    after = JSON.stringify(sourceOf(report, 'good').plan);
    expect(before).toContain('"lacks"');
    expect(after).not.toBe(before);
    expect(sourceOf(report, 'good').plan).toEqual({
      strategy: 'drain',
      sent: {},
      residual: ['country', 'sort'],
      ifLarge: {
        strategy: 'push-down',
        sent: { country: 'BR', sort: 'short-team-name' },
        residual: [],
        stream: true,
        guaranteed: { filters: true, order: true, total: true, limit: true },
      },
    });
    expect(sourceOf(report, 'sloppy').plan).toMatchObject({
      ifLarge: { strategy: 'drain', lacks: ['country', 'sort'] },
    });
  });

  test('sees that the good source is drained completely without the block', async () => {
    const report = await explainJson(BRAZIL, await writeConfig(), '--run');
    expect(report).toMatchObject({ answer: { status: 200, completeness: 'complete' } });
    const { run } = sourceOf(report, 'good');
    expect(run).toMatchObject({ strategy: 'drain', state: 'fresh' });
    expect(run?.traffic.requests.length).toBeGreaterThan(2);
  });

  test('sees that a source is left out when its list exceeds the share of cache.memory', async () => {
    const file = await writeConfig();
    await appendFile(file, 'cache: { memory: 64KiB }\n');
    const report = await explainJson(BRAZIL, file, '--run');
    expect(report).toMatchObject({ answer: { status: 200, completeness: 'partial' } });
    expect(sourceOf(report, 'good').run).toMatchObject({
      strategy: 'too-large',
      state: 'partial',
      reason: 'too-large',
    });
  });

  test('sees that only the first matches of the good source are fetched with the block', async () => {
    const report = await explainJson(BRAZIL, await writeConfig(blocks), '--run');
    const { run } = sourceOf(report, 'good');
    expect(run).toMatchObject({ strategy: 'push-down', state: 'fresh' });
    expect(run?.traffic.requests).toHaveLength(3);
    expect(run?.traffic.records).toBeLessThan(2 * 100);
    expect(sourceOf(report, 'sloppy').run).toMatchObject({ strategy: 'drain' });
    expect(sourceOf(report, 'small').run).toMatchObject({ strategy: 'drain', state: 'fresh' });
    expect(sourceOf(report, 'covered').run).toMatchObject({
      strategy: 'excluded',
      state: 'excluded',
      traffic: { requests: [] },
    });
  });

  test('sees that a sort by an unproved property stays with Rollcall while the filter is pushed down', async () => {
    const file = await writeConfig(blocks);
    const target = '/directory/v1/teams?country=BR&sort=website';
    expect(sourceOf(await explainJson(target, file), 'good').plan).toMatchObject({
      ifLarge: { strategy: 'push-down', sent: { country: 'BR' }, residual: ['sort'], stream: false },
    });
    printed.out = '';
    await main(['explain', target, '--config', file]);
    expect(linesOf(printed.out)).toContain('more push-down country=BR, up to 50 matches sort');
  });

  test('sees that a wrongly declared capability is disproved and the source is drained', async () => {
    const [block = ''] = [blocks['good']];
    const report = await explainJson(BRAZIL, await writeConfig({ sloppy: block }), '--run');
    const { run } = sourceOf(report, 'sloppy');
    expect(run).toMatchObject({ strategy: 'drain', state: 'fresh' });
    expect(run?.traffic.warnings.join('\n')).toMatch(/^capability disproved, directory-teams, filter country, /m);
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

  test.each(targets)('counts the requests, records and bytes of each source for %s', async (target) => {
    const supports = '    supports: { teams: { filters: [country], sort: [short-team-name], total: true } }';
    const report = await explainJson(target, await writeConfig({ good: supports }), '--run');
    for (const [code, { requests, sent }] of Object.entries({ good, sloppy, small })) {
      const run = report.sources.find(({ source }) => source === code)?.run;
      if (run === undefined) expect(requests).toHaveLength(0);
      else {
        expect(run.traffic).toMatchObject(sent);
        expect(run.traffic.requests).toHaveLength(requests.length);
      }
    }
    expect(small.requests.length).toBeGreaterThan(0);
  });

  test('prints a row and the requests for each source, and a summary of the response', async () => {
    expect(await main(['explain', '/data/v1/news?limit=3', '--run', '--config', await writeConfig()])).toBe(0);
    const lines = linesOf(printed.out);
    expect(lines).toContain('source state strategy available ms');
    expect(lines).toContainEqual(expect.stringMatching(/^small fresh drain 30 \d+$/));
    expect(lines).toContainEqual(expect.stringMatching(/^requests: 2, records: 30, bytes: \d+$/));
    expect(lines).toContain('/v1/data/news?envelope=true&pretty=false&limit=100&offset=0');
    expect(lines.at(-2)).toBe('answer: complete; 30 match, 3 of them on the page');
  });

  test('prints why there is no list, exit code 2', async () => {
    const file = await writeConfig();
    const target = '/directory/v1/teams?source-name=covered';
    expect(await main(['explain', target, '--run', '--config', file])).toBe(2);
    expect(linesOf(printed.out)).toContainEqual(expect.stringMatching(/^covered failed \(connect\) drain \d+$/));
    expect(printed.out).toMatch(/\n {6}source failed, directory-teams, connect, .*ECONNREFUSED/);
    expect(linesOf(printed.out).at(-2)).toBe(
      'answer: 502 Bad Gateway: the only queried source returned no usable response: covered: connection failed',
    );
  });

  test('prints that the source has no such item, exit code 2', async () => {
    expect(await main(['explain', '/data/v1/news/99003', '--run', '--config', await writeConfig()])).toBe(2);
    expect(linesOf(printed.out)).toContainEqual(expect.stringMatching(/^small fresh item \d* ?\d+$/));
    expect(linesOf(printed.out).at(-2)).toBe('answer: 404 Not Found: there is no item with this id');
  });
});
