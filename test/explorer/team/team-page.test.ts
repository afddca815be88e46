import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { closePageGateways, startPageGateway, textOf } from '../../support/gateway/page-gateway.js';
import type { PageGateway } from '../../support/gateway/page-gateway.js';
import { openpgpKeyStates, openpgpKeys } from '../../support/openpgp-keys.js';
import { keyReader } from '../../support/gateway/threads/key-reader.js';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import type { RequestHandler } from '../../support/upstream/upstream-server.js';

afterEach(closePageGateways);

const fails: RequestHandler = (_, response) => void response.writeHead(500).end();

const [alpha, beta] = openpgpKeys;
if (alpha === undefined || beta === undefined) throw new Error('no keys');

const TEAM = {
  id: 'acorn',
  team: 'Acorn CERT',
  'team-full': 'Acorn Emergency Response Team',
  country: 'NO',
  email: 'cert@acorn.example.org',
  phone: ['+999 5550 0101', '+999 5550 0102'],
  'phone-emergency': '+999 5550 0101',
  'operating-hours': 'weekdays 09:00-17:00',
  timezone: 'UTC+0100',
  'timezone-dst': 'UTC+0200',
  website: ['https://acorn.example.org/', 'javascript:alert(1)'],
  address: 'Acorn\n1 Mill Lane',
  'last-modified': '2025-06-01 10:00:00+00:00',
};

const startTeam = (properties: object, dependencies?: Parameters<typeof startPageGateway>[2]): Promise<PageGateway> =>
  startPageGateway(
    { lantern: { data: { teams: [{ ...TEAM, ...properties }], news: [], channels: [] } } },
    {},
    dependencies,
  );

/** The text of the section with this heading, without the heading. */
function sectionOf(html: string, id: string): string {
  const [, section = ''] = new RegExp(`id="${id}-title">(.*?)</section>`, 's').exec(html) ?? [];
  return textOf(section);
}

describe('the page of a team', () => {
  it('shows names, contact with hours and local time, and the repository and date of its record', async () => {
    const pages = await startTeam({});
    const { status, text } = await pages.page('/teams/lantern.acorn');
    expect(status).toBe(200);
    expect(text).toContain('<title>Acorn CERT – Rollcall</title>');
    expect(textOf(text)).toContain('lantern, record of 2025-06-01');
    expect(sectionOf(text, 'reach').split('\n').slice(1)).toEqual([
      'Call',
      '+999 5550 0101 Copy emergency number',
      '+999 5550 0102 Copy',
      'Key',
      'No record states a key.',
      'Hours',
      'as stated: weekdays 09:00-17:00',
      'Local time',
      'Thu 01:00 (Europe/Oslo)',
      'E-mail',
      'cert@acorn.example.org Copy',
    ]);
    expect(sectionOf(text, 'same')).toContain('Postal address postal-address\nAcorn\n1 Mill Lane');
    expect(text).toContain('<a href="https://acorn.example.org/" rel="noreferrer noopener">');
    expect(text).not.toContain('href="javascript:');
  });

  it('shows host names that imitate others in ASCII, in whichever property they are', async () => {
    const pages = await startTeam({
      'team-full': 'Response team of аррӏе.com',
      email: 'cert@аррӏе.com',
      website: ['https://аррӏе.com/', 'HTTPS://аррӏе.example'],
      constituency: 'аррӏе.com',
      address: 'г.Москва',
    });
    const { text } = await pages.page('/teams/lantern.acorn');
    expect(sectionOf(text, 'same')).toMatch(
      /cert@xn--80ak6aa92e\.com[^]*\nhttps:\/\/xn--80ak6aa92e\.com\/\nhttps:\/\/xn--80ak6aa92e\.example\nPostal address postal-address\nг.Москва/,
    );
    expect(text.replaceAll('аррӏе.example', '')).not.toContain('аррӏе');
    expect((await pages.page('/?q=xn--80ak6aa92e.com')).text).not.toContain('аррӏе');
  });

  it('offers the record as data in each format at addresses that exist', async () => {
    const pages = await startTeam({});
    const { text } = await pages.page('/teams/lantern.acorn');
    const hrefs = [...text.matchAll(/href="(\/(?:directory|data)\/v1\/teams\/[^"]*)"/g)].map(([, href = '']) => href);
    expect(hrefs).toHaveLength(16);
    expect(textOf(text)).toContain('Copy link Open in Excel Add to address book');
    for (const href of hrefs) expect([href, (await pages.gateway.get(href)).status]).toEqual([href, 200]);
  });

  it('has an address for every id, whatever its characters', async () => {
    const pages = await startTeam({ id: 'Own/Id ?.json' });
    const list = await pages.page('/?sort=short-team-name');
    const href = /<h3><a href="([^"]*)"/.exec(list.text)?.[1] ?? '';
    expect((await pages.page(href)).status).toBe(200);
  });

  it('does not add a data record that may be of another team', async () => {
    const directory = { 'short-team-name': 'Acorn', 'country-code': 'NO' };
    const pages = await startPageGateway({
      quay: {
        data: { teams: [{ ...TEAM, 'pgp-key': alpha.armored }], news: [], channels: [] },
      },
    });
    const other = await startPageGateway({
      quay: {
        teams: [directory],
        registration: { data: pages.upstreams['quay']?.address },
      },
    });
    const { status, text } = await other.page('/teams/quay.acorn');
    expect([status, text.includes('+999 5550')]).toEqual([200, false]);
    expect(text).not.toContain('PGP PUBLIC KEY');
    expect(sectionOf(text, 'keys')).toContain('that is surely of this team. A key may exist that is not shown here.');
    expect(text).not.toContain('No record states a key.');
  });

  it('shows twenty contacts of a kind, and refers to the record for thousands of others', async () => {
    const numbers = (prefix: string): readonly string[] =>
      Array.from({ length: 5_000 }, (_, at) => `+999 ${prefix} ${10_000 + at}`);
    const pages = await startTeam({ phone: numbers('5550'), 'phone-emergency': numbers('5551') });
    const section = sectionOf((await pages.page('/teams/lantern.acorn')).text, 'same');
    expect(section.match(/\+999 555\d \d{5}/g)?.length).toBeLessThan(300);
    expect(section).toMatch(/\(\d{4} more: see the whole record\)/);
  });

  it('shows twenty keys of a kind, and refers to the record for thousands of others', async () => {
    const enckeys = Array.from({ length: 5_000 }, (_, at) => `0x${String(10_000 + at).padStart(40, 'A')}`);
    const pages = await startPageGateway({ lantern: { teams: [{ 'short-team-name': 'Acorn', enckeys }] } });
    const section = sectionOf((await pages.page('/teams/lantern.acorn')).text, 'keys');
    expect(section.match(/A{3}1 \d{4}/g) ?? []).toHaveLength(20);
    expect(section).toContain('lantern has more: see its keys as data');
  });

  it('dials no digit that is dialled within the country only, and no two numbers as one', async () => {
    const pages = await startTeam({ phone: ['+999 (0)5550 0103', '+999 5550 0104 / 5550 0105', '+999 5550-0106'] });
    const { text } = await pages.page('/teams/lantern.acorn');
    expect([...new Set([...text.matchAll(/href="(tel:[^"]*)"/g)].map(([, href]) => href))]).toEqual([
      'tel:+99955500101',
      'tel:+99955500103',
      'tel:+99955500106',
    ]);
  });

  it('shows a hostile record as text', async () => {
    const pages = await startTeam({
      'team-full': '<script>alert(1)</script>\u202e',
      timezone: '<b>',
      'pgp-key': '"><img src=x onerror=alert(1)>',
      '-lantern-<i>': 'x'.repeat(10_000),
    });
    const { status, text } = await pages.page('/teams/lantern.acorn');
    expect(status).toBe(200);
    expect(text).not.toMatch(/<script>|<img|<i>|<b>|\u202e/);
    expect(text).not.toContain('x'.repeat(2_001));
    expect(text).toContain('href="/directory/v1/teams/lantern.acorn.json">(shortened: see the whole record)');
  });
});

describe('the keys of a team', () => {
  const keys = keyReader();
  afterAll(() => {
    keys.close();
  });

  const readSection = async (properties: object): Promise<string> => {
    const pages = await startTeam(properties, { keys });
    return sectionOf((await pages.page('/teams/lantern.acorn')).text, 'keys');
  };

  it('have a fingerprint in groups of four, and agree with the stated one', async () => {
    const section = await readSection({
      ...{ 'pgp-key': alpha.armored, 'pgp-fingerprint': alpha.fingerprint, email: 'alpha@example.org' },
    });
    expect(section).toContain('7633 06A2 22FB 0858 CDA7 2E26 2000 ACB2 AFA6 1BBA');
    expect(section).toContain('✓ The key has the fingerprint that the repository states.');
    expect(section).toContain('✓ It does not expire.');
    expect(section).toContain('Created 2026-01-01 for alpha@example.org');
  });

  it('are named as wrong where the stated fingerprint is another one, which is shown too', async () => {
    const section = await readSection({ 'pgp-key': alpha.armored, 'pgp-fingerprint': beta.fingerprint });
    expect(section).toContain('✗ The key does not have the fingerprint that the repository states.');
    expect(section.replaceAll(' ', '')).toContain(beta.fingerprint);
    expect(section).not.toContain('✓');
    expect(section).toContain('Save key in spite of the ✗ above');
    expect(section).toContain('No record publishes this key so that it can be read here.');
  });

  it('are named as expired or revoked, and as valid until they expire', async () => {
    const { expiring, revoked } = openpgpKeyStates;
    expect(await readSection({ 'pgp-key': revoked.armored })).toContain('✗ The key is revoked.');
    const pages = await startTeam({ 'pgp-key': expiring.armored, email: 'delta@example.org' }, { keys });
    const read = async (): Promise<string> => sectionOf((await pages.page('/teams/lantern.acorn')).text, 'keys');
    expect(await read()).toContain('✓ Valid until 2026-07-01.');
    expect(await read()).toContain('The repository states no fingerprint; this one was computed from the key.');
    pages.clock.advance(365 * 86_400_000);
    expect(await read()).toContain('✗ The key expired on 2026-07-01.');
  });

  it('beside a damaged or secret key are shown with a warning', async () => {
    const damaged = beta.armored.replace(/\n-----END.*/s, '');
    const secret = beta.armored.replaceAll('PUBLIC', 'PRIVATE');
    expect(await readSection({ 'pgp-key': `${alpha.armored}\n${damaged}` })).toContain(
      'lantern publishes further keys that cannot be read here',
    );
    const section = await readSection({ 'pgp-key': `${alpha.armored}\n${secret}` });
    expect(section).toContain('lantern publishes a secret key, which is not shown here. Use none of its keys');
    expect(section).not.toContain('cannot be read here');
  });

  it('that cannot be read are shown, and not called wrong', async () => {
    const section = await readSection({ 'pgp-key': 'see our web site', 'pgp-fingerprint': beta.fingerprint });
    expect(section).toMatch(/lantern publishes a key that cannot be read here[^]*That is no proof that it is wrong/);
    expect(section).toContain('see our web site');
    expect(section).toContain('No record publishes this key so that it can be read here.');
  });

  it('are not called absent where the repository could not be asked for them', async () => {
    const pages = await startPageGateway({
      lantern: {
        data: { teams: [{ ...TEAM, 'pgp-key': alpha.armored }], news: [], channels: [] },
        behaviour: { keys: 'pgp', keysRefused: 503 },
      },
    });
    const section = sectionOf((await pages.page('/teams/lantern.acorn')).text, 'keys');
    expect(section).toMatch(/(?:lantern|quay) could not be asked for its keys/);
    expect(section).not.toContain('No record states a key.');
  });

  it('are not called absent where only the data interface of the repository fails, and no cache keeps the page', async () => {
    const data = await startPageGateway({ quay: { handler: fails } });
    const pages = await startPageGateway({
      quay: {
        teams: [{ 'short-team-name': 'Acorn' }],
        registration: { data: data.upstreams['quay']?.address },
      },
    });
    const { status, text, headers } = await pages.page('/teams/quay.acorn');
    expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(sectionOf(text, 'keys')).toMatch(/(?:lantern|quay) could not be asked for its keys/);
    expect(sectionOf(text, 'keys')).not.toContain('No record states a key.');
  });

  it('are shown as texts where the repository states something else', async () => {
    const pages = await startPageGateway({
      harbour: { teams: [{ 'short-team-name': 'Acorn', enckeys: ['https://acorn.example.org/key.asc'] }] },
    });
    const section = sectionOf((await pages.page('/teams/harbour.acorn')).text, 'keys');
    expect(section).toContain('https://acorn.example.org/key.asc');
    expect(section).not.toContain('No record states a key.');
  });

  it('are fingerprints and key ids in whichever form the repository states them', async () => {
    const grouped = 'E437 A726 0123 4567 89AB CDEF 0123 4567 89AB CDEF';
    const pages = await startPageGateway({
      harbour: {
        teams: [{ 'short-team-name': 'Acorn', enckeys: [grouped.replaceAll(' ', ':'), '0x11112222; see web'] }],
      },
    });
    const section = sectionOf((await pages.page('/teams/harbour.acorn')).text, 'keys');
    expect(section).toContain(`${grouped} Copy\nNo record publishes this key`);
    expect(section).toContain('0x11112222 Copy\nA key id');
    expect(section).toContain(
      'harbour states this as its key, which is neither a key nor a fingerprint, as stated: 0x11112222; see web',
    );
  });

  it('are not shown where the public may not have them', async () => {
    const pages = await startPageGateway(
      { lantern: { data: { teams: [{ ...TEAM, 'pgp-key': alpha.armored }], news: [], channels: [] } } },
      { access: { scopes: { pgp: 'members' } } },
    );
    const { status, text } = await pages.page('/teams/lantern.acorn');
    expect([status, text.includes('PGP PUBLIC KEY'), text.includes('+999 5550 0101')]).toEqual([200, false, true]);
    expect(sectionOf(text, 'keys')).toContain('lantern has keys that are not public here.');
    expect(sectionOf(text, 'keys')).not.toContain('No record states a key.');
  });
});

describe('a team that cannot be shown', () => {
  const teams = [
    { 'short-team-name': 'Twin', 'official-team-name': 'Twin of Norway', 'country-code': 'NO' },
    { 'short-team-name': 'twin', 'official-team-name': 'Twin of Portugal', 'country-code': 'PT' },
    { 'short-team-name': 'Acorn' },
  ];

  it('is a 404 page with a search for its name', async () => {
    const pages = await startPageGateway({ harbour: { teams } });
    for (const id of ['harbour.acorn-bank', 'nowhere.acorn-bank', '%3Cscript%3E']) {
      const page = await pages.page(`/teams/${id}`);
      expect(page.status).toBe(404);
      expect(page.text).toContain('No team has this address');
      expect(page.text).not.toContain('<script>');
    }
    expect((await pages.page('/teams/harbour.acorn-bank')).text).toContain('href="/?q=acorn%20bank"');
  });

  it('is a choice between the teams that may be meant', async () => {
    const pages = await startPageGateway({ harbour: { teams } });
    const page = await pages.page('/teams/harbour.twin');
    expect(page.status).toBe(300);
    expect(textOf(page.text)).toMatch(/Twin of Norway[^]*Twin of Portugal/);
  });

  it('is a 404 page where the repository listed it before', async () => {
    const pages = await startPageGateway({ harbour: { teams } }, { defaults: { ttl: '1m' } });
    await pages.page('/');
    const harbour = pages.upstreams['harbour'];
    if (harbour === undefined) throw new Error('no upstream');
    harbour.handler = directoryUpstream(teams.slice(0, 2));
    pages.clock.advance(3_600_000);
    expect((await pages.page('/teams/harbour.acorn')).status).toBe(404);
  });

  it('is a failure, and no proof of anything, where its repository could not be asked', async () => {
    const pages = await startPageGateway({ harbour: { handler: fails } });
    const page = await pages.page('/teams/harbour.acorn');
    expect([page.status, page.headers.get('cache-control')]).toEqual([502, 'no-store']);
    expect(page.text).toContain('This is no proof that there is no such team.');
    expect(textOf(page.part('notice'))).toContain('harbour (failed: HTTP status 500).');
    expect(page.headers.get('source-status')).toContain('harbour;state=failed');
  });
});
