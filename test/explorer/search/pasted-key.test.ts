import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closePageGateways, startPageGateway, textOf } from '../../support/gateway/page-gateway.js';
import type { Page, PageGateway } from '../../support/gateway/page-gateway.js';
import { keyReader } from '../../support/gateway/threads/key-reader.js';
import { openpgpKeyStates, openpgpKeys } from '../../support/openpgp-keys.js';

const [alpha] = openpgpKeys;
if (alpha === undefined) throw new Error('no keys');

const keys = keyReader();

afterEach(closePageGateways);
afterAll(() => keys.close());

const group = (fingerprint: string): string => fingerprint.match(/.{4}/g)?.join(' ') ?? '';

const search = ({ page }: PageGateway, text: string): Promise<Page> => page(`/?q=${encodeURIComponent(text)}`);

describe('a pasted key', () => {
  const TEAMS = [{ 'short-team-name': 'Acorn', enckeys: [alpha.fingerprint] }, { 'short-team-name': 'Birch' }];

  it('finds who states it, by the key itself and by each notation of its fingerprint', async () => {
    const pages = await startPageGateway({ harbour: { teams: TEAMS } });
    const { fingerprint, armored } = alpha;
    const grouped = group(fingerprint);
    for (const text of [
      armored,
      fingerprint,
      `0x${fingerprint.toLowerCase()}`,
      grouped,
      `Key fingerprint = ${grouped}`,
    ])
      expect([text, (await search(pages, text)).teams]).toEqual([text, ['harbour.acorn']]);
  });

  it('that is secret is refused, and nothing is searched', async () => {
    const pages = await startPageGateway({ harbour: { teams: TEAMS } });
    const page = await search(pages, alpha.armored.replaceAll('PUBLIC', 'PRIVATE'));
    expect(page.status).toBe(400);
    expect(textOf(page.part('notice'))).toContain('q has a secret key, which nobody but its owner may have');
  });
});

describe('the results of a key', () => {
  const { expiring } = openpgpKeyStates;
  const ACORN = { id: 'acorn', team: 'Acorn CERT', country: 'NO', email: 'cert@acorn.example.org' };
  const SOURCES = {
    harbour: { data: { teams: [{ ...ACORN, 'pgp-key': expiring.armored }], news: [], channels: [] } },
    lantern: {
      teams: [
        {
          'short-team-name': 'Acorn CERT',
          'country-code': 'NO',
          email: 'cert@acorn.example.org',
          enckeys: [alpha.fingerprint],
        },
      ],
    },
  };

  it('say who states it until when and for which address, and who states another one for the same team', async () => {
    const pages = await startPageGateway(SOURCES, {}, { keys });
    const results = textOf((await search(pages, expiring.fingerprint)).part('results'));
    expect(results).toMatch(
      new RegExp(
        `This key is stated for Acorn CERT\\s*\n${group(expiring.fingerprint)} Copy · only harbour states it\n` +
          '✗ The key is for another address than cert@acorn.example.org.\n' +
          '(?:Valid until|expired on) 2026-0[67]-\\d\\d[^]*Created 2026-01-01 for \\S+@\\S+\n' +
          '[^]*Another key is stated for the same team\\s*≠ The records contradict each other[^]*' +
          `${group(alpha.fingerprint)} Copy · only lantern states it`,
      ),
    );
    expect(textOf((await search(pages, 'acorn')).text)).not.toContain('This key is stated');
  });

  it('say that there may be another key where a repository of the team could not be asked for it', async () => {
    const data = { teams: [ACORN], news: [], channels: [] };
    const harbour = { data, behaviour: { keys: 'pgp', keysRefused: 503 } } as const;
    const page = await search(await startPageGateway({ ...SOURCES, harbour }, {}, { keys }), alpha.fingerprint);
    expect(textOf(page.part('results'))).toMatch(
      /stated for Acorn CERT[^]*Not every team of harbour could be searched/,
    );
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
  });
});

describe('the keys of a list', () => {
  const teams = [{ 'short-team-name': 'Acorn', 'country-code': 'NO', enckeys: [alpha.fingerprint] }];
  const findKeyFile = (page: Page): string | undefined =>
    /href="([^"]*)">Save keys</.exec(page.text)?.[1]?.replaceAll('&amp;', '&');

  it('are saved as the data interface gives them for the same teams', async () => {
    const pages = await startPageGateway({ harbour: { teams } }, {}, { keys });
    for (const [path, file] of [
      ['/?q=acorn&country=NO', '/data/v1/search.asc?q=acorn&country=NO&scope=pgp'],
      ['/?country=NO&sort=short-team-name', '/data/v1/teams.asc?country=NO&scope=pgp'],
    ] as const) {
      expect(findKeyFile(await pages.page(path))).toBe(file);
      expect((await pages.gateway.get(file)).text).toContain('Teams: 1 of 1');
    }
  });

  it('are not offered where they would be those of other teams, or for members only', async () => {
    const pages = await startPageGateway({ harbour: { teams } });
    expect(findKeyFile(await pages.page('/?q=acorn&short-team-name=Acorn'))).toBeUndefined();
    const members = await startPageGateway({ harbour: { teams } }, { access: { scopes: { pgp: 'members' } } });
    expect(findKeyFile(await members.page('/?q=acorn'))).toBeUndefined();
  });
});
