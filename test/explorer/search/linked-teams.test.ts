import { afterEach, describe, expect, it } from 'vitest';
import { closePageGateways, startPageGateway, textOf } from '../../support/gateway/page-gateway.js';
import type { PageGateway } from '../../support/gateway/page-gateway.js';

afterEach(closePageGateways);

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
    expect(results).toContain('2 records ≠ contradiction: Telephone\nACORN-CERT');
    expect(results).toContain('Zacorn\nProbably the same team: the same e-mail address cert@acorn.example.org\n');
    expect(results).toContain('+999 5550 0199 Copy only this repository');
    expect(results).toMatch(/\+999 5550 0101[^]*\+999 5550 0199/);
  });

  it('begin with one whose number others confirm, not with the first hit', async () => {
    const impostor = { ...acorn, 'short-team-name': 'Aacorn', 'phone-numbers': ['+999 5550 0666'] };
    const [harbour, lantern] = ['Harbour', 'Lantern'].map((name) => ({
      teams: [{ ...acorn, 'short-team-name': 'Acorn', 'phone-numbers': ['+999 5550 0101'] }],
      registration: { 'source-name': name },
    }));
    if (harbour === undefined || lantern === undefined) throw new Error('no sources');
    const pages = await startPageGateway({ mallory: { teams: [impostor] }, harbour, lantern });
    const { teams } = await pages.page('/?sort=short-team-name');
    expect(teams).toEqual(['harbour.acorn', 'lantern.acorn', 'mallory.aacorn']);
  });

  it('are named in a list that does not contain them', async () => {
    const pages = await startLinked();
    const page = await pages.page('/?source-name=Harbour');
    expect(page.teams).toEqual(['harbour.acorn-cert', 'harbour.birch']);
    const results = page.part('results');
    expect(textOf(results)).toContain(
      'Probably also in Lantern (the same e-mail address cert@acorn.example.org) ≠ contradiction: Telephone',
    );
    expect(results).toContain('<a href="/teams/lantern.zacorn">');
  });

  it('are named with the number of records that share the fact, where a repository copies one of them', async () => {
    const copies = Array.from({ length: 1_200 }, (_, at) => ({ ...acorn, 'short-team-name': 'Copy', host: `${at}` }));
    const pages = await startPageGateway({ ...SOURCES, copies: { teams: copies } });
    const shared = 'the same e-mail address cert@acorn.example.org, which 1,202 records have';
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
});
