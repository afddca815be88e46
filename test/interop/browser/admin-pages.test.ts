import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { closeAdminPorts, openAdminPortOf } from '../../support/gateway/admin-port.js';
import { ADMIN_SETTINGS } from '../../support/admin/sources-report.js';
import { startGateway } from '../../support/gateway/test-gateway.js';
import type { TestGateway } from '../../support/gateway/test-gateway.js';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { UpstreamServer } from '../../support/upstream/upstream-server.js';
import { findViolations, openPage, startChromium } from './chromium.js';
import type { WatchedPage } from './chromium.js';

/** Texts that try to become code, links, or other text. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '\u202Egro.elpmaxe@trec\u202C',
  'x'.repeat(10_000),
  '</title></style></pre><svg onload=alert(1)>',
];

const TEAMS = HOSTILE.map((text, at) => ({
  id: `hostile-${at}`,
  team: `Team ${at} ${text}`,
  'last-modified': text,
  country: text,
  'pgp-fingerprint': text,
}));

let browser: Browser;
let gateway: TestGateway;
let origin: string;
let upstreams: readonly UpstreamServer[];

beforeAll(async () => {
  browser = await startChromium();
  const careless = await startUpstream(dataUpstream({ teams: TEAMS, news: [], channels: [] }, { keys: 'public' }));
  const rude = await startUpstream((_request, response) => {
    response.writeHead(502, '<b>Bad</b>', { 'Content-Type': 'text/html' }).end(HOSTILE.join('\n'));
  });
  const redirecting = await startUpstream((_request, response) => {
    response.writeHead(302, { Location: `https://evil.example.org/${encodeURI(HOSTILE[1] ?? '')}` }).end();
  });
  upstreams = [careless, rude, redirecting];
  gateway = await startGateway({
    admin: ADMIN_SETTINGS,
    defaults: { retries: 0 },
    sources: {
      careless: { data: careless.address, 'source-name': 'Careless <script>alert(1)</script>' },
      rude: {
        data: rude.address,
        'source-name': `Rude "><img src=x onerror=alert(1)>${'y'.repeat(300)}`,
        required: true,
      },
      redirecting: {
        data: redirecting.address,
        'source-name': 'Redirecting Register',
        headers: { 'X-Contract': 'contract-4711' },
        supports: { teams: { filters: ['country'], sort: ['team'], total: true } },
      },
    },
  });
  await gateway.app.warmUp();
}, 120_000);

afterEach(closeAdminPorts);

afterAll(async () => {
  await browser.close();
  await Promise.all([gateway, ...upstreams].map((server) => server.close()));
});

const HOSTILE_TARGET = encodeURIComponent('/data/v1/teams?limit=5&"><script>alert(1)</script>=\u202e');
const TARGET = encodeURIComponent('/data/v1/teams?country=NO&q=%3Cscript%3E&limit=5');

const PAGES = [
  '/sources',
  '/config',
  '/explain',
  `/explain?target=${TARGET}&run=1`,
  `/explain?target=${HOSTILE_TARGET}`,
];

/** Opens a page of the operator, runs the work and expects that nothing went wrong in it. */
async function withAdminPage(
  path: string,
  work: (page: WatchedPage['page']) => Promise<void>,
  options: Parameters<typeof openPage>[2] = {},
): Promise<void> {
  origin = await openAdminPortOf(gateway);
  const { page, faults } = await openPage(browser, origin, options);
  try {
    await page.goto(path);
    await work(page);
    expect(faults).toEqual([]);
  } finally {
    await page.context().close();
  }
}

/** Opens all details of a page. */
async function openDetails(page: WatchedPage['page']): Promise<void> {
  for (const details of await page.locator('details').all())
    await details.evaluate((one) => one.setAttribute('open', ''));
}

declare const document: { readonly documentElement: { readonly scrollWidth: number; readonly clientWidth: number } };

describe.each(PAGES)('the page %s', (path) => {
  it.each(['light', 'dark'] as const)('has no violation that axe finds, in %s colours', async (colorScheme) => {
    await withAdminPage(
      path,
      async (page) => {
        await openDetails(page);
        expect(await findViolations(page)).toEqual([]);
      },
      { colorScheme },
    );
  });

  it('fits on a screen of 320 px, without scripts', async () => {
    const viewport = { width: 320, height: 640 };
    await withAdminPage(
      path,
      async (page) => {
        await openDetails(page);
        const { scrollWidth, clientWidth } = await page.evaluate(() => {
          const { documentElement } = document;
          return { scrollWidth: documentElement.scrollWidth, clientWidth: documentElement.clientWidth };
        });
        expect(scrollWidth).toBeLessThanOrEqual(clientWidth);
        expect(await page.locator('script').count()).toBe(0);
      },
      { viewport },
    );
  });
});

describe('the page of the sources', () => {
  it('names broken sources first, and leads to their details', async () => {
    await withAdminPage('/sources', async (page) => {
      await page.getByText('2 of 3 sources give no records of a list').waitFor();
      const first = page.locator('section.notice h3').first();
      expect(await first.textContent()).toContain('required: without it there is no list');
      await first.getByRole('link').click();
      await page.locator('#source-rude').getByText('lastError').first().waitFor({ state: 'visible' });
    });
  });

  it('shows the details of all sources in print', async () => {
    await withAdminPage('/sources', async (page) => {
      await page.emulateMedia({ media: 'print' });
      expect(await page.locator('#source-careless').getByText('verifiedAt').first().isVisible()).toBe(true);
    });
  });

  it('does nothing that the texts of sources try to do', async () => {
    await withAdminPage('/sources', async (page) => {
      await openDetails(page);
      expect(await page.locator('main img, main svg, main script, main b').count()).toBe(0);
      expect(await page.getByText('Careless <script>alert(1)</script>').count()).toBeGreaterThan(0);
      expect(await page.getByText('U+202E').count()).toBeGreaterThan(0);
    });
  });
});

describe('the page of /explain', () => {
  it('explains the query of its form, and executes it where that is ticked', async () => {
    await withAdminPage('/explain', async (page) => {
      await page.getByRole('textbox').fill('/data/v1/teams?limit=5&sort=team');
      await page.getByRole('button', { name: 'Explain' }).click();
      await page.getByText('pushed down').waitFor();
      expect(await page.getByText('answer: ').count()).toBe(0);
      expect(await page.getByRole('textbox').inputValue()).toBe('/data/v1/teams?limit=5&sort=team');
      await page.getByRole('checkbox').check();
      await page.getByRole('button', { name: 'Explain' }).click();
      await page.getByText('answer: ').waitFor();
    });
  });
});

describe('the page of the configuration', () => {
  it('shows the settings of a source, and no value of its header fields', async () => {
    await withAdminPage('/config', async (page) => {
      await page.getByText('redirecting', { exact: true }).click();
      await page.getByText('x-contract: (hidden)').waitFor();
      expect(await page.content()).not.toContain('contract-4711');
    });
  });
});
