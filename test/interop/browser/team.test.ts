import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadExplorerAssets } from '../../support/gateway/program.js';
import { startGateway } from '../../support/gateway/test-gateway.js';
import type { TestGateway } from '../../support/gateway/test-gateway.js';
import { keyReader } from '../../support/gateway/threads/key-reader.js';
import { openpgpKeyStates, openpgpKeys } from '../../support/openpgp-keys.js';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../../support/upstream/upstream-server.js';
import { programs, run } from '../programs.js';
import { findViolations, openPage, startChromium } from './chromium.js';

const [key, other] = openpgpKeys;
if (key === undefined || other === undefined) throw new Error('there are no keys');

const HOSPITAL = { 'short-team-name': 'Þórsvík Health CERT', 'country-code': 'IS', email: 'cert@thorsvik.example.org' };
const BANK = { 'short-team-name': 'BankCERT', 'country-code': 'NO', email: 'cert@bank.example.org' };

const HARBOUR = [
  { ...HOSPITAL, enckeys: [`0x${key.fingerprint}`], 'operating-hours': 'Mon-Fri 09:00-17:00' },
  { 'short-team-name': 'Quiet CERT', 'country-code': 'IS', email: 'cert@quiet.example.org' },
  {
    ...{ 'short-team-name': 'N-CSIRT-IS', 'official-team-name': 'National CSIRT of Iceland', 'country-code': 'IS' },
    ...{ 'phone-numbers': ['+354 555 0113'], 'operating-hours': '24x7' },
  },
  BANK,
];

const LANTERN = [{ ...HOSPITAL, 'short-team-name': 'Thorsvik Health CERT', enckeys: [other.fingerprint] }];

const KEYED = [
  {
    ...{ id: 'thorsvik', team: 'Thorsvik Health CERT', country: 'IS', email: 'cert@thorsvik.example.org' },
    ...{ 'phone-emergency': '+354 555 0112', 'pgp-key': key.armored, 'pgp-fingerprint': key.fingerprint },
  },
  {
    id: 'bank',
    team: 'BankCERT',
    country: 'NO',
    email: 'cert@bank.example.org',
    'pgp-key': openpgpKeyStates.expiring.armored,
  },
];

/** One repository whose records want to mislead the reader. */
const HOSTILE = [
  {
    // Borrows the name and address of the hospital.
    ...{ id: 'impostor', team: 'Þórsvík Health CERT', country: 'IS', email: 'cert@thorsvik.example.org' },
    ...{ phone: '+354 555 0666', 'phone-emergency': '+354 555 0666', website: ['javascript:alert(1)'] },
  },
  {
    id: 'hostile',
    team: 'Long name '.repeat(500),
    'team-full': '\u202Egro.elpmaxe@trec\u202C аррӏе.com',
    country: 'NO',
    email: 'cert@аррӏе.com',
    phone: Array.from({ length: 300 }, (_, at) => `+999 5550 ${1_000 + at}`),
    website: ['javascript:alert(1)', 'https://аррӏе.com/'],
    'pgp-key': `-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n${'mDMEabcd'.repeat(250_000)}\n-----END PGP PUBLIC KEY BLOCK-----`,
  },
  {
    ...{ id: 'secret', team: 'Secret CERT', country: 'NO', email: 'cert@secret.example.org' },
    'pgp-key': key.armored.replaceAll('PUBLIC', 'PRIVATE'),
    'other-communication': '-----BEGIN RSA PRIVATE KEY-----\nc2VjcmV0\n-----END RSA PRIVATE KEY-----',
  },
  {
    // Some letters are Cyrillic.
    ...{ id: 'n'.repeat(5_000), team: 'Þórsvík Hеalth СЕRТ', country: 'IS', email: 'cert@thоrsvik.example.org' },
    ...{ 'team-full': `Z${'\u0301'.repeat(150)}algo`, phone: '+354 555 0668 · all 4 records state it' },
    website: ['https://thorsvik.example.org@evil.example.net/'],
  },
];

let browser: Browser;
let gateway: TestGateway;
let upstreams: readonly UpstreamServer[];

beforeAll(async () => {
  const data = (teams: readonly object[]): ReturnType<typeof dataUpstream> =>
    dataUpstream({ teams, news: [], channels: [] }, { keys: 'public' });
  const [explorerAssets, started, ...servers] = await Promise.all([
    loadExplorerAssets(),
    startChromium(),
    startUpstream(directoryUpstream(HARBOUR)),
    startUpstream(directoryUpstream(LANTERN)),
    startUpstream(data(KEYED)),
    startUpstream(data(HOSTILE)),
  ]);
  [browser, upstreams] = [started, servers];
  const [harbour, lantern, quay, hostile] = servers;
  gateway = await startGateway(
    {
      sources: {
        harbour: { directory: harbour.address, 'source-name': 'Harbour' },
        lantern: { directory: lantern.address, 'source-name': 'Lantern' },
        quay: { data: quay.address, 'source-name': 'Quay' },
        hostile: { data: hostile.address, 'source-name': 'Hostile' },
        attic: { directory: 'http://127.0.0.1:9', 'source-name': 'Attic' },
      },
    },
    { explorerAssets, keys: keyReader() },
  );
}, 120_000);

afterAll(async () => {
  await browser.close();
  await Promise.all([gateway, ...upstreams].map((server) => server.close()));
});

const HOSPITAL_PAGES = ['harbour.thorsvik-health-cert', 'lantern.thorsvik-health-cert', 'quay.thorsvik'];

describe.each([
  ['at a desk', {}],
  ['with a telephone', { viewport: { width: 390, height: 844 }, colorScheme: 'dark' }],
  ['without scripts', { javaScriptEnabled: false }],
] as const)('an incident handler %s', (_, options) => {
  async function onPage(path: string, work: (page: Page) => Promise<void>): Promise<void> {
    const { page, faults } = await openPage(browser, gateway.origin, options);
    try {
      await page.goto(path);
      await work(page);
      expect(faults).toEqual([]);
    } finally {
      await page.context().close();
    }
  }
  const reach = (page: Page): ReturnType<Page['getByRole']> => page.getByRole('region', { name: 'Reach the team now' });

  it('calls the emergency number of a hospital whose own record has none', async () => {
    await onPage(`/teams/${HOSPITAL_PAGES[0] ?? ''}`, async (page) => {
      const number = reach(page).getByRole('link', { name: '+354 555 0112' });
      expect(await number.getAttribute('href')).toBe('tel:+3545550112');
      expect(await reach(page).textContent()).toContain('emergency number nobody confirms it · Quay states it');
      const { y = Infinity } = (await number.boundingBox()) ?? {};
      expect(y).toBeLessThan(800);
    });
  });

  it('sees that the repositories contradict each other about the key, on the page of every record', async () => {
    for (const id of HOSPITAL_PAGES)
      await onPage(`/teams/${id}`, async (page) => {
        const warning = reach(page).getByText('≠ The records contradict each other: Key.');
        expect((await warning.boundingBox())?.y).toBeLessThan(800);
        expect(
          await page
            .getByRole('row', { name: /≠ contradiction/ })
            .first()
            .textContent(),
        ).toContain('Key');
        expect(await page.getByText('Not every team of Attic could be searched').isVisible()).toBe(true);
      });
  });

  it('verifies a fingerprint in four notations', async () => {
    const grouped = key.fingerprint.match(/.{4}/g)?.join(' ') ?? '';
    for (const text of [key.fingerprint, `0x${key.fingerprint.toLowerCase()}`, grouped, key.armored])
      await onPage(`/?q=${encodeURIComponent(text)}`, async (page) => {
        await page
          .getByRole('link', { name: /Health CERT/ })
          .first()
          .waitFor();
        expect(await page.getByRole('link', { name: 'N-CSIRT-IS' }).count()).toBe(0);
      });
  });

  it('finds the number of the national team of Iceland for a team without one', async () => {
    await onPage('/teams/harbour.quiet-cert', async (page) => {
      expect(await reach(page).textContent()).toContain('Ask the national team of Iceland, which is another team');
      expect(await reach(page).getByRole('link', { name: '+354 555 0113' }).getAttribute('href')).toBe(
        'tel:+3545550113',
      );
    });
  });

  it('imports the saved key into gpg, and encrypts with it', async () => {
    const home = mkdtempSync(join(tmpdir(), 'rollcall-gpg-'));
    try {
      await onPage('/teams/quay.thorsvik', async (page) => {
        const download = page.waitForEvent('download');
        await page.getByRole('link', { name: 'Save key' }).click();
        const file = await (await download).path();
        const gpg = (...args: readonly string[]): ReturnType<typeof run> =>
          run(programs.gpg, ['--homedir', home, '--batch', '--trust-model', 'always', ...args]);
        gpg('--import', file);
        const report = join(home, 'report.txt');
        writeFileSync(report, 'an incident');
        gpg('--armor', '--output', `${report}.asc`, '--encrypt', '--recipient', key.fingerprint, report);
        expect(gpg('--list-packets', '--list-only', `${report}.asc`).stdout).toContain(':pubkey enc packet:');
      });
    } finally {
      rmSync(home, { recursive: true });
    }
  });

  it('is told that a key has expired, and for which other address it is', async () => {
    await onPage('/teams/quay.bank', async (page) => {
      const keys = await page.getByRole('region', { name: 'PGP keys' }).textContent();
      expect(keys).toContain('✗ The key expired on 2026-07-01.');
      expect(keys).toContain('✗ The key is for another address than cert@bank.example.org.');
    });
  });

  it('sees which letters of a name are not those that they look like', async () => {
    await onPage('/?q=thorsvik+health', async (page) => {
      const name = 'Þórsvík H[U+0435]alth [U+0421][U+0415]R[U+0422]';
      await page.getByRole('link', { name }).waitFor();
      const text = (await page.locator('main').textContent()) ?? '';
      expect(text).toContain(`Z${'\u0301'.repeat(4)}[U+0301 and 145 more]algo`);
      expect(text).toContain('cert@xn--thrsvik-bjg.example.org');
      expect(await page.locator('a', { hasText: '0668' }).count()).toBe(0);
      await page.getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      expect(page.url()).toMatch(/\/teams\/hostile\.~[0-9a-f]{8}$/);
      expect(await page.locator('a[href*="evil"]').count()).toBe(0);
    });
  });

  it('is not misled by a hostile repository', async () => {
    await onPage(`/teams/${HOSPITAL_PAGES[0] ?? ''}`, async (page) => {
      const numbers = await reach(page).locator('a[href^="tel:"]').allTextContents();
      expect(numbers).toEqual(['+354 555 0112', '+354 555 0666', '+354 555 0113']);
      expect(await reach(page).textContent()).toContain('emergency number nobody confirms it · Hostile states it');
      expect(await page.locator('a[href^="javascript:"]').count()).toBe(0);
    });
    await onPage('/teams/hostile.hostile', async (page) => {
      const text = (await page.locator('main').textContent()) ?? '';
      expect(text.length).toBeLessThan(40_000);
      expect(text).not.toMatch(/аррӏе|\u202e/);
      expect(text).toContain('(280 more: see the whole record)');
      expect(text).toMatch(
        /Hostile publishes a key that cannot be read here \(2,000,\d{3} characters\): its keys as data/,
      );
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
    });
    await onPage('/teams/hostile.secret', async (page) => {
      const html = await page.content();
      expect(html).not.toMatch(/PRIVATE KEY|c2VjcmV0/);
      expect(html).not.toContain(key.armored.split('\n')[3]);
      expect(await page.getByText('publishes a secret key, which is not shown here').isVisible()).toBe(true);
      expect(await page.getByRole('link', { name: 'Save key' }).count()).toBe(0);
    });
  });
});

it('the page of a team is accessible and small, whatever its records state', async () => {
  for (const id of [...HOSPITAL_PAGES, 'harbour.quiet-cert', 'hostile.hostile', 'hostile.secret']) {
    const { page, faults } = await openPage(browser, gateway.origin);
    const response = await page.goto(`/teams/${id}`);
    expect([id, await findViolations(page)]).toEqual([id, []]);
    expect((await response?.body())?.length).toBeLessThan(40_000);
    await page
      .getByText('QR code')
      .first()
      .click({ timeout: 1_000 })
      .catch(() => undefined);
    expect([id, await findViolations(page)]).toEqual([id, []]);
    expect(faults).toEqual([]);
    await page.context().close();
  }
});
