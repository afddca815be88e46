import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExplorerAssets } from '../../support/gateway/program.js';
import { loadExplorerAssets } from '../../support/gateway/program.js';
import { startGateway } from '../../support/gateway/test-gateway.js';
import type { TestGateway } from '../../support/gateway/test-gateway.js';
import { openpgpKeys } from '../../support/openpgp-keys.js';
import { keyReader } from '../../support/gateway/threads/key-reader.js';
import { dataUpstream } from '../../support/upstream/data-upstream.js';
import { directoryUpstream } from '../../support/upstream/directory-upstream.js';
import { startUpstream } from '../../support/upstream/upstream-server.js';
import type { RequestHandler, UpstreamServer } from '../../support/upstream/upstream-server.js';
import { programs, run } from '../programs.js';
import { findViolations, openPage, startChromium } from './chromium.js';
import type { WatchedPage } from './chromium.js';

const [key] = openpgpKeys;
if (key === undefined) throw new Error('there is no key');
const GROUPED = key.fingerprint.match(/.{4}/g)?.join(' ') ?? '';

const THORSVIK = {
  id: 'thorsvik',
  team: 'Þórsvík Health CERT',
  'team-full': 'Sjúkrahúsið í Þórsvík',
  country: 'IS',
  email: 'cert@thorsvik.example.org',
  phone: ['+999 5550 0101'],
  'operating-hours': 'Mon-Fri 09:00-17:00',
  timezone: 'UTC+00:00',
  website: ['https://thorsvik.example.org'],
  constituency: 'Health',
  'pgp-fingerprint': key.fingerprint,
  'pgp-key': key.armored,
  'last-modified': '2026-04-02 21:28:40+00:00',
};

/** Records whose texts try to become code, links, or other text. */
const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "javascript:alert('x')",
  '\u202Egro.elpmaxe@trec\u202C',
  'x'.repeat(10_000),
  '</title></style></textarea><svg onload=alert(1)>',
  '{{constructor.constructor("alert(1)")()}}',
].map((text, at) => ({
  id: `hostile-${at}`,
  team: `Hostile ${at} ${text}`,
  'team-full': text,
  country: 'NO',
  email: text,
  phone: [text],
  website: [text, 'javascript:alert(1)', 'data:text/html,<script>alert(1)</script>'],
  address: text,
  timezone: text,
  'operating-hours': text,
  constituency: text,
  'pgp-fingerprint': text,
  'pgp-key': `-----BEGIN PGP PUBLIC KEY BLOCK-----\n${text}\n-----END PGP PUBLIC KEY BLOCK-----`,
}));

const DIRECTORY = [
  {
    'short-team-name': 'Thorsvik Health CERT',
    'country-code': 'IS',
    email: 'cert@thorsvik.example.org',
    'phone-numbers': ['+999 5550 0999'],
  },
  ...Array.from({ length: 70 }, (_, at) => ({
    'short-team-name': `Team ${at}`,
    'country-code': ['NO', 'SG', 'BR'][at % 3],
    email: `team${at}@example.org`,
  })),
];

const NEWS = [
  {
    id: 1,
    title: 'A patch is out',
    summary: 'Install it.',
    link: 'https://example.org/1',
    published: '2026-04-02',
    channels: ['Advisories'],
  },
];

const fail: RequestHandler = (_request, response) => {
  response.writeHead(500).end();
};

let browser: Browser;
let explorerAssets: ExplorerAssets;
let gateway: TestGateway;
let upstreams: readonly UpstreamServer[];
/** What the source `lantern` does with each request. */
let lantern: RequestHandler;
const healthy = directoryUpstream(DIRECTORY);

beforeAll(async () => {
  [explorerAssets, browser] = await Promise.all([loadExplorerAssets(), startChromium()]);
  lantern = healthy;
  const one = await startUpstream(
    dataUpstream(
      {
        teams: [THORSVIK, ...HOSTILE],
        news: NEWS,
        channels: [{ id: 1, title: 'Advisories', link: 'https://example.org' }],
      },
      { keys: 'public' },
    ),
  );
  const two = await startUpstream((request, response) => {
    lantern(request, response);
  });
  upstreams = [one, two];
  gateway = await startGateway(
    {
      sources: {
        harbour: { data: one.address, 'source-name': 'Harbour Register' },
        lantern: {
          directory: two.address,
          'source-name': 'Lantern Network',
          ttl: '1s',
          'stale-while-revalidate': '0s',
        },
      },
    },
    { explorerAssets, keys: keyReader() },
  );
}, 120_000);

afterAll(async () => {
  await browser.close();
  await Promise.all([gateway, ...upstreams].map((server) => server.close()));
});

/** Opens a page, runs the work and expects that nothing went wrong in it. */
async function withPage(
  work: (page: WatchedPage['page']) => Promise<void>,
  options: Parameters<typeof openPage>[2] = {},
): Promise<void> {
  const { page, faults } = await openPage(browser, gateway.origin, options);
  try {
    await work(page);
    expect(faults).toEqual([]);
  } finally {
    await page.context().close();
  }
}

describe('a reader who has half a name', () => {
  it('gets from the search box to the saved key by mouse', async () => {
    await withPage(
      async (page) => {
        await page.goto('/');
        await page.getByRole('searchbox').fill('thorsvik');
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: '2 records, probably 1 team' }).waitFor();
        await page.getByRole('link', { name: 'Þórsvík Health CERT' }).first().click();
        await page.getByRole('heading', { level: 1, name: 'Þórsvík Health CERT' }).waitFor();
        expect(await page.getByText(GROUPED).first().textContent()).toContain(GROUPED);
        expect(await page.getByText('What the repositories state').count()).toBe(1);
        const download = page.waitForEvent('download');
        await page.getByRole('link', { name: 'Save key' }).click();
        const file = await (await download).path();
        const imported = run(programs.gpg, ['--batch', '--show-keys', '--with-colons', file]);
        expect(imported.stdout).toContain(key.fingerprint);
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    );
  });

  it('gets there by keyboard alone', async () => {
    await withPage(
      async (page) => {
        await page.goto('/');
        await pressTabUntil(page, 'q');
        await page.keyboard.type('thorsvik health');
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: '2 records, probably 1 team' }).waitFor();
        await pressTabUntil(page, 'Þórsvík Health CERT');
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { level: 1, name: 'Þórsvík Health CERT' }).waitFor();
        await pressTabUntil(page, /^Copy .*fingerprint/);
        await page.keyboard.press('Enter');
        expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^[0-9A-F ]{40,50}$/);
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    );
  });

  it('gets there without scripts', async () => {
    await withPage(
      async (page) => {
        await page.goto('/');
        await page.getByRole('searchbox').fill('thorsvik');
        await page.getByRole('button', { name: 'Search' }).click();
        await page.getByRole('link', { name: 'Þórsvík Health CERT' }).first().click();
        expect(await page.getByText(GROUPED).first().isVisible()).toBe(true);
        expect(await page.locator('button[data-copy]:visible').count()).toBe(0);
        expect(await page.getByRole('link', { name: 'Save key' }).isVisible()).toBe(true);
      },
      { javaScriptEnabled: false },
    );
  });

  it('gets there in a text browser', async () => {
    const dump = async (path: string): Promise<string> => {
      const parameters = ['-dump', '-width=120', '-display_charset=utf-8', `${gateway.origin}${path}`];
      return (await promisify(execFile)(programs.lynx.command, parameters, { encoding: 'utf8' })).stdout;
    };
    expect(await dump('/?q=thorsvik')).toMatch(/Complete[^]*2 records, probably 1 team[^]*Þórsvík Health CERT/);
    const team = await dump('/teams/harbour.thorsvik');
    expect(team).toMatch(/\+999 5550 0101[^]*Mon-Fri 09:00-17:00/);
    expect(team.replace(/\s+/g, ' ')).toContain(GROUPED);
  });
});

/** Presses the tabulator key until an element with this accessible name has the focus. */
async function pressTabUntil(page: WatchedPage['page'], name: string | RegExp): Promise<void> {
  for (let count = 0; count < 60; count += 1) {
    await page.keyboard.press('Tab');
    const label = await page.evaluate(() => {
      const { activeElement } = document;
      const attribute = (name: string): string | null | undefined => activeElement?.getAttribute(name);
      return attribute('aria-label') ?? attribute('name') ?? activeElement?.textContent ?? '';
    });
    if (typeof name === 'string' ? label === name : name.test(label)) return;
  }
  throw new Error(`no element named ${String(name)} gets the focus`);
}

describe('a reader who has a country', () => {
  it('selects it on the map, and removes it again', async () => {
    await withPage(async (page) => {
      await page.goto('/');
      await page.getByRole('link', { name: 'Singapore: 23 teams' }).click();
      await page.getByRole('heading', { name: '1 to 20 of 23 records' }).waitFor();
      expect(new URL(page.url()).search).toBe('?country=SG');
      await page.getByRole('link', { name: 'remove', exact: true }).click();
      await page.getByRole('heading', { name: 'Paste what you have, as it is' }).waitFor();
      expect(new URL(page.url()).search).toBe('');
    });
  });

  it('selects it in the list, pages through the teams, and copies the address for a program', async () => {
    await withPage(
      async (page) => {
        await page.goto('/?sort=short-team-name');
        await page.getByRole('link', { name: /Next/ }).click();
        await page.getByRole('heading', { name: '21 to 40 of 79 records' }).waitFor();
        await page.getByRole('link', { name: 'Brazil' }).click();
        await page.getByRole('heading', { name: '1 to 20 of 23 records' }).waitFor();
        await page.getByText('For programs').click();
        await page.getByRole('button', { name: 'Copy the address of this list' }).click();
        const address = await page.evaluate(() => navigator.clipboard.readText());
        expect((await gateway.get(address)).json).toHaveLength(23);
      },
      { permissions: ['clipboard-read', 'clipboard-write'] },
    );
  });
});

describe('a copy button', () => {
  it('leaves the focus where the reader has it', async () => {
    await withPage(async (page) => {
      await page.goto('/?q=team');
      const button = page.getByRole('button', { name: 'Copy link to this list' });
      const shows = (text: RegExp): Promise<void> => button.filter({ hasText: text }).waitFor();
      await button.focus();
      await page.keyboard.press('Enter');
      await shows(/^(?:Copied|Not copied)$/);
      expect(await button.evaluate((element) => element.matches(':focus'))).toBe(true);
      await page.getByRole('searchbox').focus();
      await shows(/^Copy link$/);
      expect(await page.getByRole('searchbox').evaluate((element) => element.matches(':focus'))).toBe(true);
    });
  });
});

describe('a search', () => {
  it('suggests the usual spelling, and says what matched', async () => {
    await withPage(async (page) => {
      await page.goto('/?country=IS');
      await page.getByRole('searchbox').fill('thorsvick helth');
      await page.keyboard.press('Enter');
      await page.getByText('Matches: similar word thorsvik; similar word health').first().waitFor();
      await page.getByRole('link', { name: 'thorsvik health', exact: true }).click();
      await page.getByRole('heading', { name: 'Exactly this' }).waitFor();
      expect(await page.getByText('Did you mean').count()).toBe(0);
      expect(await page.getByRole('searchbox').inputValue()).toBe('thorsvik health');
      expect(new URL(page.url()).searchParams.get('country')).toBe('IS');
    });
  });

  it('finds a pasted key that is longer than an address, also without scripts', async () => {
    await withPage(
      async (page) => {
        await page.goto('/');
        await page.getByRole('searchbox').focus();
        await page.keyboard.insertText(key.armored + key.armored.replaceAll('PUBLIC', 'OTHER').repeat(20));
        await page.keyboard.press('Enter');
        await page.getByRole('heading', { name: 'This key is stated for Þórsvík Health CERT' }).waitFor();
        expect(await page.getByText(GROUPED).first().isVisible()).toBe(true);
      },
      { javaScriptEnabled: false },
    );
  });

  it('saves the keys of its hits for gpg', async () => {
    await withPage(async (page) => {
      await page.goto('/?q=thorsvik');
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Save keys' }).click();
      const file = await (await download).path();
      const imported = run(programs.gpg, ['--batch', '--show-keys', '--with-colons', file]);
      expect(imported.stdout).toContain(key.fingerprint);
    });
  });
});

describe('a repository that fails', () => {
  it('is seen first, above the search', async () => {
    await withPage(async (page) => {
      await page.goto('/');
      await page.getByText('Complete: all 2 repositories have answered.').waitFor();
      lantern = fail;
      try {
        await page.waitForTimeout(1_200);
        await page.getByRole('searchbox').fill('team 12');
        await page.keyboard.press('Enter');
        const notice = page.locator('#notice', {
          hasText: 'Lantern Network (earlier copy: HTTP status 500',
        });
        await notice.waitFor();
        const [top = 0, headingTop = 0] = await Promise.all(
          [notice, page.getByRole('heading', { level: 1 })].map((one) =>
            one.evaluate((element) => element.getBoundingClientRect().top),
          ),
        );
        expect(top).toBeLessThan(headingTop);
        const row = page.getByRole('row', { name: 'Lantern Network' });
        expect(await row.textContent()).toContain('earlier copy: HTTP status 500');
        expect(await findViolations(page)).toEqual([]);
      } finally {
        lantern = healthy;
      }
    });
  });

  it('makes a search without hits look unlike one that every repository has answered', async () => {
    const [asked] = upstreams;
    const sources = { harbour: { data: asked?.address }, attic: { directory: 'http://127.0.0.1:9' } };
    const failing = await startGateway({ sources }, { explorerAssets });
    const { page, faults } = await openPage(browser, failing.origin);
    try {
      await page.goto('/?q=nobody');
      await page.getByRole('alert').filter({ hasText: 'attic (failed: connection failed)' }).waitFor();
      await page.getByRole('heading', { name: 'Nobody found, but 1 of 2 repositories could not be asked' }).waitFor();
      expect(await page.getByText('No team matches').count()).toBe(0);
      expect(await findViolations(page)).toEqual([]);
      await page.getByRole('searchbox').fill('thorsvik');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: '1 team', exact: true }).waitFor();
      expect(await page.getByRole('alert').count()).toBe(1);
      expect((await page.goto('/teams/attic.any'))?.status()).toBe(502);
      expect(faults).toEqual([]);
    } finally {
      await page.context().close();
      await failing.close();
    }
  });
});

const PAGES = [
  '/',
  '/?sort=short-team-name',
  '/?q=thorsvik',
  '/?q=thorsvick+helth',
  '/?q=thorsvik.example.org',
  `/?q=${key.fingerprint}`,
  '/?q=nobody',
  '/?contry=NO',
  '/?country=NO&q=hostile',
  '/teams/harbour.thorsvik',
  '/teams/harbour.hostile-1',
  '/teams/harbour.never',
  '/news',
  '/news?channel=Advisories',
  '/docs',
];

describe.each([
  ['light', { colorScheme: 'light' }],
  ['dark', { colorScheme: 'dark' }],
  ['on a telephone', { viewport: { width: 320, height: 640 } }],
] as const)('each page, %s', (_style, options) => {
  it.each(PAGES)('is accessible, fits its window and does nothing that a record wants: %s', async (path) => {
    await withPage(async (page) => {
      await page.goto(path);
      await page.waitForLoadState('networkidle');
      expect(await findViolations(page)).toEqual([]);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
      const links = await page.$$eval('a[href]', (found) => found.map((link) => link.getAttribute('href') ?? ''));
      expect(links.filter((href) => !/^(?:\/|\?|#|https?:|mailto:|tel:)/.test(href))).toEqual([]);
      expect(await page.$$eval('script:not([src]), [onerror], [onload], img, iframe', (found) => found.length)).toBe(0);
    }, options);
  });
});

describe('the first page', () => {
  it('does not shift its layout, also on a slow processor', async () => {
    await withPage(async (page) => {
      const session = await page.context().newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      await page.goto('/', { waitUntil: 'load' });
      const shifted = await page.evaluate(
        () =>
          new Promise<readonly string[]>((resolve) => {
            const found: string[] = [];
            new PerformanceObserver((list) => {
              for (const entry of list.getEntries()) {
                const sources: unknown = 'sources' in entry ? entry.sources : [];
                if (!Array.isArray(sources) || sources.length === 0) found.push(JSON.stringify(entry));
                if (!Array.isArray(sources)) continue;
                for (const { node } of sources as { readonly node?: Node }[])
                  found.push(node instanceof Element ? node.outerHTML.slice(0, 120) : String(node?.textContent));
              }
            }).observe({ type: 'layout-shift', buffered: true });
            setTimeout(() => {
              resolve(found);
            }, 500);
          }),
      );
      expect(shifted).toEqual([]);
    });
  });
});
