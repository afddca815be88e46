import { afterEach, describe, expect, it } from 'vitest';
import { closePageGateways, startPageGateway, textOf } from '../../support/gateway/page-gateway.js';
import type { PageGateway, PageSource } from '../../support/gateway/page-gateway.js';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import { neverResponds } from '../../support/upstream/upstream-server.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';

afterEach(closePageGateways);

const team = (name: string, further: object = {}): object => ({ 'short-team-name': name, ...further });

const HARBOUR: PageSource = {
  teams: [
    team('ALPHA', { 'country-code': 'NO', email: 'cert@alpha.example.org', constituency: 'Energy' }),
    team('BETA', { 'country-code': 'SE', 'additional-country-code': ['NO', 'SE'] }),
  ],
};
const LANTERN: PageSource = {
  teams: [team('GAMMA', { 'country-code': 'NO' }), team('DELTA', { 'country-code': 'DK' })],
};

/** The list of all teams. */
const ALL = '/?sort=short-team-name';

const fails: RequestHandler = (_, response) => void response.writeHead(500).end();

/** Number of matches that the directory interface states for a query. */
async function countTeams({ gateway }: PageGateway, query: string): Promise<number> {
  return Number((await gateway.get(`/directory/v1/teams?limit=0&${query}`)).headers.get('x-total-count'));
}

describe('the page of a search', () => {
  it('lists the teams that the directory interface lists or finds for the same parameters', async () => {
    const pages = await startPageGateway({ harbour: HARBOUR, lantern: LANTERN });
    for (const [query, teams] of [
      ['sort=short-team-name', ['harbour.alpha', 'harbour.beta', 'lantern.delta', 'lantern.gamma']],
      // Norway is a further country of Beta.
      ['q=norw', ['harbour.alpha', 'lantern.gamma', 'harbour.beta']],
      ['country=dk', ['lantern.delta']],
      ['region=Northern+Europe&constituency=energy', ['harbour.alpha']],
      ['sort=-short-team-name&country=NO', ['lantern.gamma', 'harbour.beta', 'harbour.alpha']],
    ] as const) {
      const page = await pages.page(`/?${query}`);
      expect([page.status, page.teams]).toEqual([200, teams]);
    }
  });

  it('shows the telephone numbers of a team as links to call them, that for emergencies first', async () => {
    const numbers = { phone: ['+999 (0)5550 0101', '+999 5550 0102'], fax: '+999 5550 0103' };
    const pages = await startPageGateway({
      harbour: {
        data: {
          teams: [{ id: 'alpha', team: 'ALPHA', ...numbers, 'phone-emergency': '+999 5550 0109' }],
          news: [],
          channels: [],
        },
      },
      lantern: { teams: [team('BETA', { 'phone-numbers': ['ask <the> desk'] })] },
    });
    const results = (await pages.page(ALL)).part('results');
    const links = [...results.matchAll(/<a href="(tel:[^"]*)">([^<]*)<\/a>/g)].map(([, href, text]) => [href, text]);
    expect(links).toEqual([
      ['tel:+99955500109', '+999 5550 0109'],
      ['tel:+99955500101', '+999 (0)5550 0101'],
      ['tel:+99955500102', '+999 5550 0102'],
    ]);
    expect(results).toContain('<a href="/teams/harbour.alpha">(1 more)</a>');
    expect(results).toContain('ask &lt;the>');
  });

  it('counts by country and by source as the directory interface does, without the filter that is counted', async () => {
    const pages = await startPageGateway({
      harbour: { ...HARBOUR, registration: { 'source-name': 'Harbour' } },
      lantern: { ...LANTERN, registration: { 'source-name': 'Lantern' } },
    });
    const read = async (query: string): Promise<Record<string, number>> => {
      const counts = (await pages.page(`/?${query}`)).part('counts');
      const items = [...counts.matchAll(/<li><a href="([^"]*)"[^>]*>(.*?)<\/a> <span class="count">(\d+)/g)];
      return Object.fromEntries(items.map(([, , label = '', count]) => [textOf(label), Number(count)]));
    };
    expect(await read('')).toEqual({ Harbour: 2, Lantern: 2, Norway: 3, Sweden: 1, Denmark: 1 });
    const filtered = await read('country=NO&source-name=harbour');
    expect(filtered).toEqual({
      'Harbour (selected; remove)': 2,
      Lantern: 1,
      'Norway (selected; remove)': 2,
      Sweden: 1,
    });
    expect(await countTeams(pages, 'country=NO&source-name=lantern')).toBe(filtered['Lantern']);
    expect(await countTeams(pages, 'country=SE&source-name=harbour')).toBe(filtered['Sweden']);
  });

  it('begins with examples of what can be pasted, a map and the countries, and no list', async () => {
    const file = { path: '/assets/file', contentType: 'text/plain', bytes: Buffer.from('') };
    const explorerAssets = { map: { ...file, codes: new Set(['NO', 'DK']) }, script: file, style: file };
    const pages = await startPageGateway({ harbour: HARBOUR, lantern: LANTERN }, {}, { explorerAssets });
    const page = await pages.page('/');
    expect([page.status, page.teams]).toEqual([200, []]);
    expect(textOf(page.part('results'))).toMatch(
      /^Paste what you have, as it is\nIP address, also in a line of a log\n.*list all 4 records/s,
    );
    expect(textOf(page.part('counts'))).toContain('Norway 3');
    expect(page.text).toMatch(/<a href="\/\?country=NO"[^>]*><title>Norway: 3 teams</);
    const [, all = ''] = /<a href="([^"]*)">list all/.exec(page.text) ?? [];
    expect((await pages.page(all)).teams).toHaveLength(4);
    for (const [, href = ''] of page.part('results').matchAll(/<dd><a href="([^"]*)"/g))
      expect([href, (await pages.page(href)).status]).toEqual([href, 200]);
  });

  it('has an address without empty parameters, also where a form without scripts sent them', async () => {
    const pages = await startPageGateway({ harbour: HARBOUR });
    for (const [sent, clean] of [
      ['/?q=alpha&country=&region=&source-name=', '/?q=alpha'],
      ['/?q=&country=', '/'],
      ['/news?q=&after=&before=2026-01-02', '/news?before=2026-01-02'],
    ] as const) {
      const { status, headers } = await fetch(pages.gateway.origin + sent, { redirect: 'manual' });
      expect([sent, status, headers.get('location')]).toEqual([sent, 308, clean]);
    }
  });

  it('links to the next and the previous 20 teams, with the same parameters', async () => {
    const teams = Array.from({ length: 120 }, (_, at) => team(`T-${String(at).padStart(3, '0')}`));
    const pages = await startPageGateway({ harbour: { teams } });
    const first = await pages.page('/?q=t-');
    expect(textOf(first.part('results'))).toContain('1 to 20 of 120 records');
    const next = /rel="next" href="([^"]*)"/.exec(first.text)?.[1]?.replace('&amp;', '&') ?? '';
    expect(next).toBe('/?q=t-&offset=20');
    const second = await pages.page(next);
    expect([second.teams[0], second.teams.length]).toEqual(['harbour.t-020', 20]);
    expect(second.text).toContain('rel="prev" href="/?q=t-"');
    const last = await pages.page('/?q=t-&offset=100');
    expect([last.teams.length, last.text.includes('rel="next"')]).toEqual([20, false]);
    expect(textOf((await pages.page('/?offset=500')).part('results'))).toContain('this page is after the last one');
  });

  it('states the address of the same list, and its files with all matches', async () => {
    const teams = Array.from({ length: 120 }, (_, at) => team(`T-${at}`));
    const pages = await startPageGateway(
      { harbour: { teams } },
      { server: { 'public-url': 'https://teams.example.org' } },
    );
    const page = await pages.page('/?q=t-');
    expect(page.text).toContain('data-copy="https://teams.example.org/directory/v1/search?q=t-"');
    const csv = /href="([^"]*)">CSV</.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    expect((await pages.gateway.get(csv)).text.split('\r\n').filter((line) => line !== '')).toHaveLength(121);
  });

  it('shows parameters that cannot be used as an error in words, and searches nothing', async () => {
    const pages = await startPageGateway({ harbour: HARBOUR });
    const page = await pages.page('/?country=Atlantis&q=alpha');
    expect(page.status).toBe(400);
    expect(textOf(page.part('notice'))).toContain('country names the unknown country code "Atlantis"');
    expect(page.text).toContain('name="q" type="search" value="alpha"');
    expect([page.teams, page.headers.get('cache-control')]).toEqual([[], 'no-store']);
    expect(page.part('results')).not.toContain('No team matches');
  });
});

describe('the notice of a search', () => {
  it('states that all repositories have answered, and how old the records are', async () => {
    const pages = await startPageGateway({ harbour: HARBOUR, lantern: LANTERN }, { defaults: { ttl: '1h' } });
    await pages.page('/');
    pages.clock.advance(3 * 60_000);
    const { part } = await pages.page('/');
    expect(textOf(part('notice'))).toBe(
      'Complete: all 2 repositories have answered. Oldest records: 00:00 UTC, 3 minutes ago.',
    );
    expect(part('notice')).not.toContain('role="alert"');
  });

  it('names a repository that failed, why, and what is missing, before everything else', async () => {
    const pages = await startPageGateway({
      harbour: HARBOUR,
      lantern: { handler: fails, registration: { 'source-name': 'Lantern <Network>' } },
    });
    const page = await pages.page(ALL);
    expect([page.status, page.teams.length]).toEqual([200, 2]);
    expect(page.part('notice')).toContain('role="alert"');
    expect(textOf(page.part('notice'))).toBe(
      '1 of 2 repositories could not be asked\n' +
        'Lantern <Network> (failed: HTTP status 500). Teams that only this repository lists are missing below.',
    );
    expect(page.text.indexOf('id="notice"')).toBeLessThan(page.text.indexOf('<main'));
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('source-status')).toContain('lantern;state=failed;reason=status');
  });

  it('names a repository that is shown from an earlier copy, with the time of that copy', async () => {
    const pages = await startPageGateway({ harbour: HARBOUR, lantern: LANTERN }, { defaults: { ttl: '1m' } });
    await pages.page('/');
    const { lantern } = pages.upstreams;
    if (lantern !== undefined) lantern.handler = fails;
    pages.clock.advance(3 * 3_600_000);
    const page = await pages.page(ALL);
    expect(page.teams).toHaveLength(4);
    expect(textOf(page.part('notice'))).toBe(
      '1 of 2 repositories is shown from an earlier copy\n' +
        'lantern (earlier copy: HTTP status 500, records from 00:00 UTC, 3 hours ago). Newer changes are not shown.',
    );
    expect(page.part('notice')).toContain('role="status"');
  });

  it('names a repository that gave only a part of its records', async () => {
    const pages = await startPageGateway({
      harbour: { handler: directoryUpstream([team('ALPHA'), 17]) },
      lantern: LANTERN,
    });
    const page = await pages.page('/');
    expect(textOf(page.part('notice'))).toContain('1 of 2 repositories gave only a part of their records');
    expect(textOf(page.part('notice'))).toContain('returned entries or values that cannot be read');
  });
});

describe('a search without hits', () => {
  it('is a 200 that says so and how to widen it, where every repository has answered', async () => {
    const pages = await startPageGateway({ harbour: HARBOUR, lantern: LANTERN });
    const page = await pages.page('/?q=norway+nobody+nowhere+never&country=NO');
    expect(page.status).toBe(200);
    const results = page.part('results');
    expect(textOf(results)).toMatch(/^No team matches in Norway\n/);
    expect(textOf(results)).toContain('Only country Norway (remove)');
    expect(results).toContain('href="/?q=norway%20nobody%20nowhere%20never"');
  });

  it('is a failure that proves nothing, where a repository could not be asked', async () => {
    const pages = await startPageGateway({ harbour: HARBOUR, lantern: { handler: fails } });
    const page = await pages.page('/?q=nobody');
    expect([page.status, page.headers.get('cache-control')]).toEqual([502, 'no-store']);
    const results = textOf(page.part('results'));
    expect(results).toContain('Nobody found, but 1 of 2 repositories could not be asked');
    expect(results).toContain('This is no proof that there is no such team.');
    expect(results).not.toContain('No team matches');
    expect(page.part('results')).toContain('failure');
  });

  it('is a 504 where repositories only took too long', async () => {
    const pages = await startPageGateway(
      { harbour: HARBOUR, lantern: { handler: neverResponds } },
      { server: { deadline: '500ms' } },
    );
    expect((await pages.page('/?q=nobody')).status).toBe(504);
  });

  it('is a failure where no repository at all could be asked', async () => {
    const pages = await startPageGateway({ harbour: { handler: fails } });
    const page = await pages.page('/');
    expect(page.status).toBe(502);
    expect(textOf(page.part('results'))).toContain('No answer: 1 of 1 repositories could not be asked');
  });
});

describe('the header fields of a page', () => {
  it('forbid everything that the page does not use, and indexing', async () => {
    const pages = await startPageGateway({ harbour: HARBOUR });
    const { headers, text } = await pages.page('/');
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('x-robots-tag')).toBe('noindex');
    expect(text).toContain('<meta name="robots" content="noindex"/>');
    expect(text).not.toMatch(/ style="|<style|<script>| on[a-z]+="/);
  });

  it('report on the sources and on caching as those of the list do', async () => {
    const pages = await startPageGateway({ harbour: HARBOUR }, { server: { name: 'rollcall-test' } });
    const list = await pages.gateway.get('/directory/v1/teams');
    const page = await pages.page('/', { prefer: 'handling=strict' });
    for (const name of ['source-status', 'cache-control', 'via'])
      expect([name, page.headers.get(name)]).toEqual([name, list.headers.get(name)]);
    expect(page.headers.get('preference-applied')).toBe('handling=strict');
  });

  it('refuse an incomplete answer where the request prefers none', async () => {
    const pages = await startPageGateway({ harbour: HARBOUR, lantern: { handler: fails } });
    const page = await pages.page('/', { prefer: 'handling=strict' });
    expect([page.status, page.teams]).toEqual([502, []]);
    expect(textOf(page.part('results'))).toContain('No complete answer');
  });
});

describe('hostile values', () => {
  it('are shown as text, with their hidden characters, and cut', async () => {
    const hostile = team('<script>alert(1)</script>\u202eTREC', {
      'official-team-name': 'A'.repeat(10_000),
      email: 'javascript:alert(1)',
      'phone-numbers': ['"><img src=x onerror=alert(1)>'],
      'country-code': '<b>',
    });
    const pages = await startPageGateway({ harbour: { teams: [hostile] } });
    const { text } = await pages.page(`/?q=${encodeURIComponent('trec')}`);
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('&lt;script>alert(1)&lt;/script>');
    expect(text).not.toContain('\u202e');
    expect(text).toContain('[U+202E]');
    expect(text).not.toContain('<img');
    expect(text).not.toContain('href="javascript:');
    expect(text).not.toContain('A'.repeat(2_001));
    const [shown = ''] = text.split(/<summary>The whole text has 10,000 characters/);
    expect(shown).not.toContain('A'.repeat(201));
    const page = await pages.page(`/?q=${encodeURIComponent('"><svg/onload=x>\u202e')}`);
    expect(page.text).not.toContain('<svg/onload');
    expect(page.text).toContain('dir="auto"');
  });
});
