import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadExplorerAssets } from '../../support/gateway/program.js';
import { startGateway } from '../../support/gateway/test-gateway.js';
import type { TestGateway } from '../../support/gateway/test-gateway.js';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../../support/upstream/upstream-server.js';
import { findViolations, openPage, startChromium } from './chromium.js';

const DEPT = {
  'short-team-name': 'Dept CERT',
  'country-code': 'NO',
  email: 'cert@dept.example.org',
  'phone-numbers': ['+999 5550 0101'],
  'last-modified': '2020-01-01',
};

const HARBOUR = [
  { ...DEPT, enckeys: ['0554215E4602DF45813A66118294ACC1ADBC0EC5'], '-harbour-networks': ['192.0.2.0/24'] },
  { 'short-team-name': 'Other CERT', 'country-code': 'SE', email: 'cert@other.example.org' },
  {
    'short-team-name': 'N-CSIRT-IS',
    'official-team-name': 'National CSIRT of Iceland',
    'country-code': 'IS',
    'phone-numbers': ['+999 5550 0122'],
  },
  { 'short-team-name': 'Bank SOC', 'country-code': 'DK', 'additional-country-code': ['IS'] },
  { 'short-team-name': `Long ${'name '.repeat(1_000)}`, 'country-code': 'PT', 'last-modified': '2999-01-01' },
];

const LANTERN = [{ ...DEPT, enckeys: ['1154215E4602DF45813A66118294ACC1ADBC0EC5'], 'last-modified': '2025-12-01' }];

let browser: Browser;
let gateway: TestGateway;
let failing: TestGateway;
let upstreams: readonly UpstreamServer[];

beforeAll(async () => {
  const [explorerAssets, startedBrowser] = await Promise.all([loadExplorerAssets(), startChromium()]);
  browser = startedBrowser;
  const [harbour, lantern] = await Promise.all([
    startUpstream(directoryUpstream(HARBOUR)),
    startUpstream(directoryUpstream(LANTERN)),
  ]);
  upstreams = [harbour, lantern];
  const sources = { harbour: { directory: harbour.address }, lantern: { directory: lantern.address } };
  const attic = { directory: 'http://127.0.0.1:9' };
  gateway = await startGateway({ sources }, { explorerAssets });
  failing = await startGateway({ sources: { harbour: sources.harbour, attic } }, { explorerAssets });
}, 120_000);

afterAll(async () => {
  await browser.close();
  await Promise.all([gateway, failing, ...upstreams].map((server) => server.close()));
});

describe.each([
  ['at a desk', { viewport: { width: 1280, height: 800 } }],
  ['on a telephone', { viewport: { width: 390, height: 844 } }],
  ['on a telephone without scripts', { viewport: { width: 390, height: 844 }, javaScriptEnabled: false }],
])('an incident handler %s', (_where, options) => {
  /** Types the text into the search of the start page, and runs the work on the results. */
  async function search(text: string, work: (page: Page) => Promise<void>, server = gateway): Promise<void> {
    const { page, faults } = await openPage(browser, server.origin, options);
    try {
      await page.goto('/');
      await page.getByRole('searchbox').fill(text);
      await page.keyboard.press('Enter');
      await page.locator('#results :is(.team, .ask)').first().waitFor();
      await work(page);
      expect(faults).toEqual([]);
      if (!('javaScriptEnabled' in options)) expect(await findViolations(page)).toEqual([]);
    } finally {
      await page.context().close();
    }
  }

  const readHeadings = (page: Page): Promise<string[]> => page.locator('#results h2').allTextContents();

  it.each(['192.0.2.7', 'Nov 28 12:00:01 gw sshd[4711]: Failed password for root from 192.0.2.7 port 4711 ssh2'])(
    'who pastes %s gets the team of the network, with its number, and sees that another repository states another key',
    (text) =>
      search(text, async (page) => {
        expect(await readHeadings(page)).toEqual(['1 team', 'Exactly this']);
        const team = page.locator('.team').first();
        expect(await team.textContent()).toContain('Matches: IP range 192.0.2.0/24');
        expect(await team.getByRole('link', { name: '+999 5550 0101' }).getAttribute('href')).toBe('tel:+99955500101');
        expect(await team.textContent()).toMatch(
          /older than two years.*Probably also in lantern.*≠ contradiction: Key/s,
        );
      }),
  );

  it('who pastes a defanged URL gets the team of the nearest domain, and others of the domain as near', () =>
    search('hxxps://mail[.]dept[.]example[.]org', async (page) => {
      expect(await readHeadings(page)).toEqual(['3 records, probably 2 teams', 'Exactly this', 'Near it']);
      const [exact, near] = await page.locator('ol.teams').allTextContents();
      expect(exact).toContain('2 records ≠ contradiction: Key');
      expect(near).toContain('Other CERT');
      expect(near).toContain('Shares only a domain: host name other.example.org');
      const mail = page.getByRole('link', { name: 'cert@dept.example.org' }).first();
      expect(await mail.getAttribute('href')).toBe('mailto:cert@dept.example.org');
    }));

  it('who looks for nobody in Iceland is told its national team, and what is its own country', () =>
    search('unheard-of.is', async (page) => {
      expect(await readHeadings(page)).toEqual(['No team matches', 'Who to ask in Iceland']);
      const ask = page.locator('.ask');
      expect(await ask.getByRole('link', { name: 'N-CSIRT-IS' }).count()).toBe(1);
      expect(await ask.getByRole('link', { name: '+999 5550 0122' }).getAttribute('href')).toBe('tel:+99955500122');
      await ask.getByRole('link', { name: 'All teams of Iceland' }).click();
      await page.getByText('Denmark, also serves Iceland').waitFor();
    }));

  it('is never told that there is nobody where a repository is down', () =>
    search(
      'unheard-of.is',
      async (page) => {
        expect(await readHeadings(page)).toEqual([
          'Nobody found, but 1 of 2 repositories could not be asked',
          'Who to ask in Iceland',
        ]);
        expect(await page.locator('#notice').textContent()).toMatch(
          /attic \((?:failed|suspended): connection failed\)/,
        );
        expect(await page.getByText('This is no proof that there is no such team.').isVisible()).toBe(true);
      },
      failing,
    ));

  it('sees the first result without scrolling where a repository is down, too', () =>
    search('dept', async (page) => expect((await page.locator('.team').boundingBox())?.y).toBeLessThan(500), failing));

  it('sees the first result without scrolling, opens a long name by a click, and can touch every link', () =>
    search('long', async (page) => {
      const top = await page
        .locator('.team')
        .first()
        .evaluate((element) => element.getBoundingClientRect().top);
      expect(top).toBeLessThan(500);
      const team = page.locator('.team').first();
      expect(await team.textContent()).toContain('dated in the future');
      expect(await team.evaluate((element) => element.getBoundingClientRect().height)).toBeLessThan(700);
      await team.getByText('The whole text has').click();
      expect(await team.locator('details bdi').isVisible()).toBe(true);
      const small = await page
        .locator(':is(a, button, input, summary):visible')
        .evaluateAll((elements) =>
          elements
            .filter((element) => !element.matches('.skip') && element.getBoundingClientRect().height < 24)
            .map((element) => element.outerHTML),
        );
      expect(small).toEqual([]);
    }));
});

describe('a printed page', () => {
  it('has what was asked, when, and the repositories, and nothing to click', async () => {
    const { page } = await openPage(browser, gateway.origin, { colorScheme: 'dark' });
    await page.goto('/?q=dept&country=NO');
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('footer').innerText()).toMatch(
      /lantern[^]*\/\?q=dept&country=NO, as of \d{4}-\d\d-\d\d \d\d:\d\d UTC/,
    );
    expect(await page.locator('.team').first().isVisible()).toBe(true);
    expect(await page.locator(':is(form, button, nav, .actions):visible').count()).toBe(0);
    await page.context().close();
  });
});
