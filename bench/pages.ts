import { loadExplorerAssets } from '../src/explorer/assets/explorer-assets.js';
import { directoryTeams } from '../src/model/resources/directory-teams.js';
import type { Figure } from './bounds.js';
import { configOf, openGateway } from './harness/in-process-gateway.js';
import { cpuOf, longestBlock, median, timeOf } from './harness/measure.js';
import { withFleet } from './harness/source-fleet.js';
import { directory } from './subjects/directory.js';
import { startChromium } from '../test/interop/browser/chromium.js';
import { startDemo } from '../test/support/gateway/demo-gateway.js';
import { keyReader } from '../test/support/gateway/threads/key-reader.js';

/** Each kind of page of the demo. */
const DEMO_PAGES: readonly (readonly [name: string, target: string])[] = [
  ['start', '/'],
  ['results', '/?q=thorsvik+health'],
  ['country', '/?country=IS'],
  ['nobody found', '/?q=harbourmaster&country=IS'],
  ['team', '/teams/lantern.thorsvik-health-cert'],
  ['news', '/news'],
  ['docs', '/docs'],
];

const WARM_REQUESTS = 20;

/**
 * CPU milliseconds of all threads for each page of the demo, after the warm-up: of the first request, and the median of
 * further ones. The client is in the same process.
 */
async function cpuOfPages(): Promise<Figure[]> {
  const keys = keyReader();
  const demo = await startDemo(keys, { explorerAssets: await loadExplorerAssets() });
  try {
    await demo.app.warmUp();
    await demo.app.warmUpPages();
    const bound = 'page CPU';
    const figures: Figure[] = [];
    for (const [name, target] of DEMO_PAGES) {
      // The garbage of the warm-up and of other pages is not that of this one.
      globalThis.gc?.();
      const measure = (): Promise<number> => cpuOf(() => request(demo.origin + target));
      figures.push({ name: `CPU of a page of the demo, ${name}, first`, value: await measure(), bound });
      const further: number[] = [];
      for (let count = 0; count < WARM_REQUESTS; count += 1) further.push(await measure());
      figures.push({ name: `CPU of a page of the demo, ${name}, median`, value: median(further), bound });
    }
    return figures;
  } finally {
    await demo.close();
    keys.close();
  }
}

/** Pages of each kind. None is requested twice, so that none is in a cache. */
const PAGES: readonly { readonly name: string; readonly targets: readonly string[] }[] = [
  { name: 'all teams', targets: ['/', '/?limit=49', '/?limit=48'] },
  { name: 'teams with a word', targets: ['health', 'bank', 'grid', 'port', 'net'].map((word) => `/?q=${word}`) },
  { name: 'teams of a country', targets: ['NO', 'BR', 'SG', 'PT', 'IS'].map((code) => `/?country=${code}`) },
  { name: 'a later page', targets: ['/?offset=50', '/?offset=5000', '/?offset=90000'] },
];

const FLEET = { subject: directory.name, sources: 20, records: 5_000 };

/**
 * Milliseconds from the request to the last byte of pages for browsers over 100,000 cached teams of 20 sources, after the
 * warm-up; and the longest turn of the event loop meanwhile. The client is in the same process.
 */
async function timesOfPages(): Promise<Figure[]> {
  const explorerAssets = await loadExplorerAssets();
  return withFleet(FLEET, async ({ ports }) => {
    const gateway = await openGateway(configOf(FLEET.subject, ports), { explorerAssets });
    try {
      const { origin } = new URL(gateway.address(directoryTeams));
      await gateway.app.warmUp();
      const figures: Figure[] = [];
      let block = await longestBlock(() => gateway.app.warmUpPages());
      for (const { name, targets } of PAGES) {
        const times: number[] = [];
        for (const target of targets) {
          const measure = async (): Promise<unknown> => times.push(await timeOf(() => request(origin + target)));
          block = Math.max(block, await longestBlock(measure));
        }
        const bound = 'page';
        figures.push({ name: `page, ${name}, median`, value: median(times), bound });
        figures.push({ name: `page, ${name}, slowest`, value: Math.max(...times), bound });
      }
      figures.push(await usable(`${origin}/?q=health`));
      return [...figures, { name: 'page, longest turn, warm-up included', value: block, bound: 'block' }];
    } finally {
      await gateway.close();
    }
  });
}

export async function pages(): Promise<Figure[]> {
  return [...(await cpuOfPages()), ...(await timesOfPages())];
}

/** Loads of the page in the browser, of which the median counts. */
const LOADS = 5;

/** Milliseconds from the start of the navigation until the page is parsed and its script has run, with a slowed processor. */
async function usable(url: string): Promise<Figure> {
  const browser = await startChromium();
  try {
    const times: number[] = [];
    for (let load = 0; load < LOADS; load += 1) {
      const page = await (await browser.newContext()).newPage();
      const session = await page.context().newCDPSession(page);
      await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
      await page.goto(url, { waitUntil: 'load' });
      times.push(
        await page.evaluate(() => {
          const [navigation] = performance.getEntriesByType('navigation');
          return navigation instanceof PerformanceNavigationTiming ? navigation.domContentLoadedEventEnd : NaN;
        }),
      );
      await page.context().close();
    }
    return { name: 'page, usable in Chromium, processor slowed 4 ×', value: median(times), bound: 'usable' };
  } finally {
    await browser.close();
  }
}

async function request(url: string): Promise<void> {
  const response = await fetch(url, { headers: { 'Accept-Encoding': 'gzip' } });
  const page = await response.text();
  if (response.status !== 200 || !page.endsWith('</html>')) throw new Error(`${url}: ${response.status}`);
}
