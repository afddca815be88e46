import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadExplorerAssets } from '../../support/gateway/program.js';
import { startGateway } from '../../support/gateway/test-gateway.js';
import type { TestGateway } from '../../support/gateway/test-gateway.js';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../../support/upstream/upstream-server.js';
import { openPage, startChromium } from './chromium.js';

const TEAMS = Array.from({ length: 20 }, (_, at) => ({
  'short-team-name': `Team ${at}`,
  'country-code': at % 2 === 0 ? 'NO' : 'SG',
  email: `team${at}@example.org`,
}));

let browser: Browser;
let gateway: TestGateway;
let upstream: UpstreamServer;

beforeAll(async () => {
  const [explorerAssets, startedBrowser] = await Promise.all([loadExplorerAssets(), startChromium()]);
  browser = startedBrowser;
  upstream = await startUpstream(directoryUpstream(TEAMS));
  gateway = await startGateway({ sources: { one: { directory: upstream.address } } }, { explorerAssets });
}, 120_000);

afterAll(async () => {
  await browser.close();
  await Promise.all([gateway.close(), upstream.close()]);
});

async function withPage(
  work: (page: Page) => Promise<void>,
  options: Parameters<typeof openPage>[2] = {},
): Promise<void> {
  const { page } = await openPage(browser, gateway.origin, options);
  try {
    await work(page);
  } finally {
    await page.context().close();
  }
}

const focused = (page: Page): Promise<string | null | undefined> =>
  page.evaluate(
    () => document.activeElement?.getAttribute('name') ?? document.activeElement?.getAttribute('data-copy'),
  );

describe('a copy button', () => {
  const permissions = ['clipboard-read', 'clipboard-write'];

  it('has a region for screen readers from the start, which says Copied and is empty again', async () => {
    await withPage(
      async (page) => {
        await page.goto('/?sort=short-team-name');
        const button = page.locator('#results button[data-copy]').first();
        const region = page.locator('#announcement');
        expect(await region.textContent()).toBe('');
        await button.click();
        await region.filter({ hasText: 'Copied' }).waitFor();
        await button.filter({ hasText: /^Copy$/ }).waitFor();
        expect(await region.textContent()).toBe('');
      },
      { permissions },
    );
  });

  it('copies without a clipboard too, and keeps the focus', async () => {
    await withPage(async (page) => {
      await page.addInitScript(() => {
        Object.defineProperty(navigator, 'clipboard', { value: undefined });
      });
      await page.goto('/?sort=short-team-name');
      await page.locator('#results button[data-copy]').first().focus();
      await page.keyboard.press('Enter');
      await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
      expect(await focused(page)).toBe('team0@example.org');
    });
  });
});

describe('a search while the reader types', () => {
  it('finds what was typed before the script was loaded', async () => {
    await withPage(async (page) => {
      let load = (): void => undefined;
      const loaded = new Promise<void>((resolve) => (load = resolve));
      await page.route('**/assets/*.js', async (route) => {
        await loaded;
        await route.fallback();
      });
      await page.goto('/', { waitUntil: 'commit' });
      await page.getByRole('searchbox').fill('team 12');
      load();
      await page.getByRole('heading', { name: '1 team', exact: true }).waitFor({ timeout: 5_000 });
    });
  });

  it('does not say that it failed when the reader has already returned to the shown search', async () => {
    await withPage(async (page) => {
      let answer = (): void => undefined;
      const answered = new Promise<void>((resolve) => (answer = resolve));
      await page.goto('/');
      await page.route('**/?**', async (route) => {
        await answered;
        await route.abort();
      });
      const box = page.getByRole('searchbox');
      const requested = page.waitForRequest('**/?**');
      await box.fill('a');
      await requested;
      await box.fill('');
      await page.waitForTimeout(400);
      answer();
      await page.waitForTimeout(200);
      expect(await page.getByRole('alert').filter({ hasText: 'could not be requested' }).count()).toBe(0);
      expect(await page.locator('#results').getAttribute('aria-busy')).not.toBe('true');
    });
  });
});

describe('local times', () => {
  it('leave the time of the server for a zone that the browser does not know', async () => {
    await withPage(async (page) => {
      await page.route('**/', async (route) => {
        const response = await route.fetch();
        const clocks = '<time data-local-zone="Mars/Base">Tue 14:05</time><time data-local-offset="60">Old</time>';
        await route.fulfill({ response, body: (await response.text()).replace('<h1>', `${clocks}<h1>`) });
      });
      await page.goto('/');
      await page.keyboard.press('/');
      expect(await focused(page)).toBe('q');
      expect(await page.locator('time[data-local-zone]').textContent()).toBe('Tue 14:05');
      expect(await page.locator('time[data-local-offset]').textContent()).toMatch(/^[A-Z][a-z]{2} \d\d:\d\d$/);
    });
  });
});

describe('the map', () => {
  it('has the colours of links where the reader has chosen colours', async () => {
    await withPage(
      async (page) => {
        await page.goto('/');
        const [fill, link] = await page.evaluate(() => {
          const country = document.querySelector('#map a use');
          const probe = document.body.appendChild(document.createElement('p'));
          probe.setAttribute('id', 'probe');
          const sheet = new CSSStyleSheet();
          sheet.insertRule('#probe { forced-color-adjust: none; color: LinkText }');
          document.adoptedStyleSheets.push(sheet);
          return [country && getComputedStyle(country).fill, getComputedStyle(probe).color];
        });
        expect(fill).toBe(link);
      },
      { forcedColors: 'active' },
    );
  });
});
