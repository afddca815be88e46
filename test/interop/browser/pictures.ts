// Writes the pictures of the pages for browsers to docs/images: npm run pictures
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { startDemo } from '../../support/gateway/demo-gateway.js';
import { loadExplorerAssets } from '../../support/gateway/program.js';
import { keyReader } from '../../support/gateway/threads/key-reader.js';
import { openPage, startChromium } from './chromium.js';
import { encodeIndexedPng } from './indexed-png.js';
import type { Pixels } from './indexed-png.js';

/** When the pictures are taken, by all clocks. */
const NOW = Date.UTC(2026, 9, 5, 9, 30);

/** Pages of the demo by the names of their pictures. */
const PAGES: Readonly<Record<string, string>> = {
  start: '/',
  'find-a-team': '/?q=thorsvik+health',
  team: '/teams/lantern.thorsvik-health-cert',
  'nobody-found': '/?q=harbourmaster&country=IS',
};

const PAGES_WITHOUT_REPOSITORIES: typeof PAGES = { 'repositories-down': '/?q=thorsvik+health' };

const DOWN = ['harbour', 'beacon'];

const DEVICES: Readonly<Record<string, BrowserContextOptions>> = {
  '': { viewport: { width: 1280, height: 900 } },
  '-phone': { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
};

const SCHEMES = { '': 'light', '-dark': 'dark' } as const;

async function takePictures(browser: Browser, pages: typeof PAGES, down: readonly string[]): Promise<void> {
  const keys = keyReader();
  const demo = await startDemo(keys, { explorerAssets: await loadExplorerAssets(), now: NOW, down });
  try {
    for (const [name, path] of Object.entries(pages))
      for (const [device, options] of Object.entries(DEVICES))
        for (const [scheme, colorScheme] of Object.entries(SCHEMES)) {
          const { page, faults } = await openPage(browser, demo.origin, { ...options, colorScheme });
          await page.clock.setFixedTime(NOW);
          await page.goto(path);
          const file = `${name}${device}${scheme}.png`;
          writeFileSync(join('docs/images', file), encodeIndexedPng(await decode(page, await page.screenshot())));
          if (faults.length > 0) throw new Error(`${file}: ${faults.join('; ')}`);
          await page.context().close();
        }
  } finally {
    await demo.close();
    keys.close();
  }
}

/** By the browser. */
async function decode(page: Page, png: Buffer): Promise<Pixels> {
  const { width, height, base64 } = await page.evaluate(async (encoded) => {
    const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(encoded), (one) => one.charCodeAt(0))]));
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d');
    if (context === null) throw new Error('the browser has no canvas');
    context.drawImage(bitmap, 0, 0);
    const { data } = context.getImageData(0, 0, bitmap.width, bitmap.height);
    const url = await new Promise<string>((resolve) => {
      const reader = new FileReader();
      reader.addEventListener('load', () => {
        if (typeof reader.result === 'string') resolve(reader.result);
      });
      reader.readAsDataURL(new Blob([data]));
    });
    return { width: bitmap.width, height: bitmap.height, base64: url.slice(url.indexOf(',') + 1) };
  }, png.toString('base64'));
  return { width, height, bytes: Buffer.from(base64, 'base64') };
}

const browser = await startChromium();
try {
  await takePictures(browser, PAGES, []);
  await takePictures(browser, PAGES_WITHOUT_REPOSITORIES, DOWN);
} finally {
  await browser.close();
}
