import { afterEach, describe, expect, it } from 'vitest';
import { closePageGateways, startPageGateway, textOf } from '../../support/gateway/page-gateway.js';
import type { PageGateway } from '../../support/gateway/page-gateway.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';

afterEach(closePageGateways);

const fails: RequestHandler = (_, response) => void response.writeHead(500).end();

const acorn = { 'official-team-name': 'Acorn Response', 'country-code': 'NO', email: 'cert@acorn.example.org' };

const SOURCES = {
  harbour: {
    teams: [
      { ...acorn, 'short-team-name': 'ACORN-CERT', 'phone-numbers': ['+999 5550 0101'] },
      { 'short-team-name': 'Birch', 'country-code': 'NO' },
    ],
    registration: { 'source-name': 'Harbour' },
  },
  lantern: {
    teams: [{ ...acorn, 'short-team-name': 'Zacorn', 'phone-numbers': ['+999 5550 0199'] }],
    registration: { 'source-name': 'Lantern' },
  },
};

const startLinked = (): Promise<PageGateway> => startPageGateway(SOURCES);

describe('records that are probably of one team', () => {
  it('stand together in a list with the reason, and each stays a record of its own', async () => {
    const pages = await startLinked();
    const page = await pages.page('/?country=NO');
    expect(page.teams).toEqual(['harbour.acorn-cert', 'lantern.zacorn', 'harbour.birch']);
    const results = textOf(page.part('results'));
    expect(results).toMatch(/^3 records, probably 2 teams\n/);
    expect(results).toContain('2 records, probably of 1 team\nThey state different telephone numbers\nACORN-CERT');
    expect(results).toContain('Zacorn\nProbably the same team: the same e-mail address cert@acorn.example.org\n');
    expect(results).toContain('+999 5550 0199 Copy only this repository');
    expect(results).toMatch(/\+999 5550 0101[^]*\+999 5550 0199/);
  });

  it('are named in a list that does not contain them', async () => {
    const pages = await startLinked();
    const page = await pages.page('/?source-name=Harbour');
    expect(page.teams).toEqual(['harbour.acorn-cert', 'harbour.birch']);
    const results = page.part('results');
    expect(textOf(results)).toContain(
      'Probably also in Lantern (the same e-mail address cert@acorn.example.org) with different telephone numbers',
    );
    expect(results).toContain('<a href="/teams/lantern.zacorn">');
  });

  it('are compared on the page of each, with what differs marked in words', async () => {
    const pages = await startLinked();
    const { text } = await pages.page('/teams/harbour.acorn-cert');
    const [, section = ''] = /id="same-title">(.*?)<\/section>/s.exec(text) ?? [];
    expect(textOf(section)).toContain('Zacorn in Lantern\nReason: the same e-mail address cert@acorn.example.org');
    const rows = [...section.matchAll(/<tr[^>]*>(.*?)<\/tr>/g)].map(([, row = '']) => textOf(row).split('\n'));
    expect(rows).toEqual([
      ['Property', 'Harbour', 'Lantern'],
      ['short-team-name ≠ differs', 'ACORN-CERT', 'Zacorn'],
      ['official-team-name', 'Acorn Response', 'Acorn Response'],
      ['country-code', 'NO (Norway)', 'NO (Norway)'],
      ['email', 'cert@acorn.example.org', 'cert@acorn.example.org'],
      ['phone-numbers ≠ differs', '+999 5550 0101', '+999 5550 0199'],
    ]);
    expect((await pages.page('/teams/harbour.birch')).text).toContain(
      'No record of another repository is clearly of the same team',
    );
  });

  it('stay linked where a repository copies one of them, and the pages of all say how many records share the fact', async () => {
    const copy = { ...acorn, 'short-team-name': 'Acorn Copy', 'phone-numbers': ['+999 5550 0166'] };
    const copies = Array.from({ length: 1_200 }, (_, at) => ({ ...copy, host: `Copy ${at}` }));
    const pages = await startPageGateway({ ...SOURCES, copies: { teams: copies } });
    const shared = 'the same e-mail address cert@acorn.example.org, which 1,202 records have';
    const { text } = await pages.page('/teams/harbour.acorn-cert');
    expect(textOf(text)).toContain(`Zacorn in Lantern\nReason: ${shared}`);
    const [hostile = ''] = (await pages.page('/?source-name=copies')).teams;
    const hostilePage = textOf((await pages.page(`/teams/${encodeURIComponent(hostile)}`)).text);
    expect(hostilePage).toContain(`ACORN-CERT in Harbour\nReason: ${shared}`);
    expect(hostilePage).toContain('phone-numbers ≠ differs');
    expect(textOf((await pages.page('/?q=acorn-cert')).part('results'))).toContain(`Lantern (${shared}`);
  });

  it('are one line below the copies of another repository, which are one line to open', async () => {
    const copies = Array.from({ length: 4_000 }, (_, at) => ({ ...acorn, 'short-team-name': 'Zacorn', host: `${at}` }));
    const pages = await startPageGateway({ copies: { teams: copies }, ...SOURCES });
    for (const text of ['zacorn', 'acorn response', 'cert@acorn.example.org']) {
      const page = await pages.page(`/?q=${encodeURIComponent(text)}`);
      const [, hostile = '', honest = '', ...others] = page.part('results').split('<li class="team">');
      expect([text, others]).toEqual([text, []]);
      const [copy, opened] = hostile.split('<details>').map(textOf);
      expect(copy).toContain('Probably also in Lantern (the same e-mail address');
      expect(opened).toMatch(/^\d\d more records of copies with this name\n/);
      expect(honest).toContain('href="/teams/lantern.zacorn"');
      expect(textOf(honest)).not.toContain('copies');
    }
  });

  it('may exist in a repository that could not be asked, and the page says so', async () => {
    const pages = await startPageGateway({ ...SOURCES, lantern: { handler: fails } });
    const text = textOf((await pages.page('/teams/harbour.acorn-cert')).text);
    expect(text).toContain('There may be more: not every team of lantern could be searched.');
    expect(text).not.toContain('No record of another repository is clearly of the same team');
  });
});
