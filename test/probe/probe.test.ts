import { noCapability } from '../../src/model/capability.js';
import { formatSupportsBlock } from '../../src/probe/findings/derive-supports.js';
import { describe, expect, it } from 'vitest';
import { behaviours, simulatedRepository } from '../support/repository/simulated-repository.js';
import { STATIC_FILE } from '../support/upstream/paged-responses.js';
import { probeUpstream, probeRepository, distinctiveNews, distinctiveTeams } from '../support/repository/run-probe.js';
import { directoryUpstream } from '../support/upstream/directory-upstream.js';
import { neverResponds } from '../support/upstream/upstream-server.js';
import type { RequestHandler } from '../support/upstream/upstream-server.js';
import * as faulty from '../support/upstream/faulty-responses.js';

const teams = distinctiveTeams(153, 'directory');
const small = distinctiveTeams(153, 'directory').slice(0, 40);

describe('the budget', () => {
  it.each([1, 2, 3, 5, 8, 13, 20])('of %i requests is never passed', async (budget) => {
    const lists = { directory: teams, teams: distinctiveTeams(60, 'data'), news: distinctiveNews(150), channels: [] };
    const { requests, report } = await probeRepository(lists, ['caps pages at 30'], { budget });
    expect(requests).toBeLessThanOrEqual(budget);
    expect(report.requests).toBe(requests);
  });

  it('holds for redirects, too', async () => {
    const handler = faulty.redirectRepeatedly(1, directoryUpstream(teams));
    const { requests } = await probeUpstream(handler, ['directory'], { budget: 3 });
    expect(requests).toBeLessThanOrEqual(3);
  });

  it('that ends with the first page does not take that page for all there is', async () => {
    const { of } = await probeRepository({ directory: teams }, [], { budget: 1 });
    expect(of('limit')).toBe('open: not told, so that it is not seen how large a page may be');
    const whole = await probeRepository({ directory: small }, [], { budget: 1 });
    expect(whole.of('limit')).toBe(
      'open: all records came on one page, so that it is not seen how large a page may be',
    );
  });

  it.each([
    [20, ['country'], false],
    [90, ['country', 'short-team-name'], false],
    [130, ['country', 'short-team-name', 'host', 'country-code'], true],
  ])('of %i requests for 6,000 teams proves what a smaller one proves, and more', async (budget, filters, search) => {
    const large = { directory: distinctiveTeams(6_000, 'directory') };
    const { report, of } = await probeRepository(large, ['caps pages at 100'], { budget });
    expect(report.supports.teams).toMatchObject({ filters, search, total: true });
    expect(report.supports.teams?.sort).toEqual(expect.arrayContaining(['short-team-name', '-short-team-name']));
    if (budget === 20) expect(of('records')).toBe('noted: 6000, not all read: reading all takes 60 further requests');
  });

  it.each([10, 25, 100])(
    'reaches as far as it goes where a page has %i records, and says where it ends',
    async (cap) => {
      const { report, of } = await probeUpstream(
        simulatedRepository({ directory: distinctiveTeams(6_000, 'directory') }, [{ paging: { cap } }]),
        ['directory'],
      );
      expect(report.supports.teams).toMatchObject({ filters: ['country'], total: true, limitMax: cap });
      const lacks = `reading all takes ${Math.ceil(6_000 / cap)} further requests`;
      expect(of('records')).toBe(`noted: 6000, not all read: ${lacks}`);
      expect(of('filter on a property')).toBe(`open: there is nothing to compare with: ${lacks}`);
    },
  );

  it('that does not suffice for a question leaves it open, and says what it takes', async () => {
    const { report } = await probeRepository({ directory: teams }, ['caps pages at 100'], { budget: 6 });
    const open = report.findings.filter(({ cost }) => cost !== undefined);
    expect(open.map(({ topic }) => topic)).toContain('sort -last-modified');
    expect(open.every(({ verdict, evidence }) => verdict === 'open' && evidence.includes('budget of 6 requests'))).toBe(
      true,
    );
  });
});

describe('a source that cannot be asked', () => {
  it('is left alone after two failures', async () => {
    const { report, requests } = await probeUpstream(faulty.status(500), ['directory', 'data']);
    expect(requests).toBe(2);
    expect(report.reached).toBe(false);
    expect(report.supports.teams).toEqual(noCapability);
  });

  it('for the moment, and says so, is left alone at once', async () => {
    const handler: RequestHandler = (asked, response) => {
      if (asked.number > 3) response.writeHead(429, { 'Retry-After': '60' }).end();
      else simulatedRepository({ directory: teams }, [behaviours['caps pages at 100']])(asked, response);
    };
    const { report, requests } = await probeUpstream(handler, ['directory']);
    expect(requests).toBe(4);
    expect(report.findings.filter(({ evidence }) => evidence.includes('no longer answers')).length).toBeGreaterThan(3);
  });

  it('never responds', async () => {
    const { report, requests } = await probeUpstream(neverResponds, ['directory', 'data'], {
      registered: { timeout: '100ms' },
    });
    expect(requests).toBe(2);
    expect(report.reached).toBe(false);
  });

  it('on one of its interfaces is asked on the other, and nothing is believed that holds for both', async () => {
    const lists = { directory: teams, news: distinctiveNews(10), channels: [] };
    const { report, of } = await probeRepository(lists, ['caps pages at 100']);
    expect(of('first page', 'data-teams')).toBe('open: could not be asked: HTTP status 404');
    expect(of('filter country', 'directory-teams')).toMatch(/^proved/);
    expect(report.supports.teams?.filters).not.toContain('country');
    expect(report.supports.teams?.sort).toContain('short-team-name');
    expect(report.supports.teams?.sort).not.toContain('last-modified');
  });
});

describe('what nothing can be told from', () => {
  it.each<[title: string, answering: RequestHandler, topic: string, said: RegExp]>([
    ['too few records', directoryUpstream(teams.slice(0, 2)), 'sort short-team-name', /^open: too few records: 2$/],
    ['no records', directoryUpstream([]), 'sort short-team-name', /^open: too few records: 0$/],
    [
      'records that are all alike',
      simulatedRepository({ directory: teams.map((team) => ({ ...team, 'last-modified': '2026-01-01T00:00:00Z' })) }),
      'sort -last-modified',
      /^open: the records that came are alike in it: 1 different$/,
    ],
    [
      'records that stand in this order anyway',
      simulatedRepository({ news: distinctiveNews(150) }, [behaviours['ignores sort']]),
      'sort -published',
      /^consistent: .*they stand so without being asked to$/,
    ],
    [
      'records without further countries',
      simulatedRepository({ directory: teams.map((team) => ({ ...team, 'additional-country-code': [] })) }),
      'filter country',
      /^consistent: .*no record is in a further country/,
    ],
    [
      'one country',
      simulatedRepository({
        directory: teams.map((team) => ({ ...team, 'country-code': 'BR', 'additional-country-code': [] })),
      }),
      'filter country',
      /^open: no countries that some records have and others have not$/,
    ],
    [
      'countries that are written otherwise',
      simulatedRepository({
        directory: teams.map((team, at) => (at % 9 === 0 ? { ...team, 'country-code': 'UK' } : team)),
      }),
      'filter country',
      /^consistent: .*codes that are written otherwise than they are read \(country-form country-code\)/,
    ],
    [
      'countries that are written otherwise, in more than can be read',
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
      /^consistent: .*codes that are written otherwise than they are read \(country-form country-code\)/,
    ],
    [
      'values without marks',
      simulatedRepository({
        directory: teams.map((_, at) => ({ 'short-team-name': `${at}`, host: `Host ${at % 7}` })),
      }),
      'filter host',
      /^consistent: .*no value has letters beyond a to z/,
    ],
    [
      'a whole list on one page',
      simulatedRepository({ directory: small }),
      'limit',
      /^open: all records came on one page/,
    ],
    [
      'a source without a count, too large to be read',
      simulatedRepository({ directory: distinctiveTeams(905, 'directory') }, [
        behaviours['caps pages at 30'],
        behaviours['reports no total'],
      ]),
      'sort short-team-name',
      /^open: the source does not count/,
    ],
  ])('%s is told, and nothing is believed for it', async (_title, handler, topic, said) => {
    const faces = [topic === 'sort -published' ? 'data' : 'directory'];
    const { of, report } = await probeUpstream(handler, faces, { budget: 24 });
    expect(of(topic)).toMatch(said);
    const { filters = [], sort = [] } = report.supports[topic === 'sort -published' ? 'news' : 'teams'] ?? {};
    expect([...filters, ...sort]).not.toContain(topic.split(' ')[1]);
  });
});

describe('an order of names that other orders share', () => {
  const spelt = (spell: (name: string) => string): typeof teams =>
    teams.map((team) => ({ ...team, 'short-team-name': spell(String(team['short-team-name'])) }));
  const ascii = spelt((name) => name.normalize('NFKD').replace(/[^ -~]/g, ''));
  const MARKS =
    /it holds for texts like those that are there today: letters with marks behind z would put all of them in the same sequence/;

  it('is proved for such names where all were read, and the block says so', async () => {
    const { of, report } = await probeRepository({ directory: ascii }, ['caps pages at 100']);
    expect(of('sort short-team-name')).toMatch(/^proved: /);
    expect(of('sort short-team-name')).toMatch(MARKS);
    const block = formatSupportsBlock(report.supports, 'proved', report.cautions);
    expect(block).toMatch(/\n {6}# sort short-team-name holds for texts like those that are there today: letters with/);
    expect(block).toMatch(/\n {6}# sort -short-team-name holds for texts/);
    expect(block).not.toContain('# sort last-modified');
  });

  it('is not proved where a record that was not seen may have others', async () => {
    const many = { directory: distinctiveTeams(905, 'directory').map((team, at) => ({ ...team, ...ascii[at % 153] })) };
    const { of } = await probeRepository(many, ['caps pages at 30'], { budget: 24 });
    expect(of('sort short-team-name')).toMatch(
      /^consistent: .*not distinguished from letters with marks behind z.* by the records that came, and not all were read/,
    );
  });

  it('is refuted where the names tell the order of the source from ours, and only there', async () => {
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

describe('what is noted', () => {
  it('of a file on a web server: neither offset nor limit, and nothing of it is believed', async () => {
    const { of, report } = await probeUpstream(directoryUpstream(teams, STATIC_FILE), ['directory']);
    expect(of('limit')).toMatch(/^refuted: 153 records came where at most 100 were asked for$/);
    expect(of('unknown parameter')).toMatch(/^noted: passed over/);
    expect(report.supports.teams).toEqual(noCapability);
  });

  it('of a source with validators: whether they are heard', async () => {
    const tagged =
      (heard: boolean): RequestHandler =>
      (asked, response) => {
        const known = heard && asked.headers['if-none-match'] === '"1"';
        if (known) response.writeHead(304, { ETag: '"1"' }).end();
        else directoryUpstream(teams, { headers: { ETag: '"1"' } })(asked, response);
      };
    expect((await probeUpstream(tagged(true), ['directory'])).of('validators')).toBe(
      'noted: if-none-match is answered with 304',
    );
    expect((await probeUpstream(tagged(false), ['directory'])).of('validators')).toBe(
      'noted: if-none-match is not heard: the same page came whole',
    );
  });

  it('of dates: their forms, what cannot be read, and a Last-Modified that cannot be', async () => {
    const odd = teams.map((team, at) => ({ ...team, 'last-modified': at === 0 ? 'long ago' : 'September 8, 2026' }));
    const behaviour = { lastModified: (): string => 'Wed, 13 May 2015 01:56:15 GMT' };
    const { of } = await probeUpstream(directoryUpstream(odd, behaviour), ['directory']);
    expect(of('dates')).toBe(
      'noted: Last-Modified Wed, 13 May 2015 01:56:15 GMT, which is before its newest record; 152 of 153 records have a readable last-modified; ' +
        'unreadable-date last-modified (1), date-form last-modified (152)',
    );
  });

  it('of dates in the future: of the answer, and of records', async () => {
    const ahead = teams.map((team, at) => ({ ...team, 'last-modified': at === 0 ? '2999-01-01' : '2015-01-01' }));
    const behaviour = { lastModified: (): string => 'Tue, 01 Jan 2999 00:00:00 GMT' };
    const { of } = await probeUpstream(directoryUpstream(ahead, behaviour), ['directory']);
    expect(of('dates')).toMatch(
      /^noted: a Last-Modified in the future, and a record dated in the future; .*future-date last-modified \(1\)/,
    );
  });

  it('of a bare list: that the envelope is not heard', async () => {
    const { of } = await probeUpstream(directoryUpstream(teams, { form: 'bare' }), ['directory']);
    expect(of('envelope')).toBe('noted: envelope=true is not heard: a bare list came');
  });

  it('of a record without a name: its count is not that of what can be shown', async () => {
    const { of } = await probeUpstream(directoryUpstream([...teams, { host: 'Nobody' }]), ['directory']);
    expect(of('total')).toBe('refuted: 154 counted where there are 153');
    expect(of('data')).toContain('no-name (record) (1)');
  });
});

describe('an aggregate', () => {
  it('whose own answer was not complete proves nothing', async () => {
    const handler: RequestHandler = (asked, response) => {
      response.setHeader('Source-Status', 'a;state=fresh, b;state=failed;reason=timeout');
      simulatedRepository({ directory: teams }, [behaviours['caps pages at 100']])(asked, response);
    };
    const { of, report } = await probeUpstream(handler, ['directory'], { registered: { aggregate: true } });
    expect(of('records')).toContain('an aggregate whose own answer was not complete');
    expect(report.supports.teams?.filters).toEqual([]);
    expect(report.supports.teams?.sort).toEqual([]);
  });
});

describe('source-name', () => {
  const named = teams.map((team, at) => ({ ...team, 'source-name': at % 3 === 0 ? 'Bahía Register' : 'Reef' }));

  it('is asked of an aggregate', async () => {
    const probing = { budget: 80, registered: { aggregate: true } };
    const { report, of } = await probeRepository({ directory: named }, ['caps pages at 100'], probing);
    expect(of('filter source-name')).toMatch(/^proved/);
    expect(report.supports.teams?.filters).toContain('source-name');
  });

  it('is not asked of a source, whose name its registration decides', async () => {
    expect((await probeRepository({ directory: named }, ['caps pages at 100'])).of('filter source-name')).toBe(
      'absent',
    );
  });
});

describe('a request of a probe', () => {
  it('names this gateway, asks for one page at a time, and says what it was in its finding', async () => {
    let [most, under] = [0, 0];
    const via: unknown[] = [];
    const inner = simulatedRepository({ directory: teams }, [
      behaviours['caps pages at 100'],
      behaviours['responds late'],
    ]);
    const handler: RequestHandler = (asked, response) => {
      under += 1;
      most = Math.max(most, under);
      via.push(asked.headers.via);
      response.on('finish', () => (under -= 1));
      inner(asked, response);
    };
    const { report } = await probeUpstream(handler, ['directory']);
    expect(most).toBe(1);
    expect(new Set(via)).toEqual(new Set(['1.1 house']));
    const country = report.findings.find(({ topic }) => topic === 'filter country');
    expect(country?.asked?.[0]).toMatch(/^teams\?country=[A-Z,]+&sort=short-team-name&limit=\d+&offset=0$/);
  });
});
