import { noCapability } from '../../src/model/registration/capability.js';
import { formatSupportsBlock } from '../../src/probe/findings/derive-supports.js';
import { describe, expect, it } from 'vitest';
import { behaviours, simulatedRepository } from '../support/repository/simulated-repository.js';
import { STATIC_FILE } from '../support/upstream/paged-responses.js';
import { probeUpstream, probeRepository, distinctiveNews, distinctiveTeams } from '../support/gateway/run-probe.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import { neverResponds } from '../support/upstream/upstream-server.js';
import type { RequestHandler } from '../support/upstream/upstream-server.js';
import * as faulty from '../support/upstream/faulty-responses.js';

const teams = distinctiveTeams(153, 'directory');
const small = distinctiveTeams(153, 'directory').slice(0, 40);

describe('the budget of a probe', () => {
  it.each([1, 2, 3, 5, 8, 13, 20])('of %i requests is never exceeded', async (budget) => {
    const lists = { directory: teams, teams: distinctiveTeams(60, 'data'), news: distinctiveNews(150), channels: [] };
    const { requests, report } = await probeRepository(lists, ['caps pages at 30'], { budget });
    expect(requests).toBeLessThanOrEqual(budget);
    expect(report.requests).toBe(requests);
  });

  it('counts redirected requests', async () => {
    const handler = faulty.redirectRepeatedly(1, directoryUpstream(teams));
    const { requests } = await probeUpstream(handler, ['directory'], { budget: 3 });
    expect(requests).toBeLessThanOrEqual(3);
  });

  it('of one request leaves the maximum page size open', async () => {
    const { of } = await probeRepository({ directory: teams }, [], { budget: 1 });
    expect(of('limit')).toBe('open: not reported, so the maximum page size is not known');
    const whole = await probeRepository({ directory: small }, [], { budget: 1 });
    expect(whole.of('limit')).toBe('open: all records are on one page, so the maximum page size is not known');
  });

  it.each([
    [20, ['country'], false],
    [90, ['country', 'short-team-name'], false],
    [130, ['country', 'short-team-name', 'host', 'country-code'], true],
  ])('of %i requests proves the filters %j and search: %j for 6,000 teams', async (budget, filters, search) => {
    const large = { directory: distinctiveTeams(6_000, 'directory') };
    const { report, of } = await probeRepository(large, ['caps pages at 100'], { budget });
    expect(report.supports.teams).toMatchObject({ filters, search, total: true });
    expect(report.supports.teams?.sort).toEqual(expect.arrayContaining(['short-team-name', '-short-team-name']));
    if (budget === 20)
      expect(of('records')).toBe('noted: 6000, not all read: a complete drain takes 60 further requests');
  });

  it.each([10, 25, 100])(
    'by default does not suffice for 6,000 teams on pages of %i records, and the report states the missing requests',
    async (cap) => {
      const { report, of } = await probeUpstream(
        simulatedRepository({ directory: distinctiveTeams(6_000, 'directory') }, [{ paging: { cap } }]),
        ['directory'],
      );
      expect(report.supports.teams).toMatchObject({ filters: ['country'], total: true, limitMax: cap });
      const missing = `a complete drain takes ${Math.ceil(6_000 / cap)} further requests`;
      expect(of('records')).toBe(`noted: 6000, not all read: ${missing}`);
      expect(of('filter on a property')).toBe(`open: no complete list to compare with: ${missing}`);
    },
  );

  it('leaves a check open that needs more requests, and the finding states its cost', async () => {
    const { report } = await probeRepository({ directory: teams }, ['caps pages at 100'], { budget: 6 });
    const open = report.findings.filter(({ cost }) => cost !== undefined);
    expect(open.map(({ topic }) => topic)).toContain('sort -last-modified');
    expect(open.every(({ verdict, evidence }) => verdict === 'open' && evidence.includes('budget of 6 requests'))).toBe(
      true,
    );
  });
});

describe('probe of an unavailable source', () => {
  it('stops after two failures', async () => {
    const { report, requests } = await probeUpstream(faulty.status(500), ['directory', 'data']);
    expect(requests).toBe(2);
    expect(report.reached).toBe(false);
    expect(report.supports.teams).toEqual(noCapability);
  });

  it('stops at a 429 response', async () => {
    const handler: RequestHandler = (request, response) => {
      if (request.number > 3) response.writeHead(429, { 'Retry-After': '60' }).end();
      else simulatedRepository({ directory: teams }, [behaviours['caps pages at 100']])(request, response);
    };
    const { report, requests } = await probeUpstream(handler, ['directory']);
    expect(requests).toBe(4);
    expect(
      report.findings.filter(({ evidence }) => evidence.includes('the probe stopped after a failure')).length,
    ).toBeGreaterThan(3);
  });

  it('stops after two timeouts', async () => {
    const { report, requests } = await probeUpstream(neverResponds, ['directory', 'data'], {
      registered: { timeout: '100ms' },
    });
    expect(requests).toBe(2);
    expect(report.reached).toBe(false);
  });

  it('proves on the available interface only those capabilities that do not involve the other interface', async () => {
    const lists = { directory: teams, news: distinctiveNews(10), channels: [] };
    const { report, of } = await probeRepository(lists, ['caps pages at 100']);
    expect(of('first page', 'data-teams')).toBe('open: request failed: HTTP status 404');
    expect(of('filter country', 'directory-teams')).toMatch(/^proved/);
    expect(report.supports.teams?.filters).not.toContain('country');
    expect(report.supports.teams?.sort).toContain('short-team-name');
    expect(report.supports.teams?.sort).not.toContain('last-modified');
  });
});

describe('probe of a source whose records are inconclusive', () => {
  it.each<[title: string, handler: RequestHandler, topic: string, finding: RegExp]>([
    ['too few records', directoryUpstream(teams.slice(0, 2)), 'sort short-team-name', /^open: too few records: 2$/],
    ['no records', directoryUpstream([]), 'sort short-team-name', /^open: too few records: 0$/],
    [
      'records with equal dates',
      simulatedRepository({ directory: teams.map((team) => ({ ...team, 'last-modified': '2026-01-01T00:00:00Z' })) }),
      'sort -last-modified',
      /^open: only 1 different value received$/,
    ],
    [
      'records that are in this order without a sort',
      simulatedRepository({ news: distinctiveNews(150) }, [behaviours['ignores sort']]),
      'sort -published',
      /^consistent: .*the unsorted list is already in this order$/,
    ],
    [
      'records without additional countries',
      simulatedRepository({ directory: teams.map((team) => ({ ...team, 'additional-country-code': [] })) }),
      'filter country',
      /^consistent: .*no record has a further country/,
    ],
    [
      'records of one country',
      simulatedRepository({
        directory: teams.map((team) => ({ ...team, 'country-code': 'BR', 'additional-country-code': [] })),
      }),
      'filter country',
      /^open: no country that some records have and others do not$/,
    ],
    [
      'country codes in a non-standard form',
      simulatedRepository({
        directory: teams.map((team, at) => (at % 9 === 0 ? { ...team, 'country-code': 'UK' } : team)),
      }),
      'filter country',
      /^consistent: .*some codes are normalized or cannot be read \(country-form country-code\)/,
    ],
    [
      'country codes in a non-standard form and too many records for the budget',
      simulatedRepository(
        {
          directory: distinctiveTeams(905, 'directory').map((team) => ({
            ...team,
            'country-code': String(team['country-code']).toLowerCase(),
          })),
        },
        [behaviours['caps pages at 30']],
      ),
      'filter country',
      /^consistent: .*some codes are normalized or cannot be read \(country-form country-code\)/,
    ],
    [
      'values without marks',
      simulatedRepository({
        directory: teams.map((_, at) => ({ 'short-team-name': `${at}`, host: `Host ${at % 7}` })),
      }),
      'filter host',
      /^consistent: .*no value has letters other than a to z/,
    ],
    [
      'a complete list on one page',
      simulatedRepository({ directory: small }),
      'limit',
      /^open: all records are on one page/,
    ],
    [
      'too many records for the budget and no total',
      simulatedRepository({ directory: distinctiveTeams(905, 'directory') }, [
        behaviours['caps pages at 30'],
        behaviours['reports no total'],
      ]),
      'sort short-team-name',
      /^open: the source reports no total/,
    ],
  ])('reports %s and does not prove the capability', async (_title, handler, topic, finding) => {
    const interfaces = [topic === 'sort -published' ? 'data' : 'directory'];
    const { of, report } = await probeUpstream(handler, interfaces, { budget: 24 });
    expect(of(topic)).toMatch(finding);
    const { filters = [], sort = [] } = report.supports[topic === 'sort -published' ? 'news' : 'teams'] ?? {};
    expect([...filters, ...sort]).not.toContain(topic.split(' ')[1]);
  });
});

describe('probe of a sort by names that several collations order alike', () => {
  const respell = (spell: (name: string) => string): typeof teams =>
    teams.map((team) => ({ ...team, 'short-team-name': spell(String(team['short-team-name'])) }));
  const ascii = respell((name) => name.normalize('NFKD').replace(/[^ -~]/g, ''));
  const MARKS =
    /it holds for texts like those present today: accented letters after z would put all of them in the same sequence/;

  it('proves the sort if all records were read, and adds a caution to the supports block', async () => {
    const { of, report } = await probeRepository({ directory: ascii }, ['caps pages at 100']);
    expect(of('sort short-team-name')).toMatch(/^proved: /);
    expect(of('sort short-team-name')).toMatch(MARKS);
    const block = formatSupportsBlock(report.supports, 'proved', report.cautions);
    expect(block).toMatch(/\n {6}# sort short-team-name holds for texts like those present today: accented letters/);
    expect(block).toMatch(/\n {6}# sort -short-team-name holds for texts/);
    expect(block).not.toContain('# sort last-modified');
  });

  it('does not prove the sort if not all records were read', async () => {
    const many = { directory: distinctiveTeams(905, 'directory').map((team, at) => ({ ...team, ...ascii[at % 153] })) };
    const { of } = await probeRepository(many, ['caps pages at 30'], { budget: 24 });
    expect(of('sort short-team-name')).toMatch(
      /^consistent: .*not distinguished from accented letters after z.* by the records received, and not all were read/,
    );
  });

  it('refutes the sort only if the names distinguish the collation of the source from that of Rollcall', async () => {
    const upper = await probeRepository({ directory: ascii }, [
      'caps pages at 100',
      'sorts upper case before lower case',
    ]);
    expect(upper.of('sort short-team-name')).toMatch(/^refuted: /);
    const marked = await probeRepository({ directory: ascii }, [
      'caps pages at 100',
      'sorts letters with marks after z',
    ]);
    expect(marked.of('sort short-team-name')).toMatch(MARKS);
  });
});

describe('probe report', () => {
  it('refutes the limit of a file on a web server and proves no capability', async () => {
    const { of, report } = await probeUpstream(directoryUpstream(teams, STATIC_FILE), ['directory']);
    expect(of('limit')).toMatch(/^refuted: 153 records received where at most 100 were requested$/);
    expect(of('unknown parameter')).toMatch(/^noted: ignored/);
    expect(report.supports.teams).toEqual(noCapability);
  });

  it('notes whether a source honours validators', async () => {
    const tagged =
      (honours: boolean): RequestHandler =>
      (request, response) => {
        const isUnchanged = honours && request.headers['if-none-match'] === '"1"';
        if (isUnchanged) response.writeHead(304, { ETag: '"1"' }).end();
        else directoryUpstream(teams, { headers: { ETag: '"1"' } })(request, response);
      };
    expect((await probeUpstream(tagged(true), ['directory'])).of('validators')).toBe(
      'noted: if-none-match is answered with 304',
    );
    expect((await probeUpstream(tagged(false), ['directory'])).of('validators')).toBe(
      'noted: if-none-match is ignored: full response with the same page',
    );
  });

  it('notes date forms, unreadable dates, and a Last-Modified that is earlier than the newest record', async () => {
    const odd = teams.map((team, at) => ({ ...team, 'last-modified': at === 0 ? 'long ago' : 'September 8, 2026' }));
    const behaviour = { lastModified: (): string => 'Wed, 13 May 2015 01:56:15 GMT' };
    const { of } = await probeUpstream(directoryUpstream(odd, behaviour), ['directory']);
    expect(of('dates')).toBe(
      'noted: Last-Modified Wed, 13 May 2015 01:56:15 GMT, which is before its newest record; 152 of 153 records have a readable last-modified; ' +
        'unreadable-date last-modified (1), date-form last-modified (152)',
    );
  });

  it('notes future dates of the response and of records', async () => {
    const ahead = teams.map((team, at) => ({ ...team, 'last-modified': at === 0 ? '2999-01-01' : '2015-01-01' }));
    const behaviour = { lastModified: (): string => 'Tue, 01 Jan 2999 00:00:00 GMT' };
    const { of } = await probeUpstream(directoryUpstream(ahead, behaviour), ['directory']);
    expect(of('dates')).toMatch(
      /^noted: a Last-Modified in the future, and a record dated in the future; .*future-date last-modified \(1\)/,
    );
  });

  it('notes that the source ignores envelope=true', async () => {
    const { of } = await probeUpstream(directoryUpstream(teams, { form: 'bare' }), ['directory']);
    expect(of('envelope')).toBe('noted: envelope=true is ignored: bare list');
  });

  it('refutes a total that counts a record without a name', async () => {
    const { of } = await probeUpstream(directoryUpstream([...teams, { host: 'Nobody' }]), ['directory']);
    expect(of('total')).toBe('refuted: total 154, but 153 records');
    expect(of('data')).toContain('no-name (record) (1)');
  });
});

describe('probe of an aggregate', () => {
  it('proves no filter and no sort from incomplete responses', async () => {
    const handler: RequestHandler = (request, response) => {
      response.setHeader('Source-Status', 'a;state=fresh, b;state=failed;reason=timeout');
      simulatedRepository({ directory: teams }, [behaviours['caps pages at 100']])(request, response);
    };
    const { of, report } = await probeUpstream(handler, ['directory'], { registered: { aggregate: true } });
    expect(of('records')).toContain('the response of the aggregate was incomplete');
    expect(report.supports.teams?.filters).toEqual([]);
    expect(report.supports.teams?.sort).toEqual([]);
  });
});

describe('probe of the filter source-name', () => {
  const named = teams.map((team, at) => ({ ...team, 'source-name': at % 3 === 0 ? 'Bahía Register' : 'Reef' }));

  it('checks the filter for an aggregate', async () => {
    const probing = { budget: 80, registered: { aggregate: true } };
    const { report, of } = await probeRepository({ directory: named }, ['caps pages at 100'], probing);
    expect(of('filter source-name')).toMatch(/^proved/);
    expect(report.supports.teams?.filters).toContain('source-name');
  });

  it('skips the filter for a source that is no aggregate, because its registration determines the name', async () => {
    expect((await probeRepository({ directory: named }, ['caps pages at 100'])).of('filter source-name')).toBe(
      'absent',
    );
  });
});

describe('requests of a probe', () => {
  it('contain Via, are sent one at a time, and appear in their finding', async () => {
    let [most, active] = [0, 0];
    const via: unknown[] = [];
    const inner = simulatedRepository({ directory: teams }, [
      behaviours['caps pages at 100'],
      behaviours['responds late'],
    ]);
    const handler: RequestHandler = (request, response) => {
      active += 1;
      most = Math.max(most, active);
      via.push(request.headers.via);
      response.on('finish', () => (active -= 1));
      inner(request, response);
    };
    const { report } = await probeUpstream(handler, ['directory']);
    expect(most).toBe(1);
    expect(new Set(via)).toEqual(new Set(['1.1 own-gateway']));
    const country = report.findings.find(({ topic }) => topic === 'filter country');
    expect(country?.asked?.[0]).toMatch(/^teams\?country=[A-Z,]+&sort=short-team-name&limit=\d+&offset=0$/);
  });
});
