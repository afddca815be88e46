import { noCapability } from '../../src/model/registration/capability.js';
import { formatSupportsBlock } from '../../src/probe/supports-block.js';
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

describe('probe of a list that is too large to be drained', () => {
  const large = { directory: distinctiveTeams(1_200, 'directory') };

  it.each([[[] as const], [['reports no total'] as const]])(
    'sends few requests, and says what to declare',
    async (names) => {
      const handler = simulatedRepository(large, [{ paging: { cap: 10 } }, ...names.map((name) => behaviours[name])]);
      const { report, of, requests } = await probeUpstream(handler, ['directory']);
      expect(requests).toBeLessThanOrEqual(names.length === 0 ? 4 : 105);
      for (const topic of ['total', 'sort short-team-name', 'filter country', 'filter on a property', 'search q'])
        expect(of(topic)).toBe('open: too large to prove: declare it');
      expect(of('records')).toBe(
        `noted: ${names.length === 0 ? 'total 1200' : 'no total'}; too large to prove: declare it (more than 100 pages)`,
      );
      expect(of('limit')).toBe('noted: pages of 10 records');
      expect(of('unknown parameter')).toBe('noted: ignored; same page');
      expect(report).toMatchObject({ reached: true, supports: { teams: noCapability }, tooLarge: ['teams'] });
      expect(formatSupportsBlock(report.supports, 'proved', report.tooLarge)).toContain(
        'total: false } # too large to prove: declare it\n',
      );
    },
  );

  it('proves what it can of the other lists', async () => {
    const handler = simulatedRepository({ ...large, news: distinctiveNews(30) }, [{ paging: { cap: 10 } }]);
    const { report } = await probeUpstream(handler, ['directory', 'data'], {
      registered: { resources: ['teams', 'news'] },
    });
    expect(report.tooLarge).toEqual(['teams']);
    expect(report.supports.news?.filters).toEqual(['before', 'after']);
  });
});

describe('probe of a list of several pages', () => {
  it.each([10, 25, 100])('proves the same with pages of %i records', async (cap) => {
    const lists = { directory: distinctiveTeams(306, 'directory') };
    const { report, of } = await probeUpstream(simulatedRepository(lists, [{ paging: { cap } }]), ['directory']);
    expect(report.supports.teams).toEqual({
      ...noCapability,
      filters: ['country', 'short-team-name', 'country-code', 'host'],
      sort: ['short-team-name', '-short-team-name', 'last-modified', '-last-modified'],
      search: true,
      total: true,
    });
    expect(of('limit')).toBe(`noted: pages of ${cap} records`);
  });

  it('counts redirected requests', async () => {
    const handler = faulty.redirectRepeatedly(1, directoryUpstream(small));
    const { requests, report } = await probeUpstream(handler, ['directory']);
    expect(report.requests).toBe(requests);
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
    expect(of('records', 'data-teams')).toBe('open: request failed: HTTP status 404');
    expect(of('filter country', 'directory-teams')).toMatch(/^proved/);
    expect(report.supports.teams?.filters).not.toContain('country');
    expect(report.supports.teams?.sort).toContain('short-team-name');
    expect(report.supports.teams?.sort).not.toContain('last-modified');
  });
});

describe('probe of a source whose records are inconclusive', () => {
  it.each<[title: string, handler: RequestHandler, topic: string, finding: RegExp]>([
    [
      'too few records',
      directoryUpstream(teams.slice(0, 2)),
      'sort short-team-name',
      /^open: only 2 different values$/,
    ],
    ['no records', directoryUpstream([]), 'sort short-team-name', /^open: only 0 different values$/],
    [
      'records with equal dates',
      simulatedRepository({ directory: teams.map((team) => ({ ...team, 'last-modified': '2026-01-01T00:00:00Z' })) }),
      'sort -last-modified',
      /^open: only 1 different value$/,
    ],
    [
      'records that are in this order without a sort',
      simulatedRepository({ news: distinctiveNews(150) }, [behaviours['ignores sort']]),
      'sort -published',
      /^open: .*; but the list is in this order without sort, and the reverse order was not right$/,
    ],
    [
      'records without additional countries',
      simulatedRepository({ directory: teams.map((team) => ({ ...team, 'additional-country-code': [] })) }),
      'filter country',
      /^open: .*no record has a further country/,
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
      /^open: .*some values are normalized or cannot be read \(country-form country-code\)/,
    ],
    [
      'values without marks',
      simulatedRepository({
        directory: teams.map((_, at) => ({ 'short-team-name': `${at}`, host: `Host ${at % 7}` })),
      }),
      'filter host',
      /^open: .*no value has letters other than a to z/,
    ],
  ])('reports %s and does not prove the capability', async (_title, handler, topic, finding) => {
    const interfaces = [topic === 'sort -published' ? 'data' : 'directory'];
    const { of, report } = await probeUpstream(handler, interfaces);
    expect(of(topic)).toMatch(finding);
    const { filters = [], sort = [] } = report.supports[topic === 'sort -published' ? 'news' : 'teams'] ?? {};
    expect([...filters, ...sort]).not.toContain(topic.split(' ')[1]);
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
    expect(of('filter country')).toContain('the response of the aggregate was incomplete');
    expect(report.supports.teams?.filters).toEqual([]);
    expect(report.supports.teams?.sort).toEqual([]);
  });
});

describe('probe of the filter source-name', () => {
  const named = teams.map((team, at) => ({ ...team, 'source-name': at % 3 === 0 ? 'Bahía Register' : 'Reef' }));

  it('checks the filter for an aggregate', async () => {
    const probing = { registered: { aggregate: true } };
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
    expect(country?.asked?.[0]).toMatch(/^teams\?country=[A-Z,]+&sort=short-team-name$/);
  });
});
