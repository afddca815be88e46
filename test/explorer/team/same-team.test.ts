import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closePageGateways, startPageGateway, textOf } from '../../support/gateway/page-gateway.js';
import type { PageGateway, PageSource } from '../../support/gateway/page-gateway.js';
import { keyReader } from '../../support/gateway/threads/key-reader.js';
import { openpgpKeys } from '../../support/openpgp-keys.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';

afterEach(closePageGateways);

const fails: RequestHandler = (_, response) => void response.writeHead(500).end();

const [alpha, beta] = openpgpKeys;
if (alpha === undefined || beta === undefined) throw new Error('no keys');

const named = (name: string): object => ({ 'source-name': name });

const ACORN = { 'short-team-name': 'Acorn CERT', 'country-code': 'NO', email: 'cert@acorn.example.org' };

/** A repository with one team. */
const source = (name: string, properties: object): PageSource => ({
  teams: [{ ...ACORN, ...properties }],
  registration: named(name),
});

/** The rows of the table of a page, each with its cells. */
async function rowsOf(pages: PageGateway, id: string): Promise<readonly (readonly string[])[]> {
  const { text } = await pages.page(`/teams/${id}`);
  const [, section = ''] = /id="same-title">(.*?)<\/section>/s.exec(text) ?? [];
  return [...section.matchAll(/<tr[^>]*>(.*?)<\/tr>/g)].map(([, row = '']) => textOf(row).split('\n'));
}

const rowOf = (rows: readonly (readonly string[])[], label: string): readonly string[] =>
  rows.find(([head = '']) => head.startsWith(label))?.slice() ?? [];

describe('the records of one team', () => {
  const three = {
    harbour: source('Harbour', { enckeys: [alpha.fingerprint], host: 'Acorn', 'official-team-name': 'Ægir í Þórsvík' }),
    lantern: source('Lantern', {
      enckeys: [beta.fingerprint],
      host: 'Acorn',
      'official-team-name': 'Aegir i Thorsvik',
    }),
    quay: source('Quay', {
      enckeys: [`0x${alpha.fingerprint.toLowerCase()}`],
      host: 'Acorn',
      website: ['https://a.example.org'],
    }),
  };

  it('are columns of one table: what all state is said once, and contradictions are named in words', async () => {
    const pages = await startPageGateway(three);
    const rows = await rowsOf(pages, 'harbour.acorn-cert');
    const short = (fingerprint: string): string => fingerprint.match(/.{4}/g)?.join(' ') ?? '';
    expect(rows[0]?.map((head) => head.replace('Acorn CERT', ' '))).toEqual([
      'Property',
      'Harbourundated',
      'Quay undated',
      'Lantern undated',
    ]);
    expect(rows[1]).toEqual([
      'Key enckeys ≠ contradiction',
      `${short(alpha.fingerprint)} 2 of 3 state it`,
      `${short(alpha.fingerprint)} 2 of 3 state it`,
      `${short(beta.fingerprint)} only here`,
    ]);
    expect(rowOf(rows, 'E-mail')).toEqual(['E-mail email all 3 state it', 'cert@acorn.example.org Copy']);
    expect(rowOf(rows, 'Organisation')).toEqual(['Organisation host all 3 state it', 'Acorn']);
    expect(rowOf(rows, 'Official name')).toEqual([
      'Official name official-team-name 2 of 3 state it, spelt differently',
      'Ægir í Þórsvík',
      'not stated',
      'Aegir i Thorsvik',
    ]);
    expect(rowOf(rows, 'Web sites')).toEqual([
      'Web sites website only one states it',
      'not stated',
      'https://a.example.org',
      'not stated',
    ]);
  });

  it('show a contradiction of keys on the page of each of them, before the keys themselves', async () => {
    const pages = await startPageGateway(three);
    for (const code of ['harbour', 'lantern', 'quay']) {
      const text = textOf((await pages.page(`/teams/${code}.acorn-cert`)).text);
      expect(text).toMatch(/Reach the team now[^]*≠ The records contradict each other[^]*PGP keys/);
      expect(text).toContain('only Lantern states it');
    }
  });

  it('are linked on from each other, with the reason of each pair', async () => {
    const pages = await startPageGateway({
      harbour: source('Harbour', { email: 'a@example.net', enckeys: [alpha.fingerprint] }),
      lantern: source('Lantern', { enckeys: [alpha.fingerprint] }),
      quay: source('Quay', { email: 'irt@acorn.example.org' }),
    });
    for (const id of ['harbour.acorn-cert', 'quay.acorn-cert']) {
      const text = textOf((await pages.page(`/teams/${id}`)).text);
      expect(text).toMatch(/(?:Harbour and Lantern|Lantern and Harbour) have the same key/);
      expect(text).toMatch(/(?:Lantern and Quay|Quay and Lantern) have the same domain example.org and the same name/);
      expect(text).not.toMatch(/Harbour and Quay|Quay and Harbour/);
    }
  });

  it('say how many records share the fact where a repository copies one of them', async () => {
    const copies = Array.from({ length: 1_200 }, (_, at) => ({ ...ACORN, host: `Copy ${at}` }));
    const pages = await startPageGateway({ ...three, copies: { teams: copies, registration: named('Copies') } });
    const shared = 'the same e-mail address cert@acorn.example.org, which 1,203 records have';
    const text = textOf((await pages.page('/teams/harbour.acorn-cert')).text);
    expect(text).toContain(`Harbour and Lantern have ${shared}`);
    expect(text).not.toContain('Copy 1');
  });

  it('leave an impostor one claim of one repository, whose number and key are never the first', async () => {
    const data = {
      ...{ id: 1, team: 'Acorn CERT', country: 'NO', email: 'cert@acorn.example.org' },
      ...{ phone: '+999 5550 0666', 'phone-emergency': '+999 5550 0666', 'pgp-fingerprint': beta.fingerprint },
    };
    const pages = await startPageGateway({
      harbour: source('Harbour', { enckeys: [alpha.fingerprint], 'phone-numbers': ['+999 5550 0101'] }),
      impostor: { data: { teams: [data], news: [], channels: [] }, registration: named('Impostor') },
    });
    const text = textOf((await pages.page('/teams/harbour.acorn-cert')).text);
    expect(text).toMatch(
      /Call\n≠ The records contradict each other: Telephone\.[^\n]*\+999 5550 0101 Copy · only Harbour states it\n\+999 5550 0666 Copy emergency number nobody confirms it · only Impostor states it/,
    );
    expect(text).toContain('≠ The records contradict each other: Key. Make sure');
    expect(rowOf(await rowsOf(pages, 'harbour.acorn-cert'), 'Telephone')[0]).toContain('≠ contradiction');
  });

  it('have a warning above a number and hours that only two hostile repositories state, and no mark that speaks for their key', async () => {
    const claim = { 'phone-numbers': ['+999 5550 0666'], 'operating-hours': '24x7' };
    const data = { id: 1, team: 'Acorn CERT', country: 'NO', email: ACORN.email, 'pgp-key': beta.armored };
    const keys = keyReader();
    const pages = await startPageGateway(
      {
        harbour: source('Harbour', {
          ...{ enckeys: [alpha.fingerprint], 'phone-numbers': ['+999 5550 0101'] },
          'operating-hours': 'Mon-Fri 09:00-17:00',
        }),
        mallory: source('Mallory', claim),
        eve: {
          data: { teams: [{ ...data, 'phone-emergency': '+999 5550 0666' }], news: [], channels: [] },
          registration: named('Eve'),
        },
      },
      {},
      { keys },
    );
    const { text } = await pages.page('/teams/harbour.acorn-cert');
    expect(textOf(text)).toMatch(/Call\n≠ The records contradict each other: Telephone\.[^\n]*\+999 5550 0666/);
    expect(textOf(text)).toMatch(/Hours\n≠ The records contradict each other: Hours\./);
    expect(text).not.toContain('✓');
    keys.close();
  });

  it('quote what a repository writes in place of a number, so that it is no statement of the page', async () => {
    const claim = '+999 5550 0101 · all 4 records state it';
    const pages = await startPageGateway({
      harbour: source('Harbour', { 'phone-numbers': [claim], 'operating-hours': '24x7 · all 4 records state it' }),
    });
    const { text } = await pages.page('/teams/harbour.acorn-cert');
    expect(text).toContain(`as stated: <q><bdi>${claim}</bdi></q>`);
    expect(text).toContain('as stated: <q><bdi>24x7 · all 4 records state it</bdi></q>');
    expect(text).not.toContain('tel:');
  });

  it('may exist in a repository that could not be asked, which the page names', async () => {
    const pages = await startPageGateway({ ...three, lantern: { handler: fails, registration: named('Lantern') } });
    const page = await pages.page('/teams/harbour.acorn-cert');
    expect(textOf(page.text)).toContain(
      'Not every team of Lantern could be searched: there may be another key or number.',
    );
    expect(textOf(page.part('notice'))).toContain('1 of 3 repositories could not be asked');
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
    // What one or all state is known only where all could be asked.
    expect(textOf(page.text)).not.toMatch(/ · (?:only|all)\b/);
    const complete = await startPageGateway(three);
    expect(textOf((await complete.page('/teams/harbour.acorn-cert')).text)).toMatch(/ · (?:only|all)\b/);
  });

  it('have no empty cell where a repository could not be asked for keys', async () => {
    const pages = await startPageGateway({
      harbour: three.harbour,
      lantern: {
        data: { teams: [{ id: 1, team: 'Acorn CERT', country: 'NO', email: ACORN.email }], news: [], channels: [] },
        behaviour: { keys: 'pgp', keysRefused: 503 },
        registration: named('Lantern'),
      },
    });
    const key = rowOf(await rowsOf(pages, 'lantern.1'), 'Key');
    expect(key[1]).toBe('could not be asked');
    expect(textOf((await pages.page('/teams/lantern.1')).text)).toContain(
      'Lantern could not be asked for its keys. A key may exist that is not shown here.',
    );
  });
});

describe('the number to call', () => {
  const keys = keyReader();
  afterAll(() => {
    keys.close();
  });

  const NATIONAL = {
    'short-team-name': 'N-CSIRT-NO',
    'official-team-name': 'National CSIRT of Norway',
    'country-code': 'NO',
  };

  it('is the emergency number of another record where that of the page has none', async () => {
    const pages = await startPageGateway({
      harbour: source('Harbour', {}),
      lantern: {
        data: {
          teams: [
            { id: 1, team: 'Acorn CERT', country: 'NO', email: ACORN.email, 'phone-emergency': '+999 5550 0112' },
          ],
          news: [],
          channels: [],
        },
        registration: named('Lantern'),
      },
    });
    expect(textOf((await pages.page('/teams/harbour.acorn-cert')).text)).toContain(
      'Call\n+999 5550 0112 Copy emergency number nobody confirms it · only Lantern states it\n' +
        'No repository lists a national team of Norway.',
    );
  });

  it('is that of the national team, named as another team, where no record states one', async () => {
    const pages = await startPageGateway({
      harbour: source('Harbour', { 'phone-numbers': ['+999 5550 0109 (fax)'] }),
      lantern: {
        teams: [
          { 'short-team-name': 'National Bank CERT', 'country-code': 'NO', 'phone-numbers': ['+999 5550 0001'] },
          { ...NATIONAL, 'country-code': 'SE', 'additional-country-code': ['NO'], 'phone-numbers': ['+999 5550 0002'] },
          { ...NATIONAL, 'phone-numbers': ['+999 5550 0113'] },
        ],
        registration: named('Lantern'),
      },
    });
    const { text } = await pages.page('/teams/harbour.acorn-cert');
    expect(textOf(text)).toContain(
      'No record states any.\n' +
        'Ask the national team of Norway, which is another team: \nN-CSIRT-NO, +999 5550 0113 Copy (Lantern)',
    );
    expect(text).toContain('href="tel:+99955500113"');
  });

  it('is not that of one national team alone where two records say that they are of it', async () => {
    const pages = await startPageGateway({
      harbour: source('Harbour', {}),
      lantern: { teams: [{ ...NATIONAL, 'phone-numbers': ['+999 5550 0113'] }], registration: named('Lantern') },
      mallory: { teams: [{ ...NATIONAL, 'phone-numbers': ['+999 5550 0666'] }], registration: named('Mallory') },
    });
    for (const path of ['/teams/harbour.acorn-cert', '/?q=nobody&country=NO'])
      expect(textOf((await pages.page(path)).text)).toMatch(
        /national team[^]*≠ The records contradict each other: Telephone\.[^]*0113[^]*0666/,
      );
  });

  it('is not called absent from every repository where one could not be asked for the national team', async () => {
    const pages = await startPageGateway({ harbour: source('Harbour', {}), lantern: { handler: fails } });
    const page = await pages.page('/teams/harbour.acorn-cert');
    expect(textOf(page.text)).toContain('No repository that could be asked lists a national team of Norway.');
  });

  it('has the state of its hours at the place of the team, in summer time too', async () => {
    const hours = { 'operating-hours': 'Mon-Fri 09:00-17:00 local time' };
    const pages = await startPageGateway({ harbour: source('Harbour', hours) });
    const read = async (at: number): Promise<string> => {
      pages.clock.advance(at - pages.clock.now());
      return textOf((await pages.page('/teams/harbour.acorn-cert')).text);
    };
    expect(await read(Date.UTC(2026, 0, 5, 7, 59))).toContain('Closed now, as stated: Mon-Fri 09:00-17:00');
    expect(await read(Date.UTC(2026, 0, 5, 8, 0))).toContain('Open now, as stated: Mon-Fri 09:00-17:00');
    expect(await read(Date.UTC(2026, 6, 6, 7, 0))).toContain('Local time\nMon 09:00 (Europe/Oslo)');
    expect(await read(Date.UTC(2026, 6, 6, 7, 1))).toContain('Open now, as stated: Mon-Fri 09:00-17:00');
  });

  it('has its hours as stated where they leave a doubt', async () => {
    const pages = await startPageGateway({ harbour: source('Harbour', { 'operating-hours': 'Working days' }) });
    expect(textOf((await pages.page('/teams/harbour.acorn-cert')).text)).toContain('Hours\nas stated: Working days');
  });
});
