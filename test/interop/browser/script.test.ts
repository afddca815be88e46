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

describe('a copy button', () => {
  const permissions = ['clipboard-read', 'clipboard-write'];

  it('has a region for screen readers from the start, which says Copied and is empty again', async () => {
    await withPage(
      async (page) => {
        await page.goto('/?sort=short-team-name');
        const button = page.locator('#results button[data-copy]').first();
        const region = page.locator('[role=status].visually-hidden');
        expect(await region.textContent()).toBe('');
        await button.click();
        await region.filter({ hasText: 'Copied' }).waitFor();
        await button.filter({ hasText: /^Copy$/ }).waitFor();
        expect(await region.textContent()).toBe('');
      },
      { permissions },
    );
  });

  it('is not offered where the page has no clipboard, and its place stays empty', async () => {
    await withPage(async (page) => {
      await page.addInitScript(() => {
        Object.defineProperty(window, 'isSecureContext', { value: false });
      });
      await page.goto('/?sort=short-team-name');
      await page.locator('[role=status].visually-hidden').waitFor({ state: 'attached' });
      expect(await page.locator('button[data-copy]:visible').count()).toBe(0);
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
