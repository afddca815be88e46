import { afterEach, describe, expect, it } from 'vitest';
import { closePageGateways, startPageGateway, textOf } from '../../support/gateway/page-gateway.js';
import type { Page, PageSource } from '../../support/gateway/page-gateway.js';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import { neverResponds } from '../../support/upstream/upstream-server.js';

afterEach(closePageGateways);

const team = (name: string, further: object = {}): object => ({ 'short-team-name': name, ...further });

const THORSVIK = team('ÞÓRSVÍK CERT', {
  'official-team-name': 'Þórsvík Health Response',
  'country-code': 'IS',
  website: ['https://dept.thorsvik.example.org/'],
  email: 'duty@thorsvik.example.org',
  'phone-numbers': ['+999 5550 0101'],
  enckeys: ['0x0554215E4602DF45813A66118294ACC1ADBC0EC5'],
  constituency: 'Hospitals',
  '-harbour-asn': '64500',
  '-harbour-networks': ['192.0.2.0/24'],
});

const OTHERS = ['Acorn', 'Birch', 'Cedar'].map((name) =>
  team(name, { 'country-code': 'NO', 'postal-address': 'Health Street 1' }),
);

const HARBOUR: PageSource = { teams: [...OTHERS, THORSVIK], registration: { 'source-name': 'Harbour' } };
const LANTERN: PageSource = {
  teams: [team('Lamp', { 'country-code': 'SE', 'official-team-name': 'Health of Lund' })],
  registration: { 'source-name': 'Lantern' },
};

/** What the first hit says that matched; undefined where it says nothing. */
function readMatch(page: Page): string | undefined {
  const [item = ''] = /<article>.*?<\/article>/s.exec(page.part('results')) ?? [];
  const [match] = /<p class="match">.*?<\/p>/s.exec(item) ?? [];
  return match && textOf(match);
}

/** Addresses of the links in a part of a page. */
function readLinks(html: string): readonly string[] {
  return [...html.matchAll(/ href="([^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
}

describe('a search on the page', () => {
  it('lists the most relevant teams first, and ignores an order in its address', async () => {
    const pages = await startPageGateway({ harbour: HARBOUR, lantern: LANTERN });
    const found = ['lantern.lamp', 'harbour.thorsvik-cert', 'harbour.acorn', 'harbour.birch', 'harbour.cedar'];
    for (const query of ['q=health', 'sort=short-team-name&q=health', 'q=health&sort=colour']) {
      const page = await pages.page(`/?${query}`);
      expect([page.status, page.teams]).toEqual([200, found]);
      expect(readLinks(page.text).filter((href) => href.includes('sort'))).toEqual([]);
      expect(textOf(page.part('results'))).toContain('5 teams\nExactly this');
    }
    expect((await pages.page('/?q=+&sort=-short-team-name')).teams[0]).toBe('harbour.thorsvik-cert');
  });

  it.each([
    ['thorsvik', undefined],
    ['response', undefined],
    ['hosp', 'Matches: word hospitals in constituency'],
    ['iceland hospitals', 'Matches: word iceland in country-code; word hospitals in constituency'],
    ['helth thorsvik', 'Matches: similar word health'],
    ['hospitels', 'Matches: similar word hospitals in constituency'],
    ['other.thorsvik.example.org', 'Matches: host name dept.thorsvik.example.org; host name thorsvik.example.org'],
    ['duty@thorsvik.example.org', /^Matches:.*e-mail duty@thorsvik\.example\.org/],
    ['5550 0101', 'Matches: telephone number 99955500101'],
    ['ADBC0EC5', 'Matches: key ADBC 0EC5'],
    ['AS64500', 'Matches: autonomous system AS64500'],
    ['192.0.2.7', 'Matches: IP range 192.0.2.0/24'],
  ])('says of a hit for %s what matched, unless its names show it', async (text, expected) => {
    const pages = await startPageGateway({ harbour: HARBOUR, lantern: LANTERN });
    const page = await pages.page(`/?q=${encodeURIComponent(text)}`);
    expect(page.teams[0]).toBe('harbour.thorsvik-cert');
    const match = readMatch(page);
    if (expected instanceof RegExp) expect(match).toMatch(expected);
    else expect(match).toBe(expected);
    expect(page.text).not.toContain('score');
  });

  it.each([
    ['health', ['Exactly this'], undefined],
    ['helth', ['Near it', 'Who to ask instead'], /Matches: similar word health/],
    ['thorsvik hospitals quarry', ['Near it', 'Who to ask instead'], /without quarry/],
    ['mail.dept.thorsvik.example.org', ['Exactly this'], undefined],
    ['other.thorsvik.example.org', ['Exactly this'], undefined],
    [
      'other.example.org',
      ['Near it', 'Who to ask instead'],
      /Shares only a domain: host name dept\.thorsvik\.example\.org/,
    ],
    ['thorsvik norway', ['Near it', 'Who to ask in Norway'], /without (?:thorsvik|norway)/],
  ])('puts hits for %s into the parts %j, and says why they are near', async (text, parts, why) => {
    const pages = await startPageGateway({ harbour: HARBOUR, lantern: LANTERN });
    const results = (await pages.page(`/?q=${encodeURIComponent(text)}`)).part('results');
    const [, ...headings] = [...results.matchAll(/<h2[^>]*>(.*?)<\/h2>/g)].map(([, title = '']) => textOf(title));
    expect(headings).toEqual(parts);
    if (why !== undefined) expect(textOf(results)).toMatch(why);
    expect(results.includes('No record that was searched has exactly this')).toBe(why !== undefined);
  });

  it('says nothing of matches in a list without a text', async () => {
    const pages = await startPageGateway({ harbour: HARBOUR });
    expect((await pages.page('/?country=NO')).text).not.toContain('Matches:');
  });

  it('suggests the usual spelling, with the other filters kept', async () => {
    const pages = await startPageGateway({ harbour: HARBOUR, lantern: LANTERN });
    const page = await pages.page('/?q=thorsvick+helth&region=Europe&offset=0');
    expect(textOf(page.part('results'))).toContain('Did you mean thorsvik health?');
    const href = '/?region=Europe&q=thorsvik%20health';
    expect(readLinks(page.part('results'))).toContain(href);
    const corrected = await pages.page(href);
    expect(corrected.teams).toEqual(['harbour.thorsvik-cert']);
    expect(corrected.text).not.toContain('Did you mean');
  });

  it('suggests the usual spelling where nothing is found, too', async () => {
    const pages = await startPageGateway({ harbour: HARBOUR, lantern: LANTERN });
    const results = (await pages.page('/?q=helth+zzzzq+yyyyq+xxxxq')).part('results');
    expect(textOf(results)).toMatch(/No team matches.*Did you mean health zzzzq yyyyq xxxxq\?/s);
  });

  it('counts all hits by country and source, on every page of the list, with links that keep the text', async () => {
    const many = Array.from({ length: 120 }, (_, at) => team(`Dock ${at}`, { 'country-code': at < 80 ? 'NO' : 'DK' }));
    const pages = await startPageGateway({ harbour: { teams: [...many, THORSVIK] }, lantern: LANTERN });
    const results = await pages.page('/?q=dock&offset=100');
    expect(results.teams).toHaveLength(20);
    const counts = results.part('counts');
    expect(textOf(counts)).toMatch(/harbour 120\n.*Norway 80\nDenmark 40/s);
    expect(textOf(counts)).not.toMatch(/lantern|Iceland/);
    expect(readLinks(counts)).toEqual(['/?q=dock&source-name=harbour', '/?q=dock&country=NO', '/?q=dock&country=DK']);
    expect(textOf((await pages.page('/?q=dock&country=DK')).part('results'))).toContain('1 to 20 of 40 records');
    expect(textOf((await pages.page('/?q=dock&country=DK')).part('counts'))).toContain('Norway 80');
  });

  it('states the address of the search for programs, and files in the formats of a search', async () => {
    const pages = await startPageGateway({ harbour: HARBOUR, lantern: LANTERN });
    const links = readLinks((await pages.page('/?q=health&country=NO')).part('results'));
    const files = links.filter((href) => href.startsWith('/directory/v1/'));
    expect(files.map((href) => href.split(/[?.]/)[1])).toEqual([
      ...['xlsx', 'vcf'],
      ...['json', 'yml', 'xml', 'csv', 'xlsx', 'ndjson', 'vcf'],
    ]);
    for (const href of files) expect((await pages.gateway.get(href)).status).toBe(200);
    const json = (await pages.gateway.get(files[2] ?? '')).json;
    expect(json).toMatchObject(OTHERS);
  });

  it('explains without hits what a search finds, and only there', async () => {
    const pages = await startPageGateway({ harbour: HARBOUR });
    const empty = textOf((await pages.page('/?q=spitals')).part('results'));
    expect(empty).toContain('The beginning of a word suffices');
    expect(textOf((await pages.page('/?country=BR')).part('results'))).not.toContain('beginning of a word');
    expect((await pages.page('/?q=thors')).teams).toEqual(['harbour.thorsvik-cert']);
  });

  it('shows a text without letters and digits as an error', async () => {
    const pages = await startPageGateway({ harbour: HARBOUR });
    const page = await pages.page('/?q=%26%26');
    expect([page.status, page.teams]).toEqual([400, []]);
    expect(textOf(page.part('notice'))).toContain('q has no letters or digits');
  });

  it('shows what matched as text, whatever it contains', async () => {
    const hostile = team('Mallory', {
      '-harbour-<img src=x>\u202e': 'zebra',
      website: ['https://zebra.example.org/"><script>alert(1)</script>'],
    });
    const pages = await startPageGateway({ harbour: { teams: [hostile] } });
    for (const text of ['zebra', 'zebra.example.org', `<script>`]) {
      const page = await pages.page(`/?q=${encodeURIComponent(text)}`);
      expect(page.text).not.toMatch(/<img|<script>|\u202e/);
    }
    expect(readMatch(await pages.page('/?q=zebra'))).toMatch(/^Matches: word zebra in /);
  });
});

describe('a search in repositories that are not all there', () => {
  it('finds teams of the others while one takes too long', async () => {
    const pages = await startPageGateway(
      { harbour: HARBOUR, lantern: { handler: neverResponds } },
      { server: { deadline: '500ms' } },
    );
    const page = await pages.page('/?q=thorsvik');
    expect([page.status, page.teams]).toEqual([200, ['harbour.thorsvik-cert']]);
    expect(textOf(page.part('notice'))).toContain('1 of 2 repositories could not be asked');
  });

  it('searches the earlier copy of one that takes too long', async () => {
    const pages = await startPageGateway(
      { harbour: HARBOUR, lantern: LANTERN },
      { server: { deadline: '500ms' }, defaults: { ttl: '1m', 'stale-while-revalidate': '0s' } },
    );
    await pages.page('/?q=lamp');
    const { lantern } = pages.upstreams;
    if (lantern !== undefined) lantern.handler = neverResponds;
    pages.clock.advance(3_600_000);
    const page = await pages.page('/?q=lamp');
    expect([page.status, page.teams]).toEqual([200, ['lantern.lamp']]);
    expect(page.headers.get('source-status')).toContain('lantern;state=stale;reason=timeout');
    expect(textOf(page.part('notice'))).toContain('1 of 2 repositories is shown from an earlier copy');
  });

  it('names a repository whose records are not all indexed, and takes no hits for no proof', async () => {
    const words = (at: number): string => Array.from({ length: 300 }, (_, word) => `w${at}x${word}`).join(' ');
    const long = Array.from({ length: 100 }, (_, at) => team(`Long ${at}`, { 'postal-address': words(at) }));
    const pages = await startPageGateway(
      { harbour: HARBOUR, lantern: { handler: directoryUpstream(long) } },
      { cache: { memory: '1MiB' } },
    );
    const page = await pages.page('/?q=thorsvik');
    expect([page.status, page.teams]).toEqual([200, ['harbour.thorsvik-cert']]);
    expect(page.headers.get('source-status')).toContain('lantern;state=partial;reason=index');
    expect(textOf(page.part('notice'))).toBe(
      '1 of 2 repositories could not be searched\n' +
        'lantern (partial: this gateway has not indexed its records yet, or they are too many to be indexed). ' +
        'Teams that only this repository lists are missing below. The list without a searched text has them.',
    );
    expect(page.headers.get('cache-control')).toBe('no-store');
    const empty = await pages.page('/?q=nobody');
    expect(empty.status).toBe(502);
    expect(textOf(empty.part('results'))).toContain('Nobody found, but 1 of 2 repositories could not be searched');
    expect(textOf(empty.part('results'))).not.toContain('No team matches');
  });
});

describe('a search for a key on the page', () => {
  const note = 'PGP keys that are for members only were not searched.';

  it('says that some keys are for members only, with and without hits', async () => {
    const pages = await startPageGateway({ harbour: HARBOUR }, { access: { scopes: { pgp: 'members' } } });
    for (const [q, teams] of [
      ['0xEEEE5555', []],
      ['PGP+0xEEEE5555', []],
      ['0xADBC0EC5', ['harbour.thorsvik-cert']],
    ] as const) {
      const page = await pages.page(`/?q=${q}`);
      expect([q, page.teams, textOf(page.part('results')).includes(note)]).toEqual([q, teams, true]);
    }
    expect(textOf((await pages.page('/?q=unknown')).part('results'))).not.toContain(note);
  });

  it('says nothing of members where keys are public', async () => {
    const pages = await startPageGateway({ harbour: HARBOUR });
    expect(textOf((await pages.page('/?q=0xEEEE5555')).part('results'))).not.toContain(note);
  });
});
