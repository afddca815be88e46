import axe from 'axe-core';
import { chromium } from 'playwright-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { notRunnable, programs } from '../programs.js';

/** Starts Debian's Chromium. Throws an error that names its package if it is missing. */
export async function startChromium(): Promise<Browser> {
  const { command } = programs.chromium;
  try {
    return await chromium.launch({ executablePath: `/usr/bin/${command}`, args: ['--no-sandbox'] });
  } catch (error) {
    const cause = error instanceof Error ? error : new Error(String(error));
    throw new Error(notRunnable(programs.chromium, cause), { cause: error });
  }
}

/** A page of a browser, with everything that went wrong in it. */
export interface WatchedPage {
  readonly page: Page;
  /** Errors of scripts, dialogs, violations of the content security policy, and requests to other origins. */
  readonly faults: readonly string[];
}

/** Opens a page of its own context. Requests to another origin than that of the gateway are aborted, and faults. */
export async function openPage(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1280, height: 900 }, ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`));
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('console', (message) => {
    // The browser reports the status of an error page as an error.
    if (message.type() === 'error' && !/status of [45]\d\d/.test(message.text())) faults.push(message.text());
  });
  await page.route(
    (url) => url.origin !== origin,
    (route) => {
      faults.push(`request: ${route.request().url()}`);
      return route.abort();
    },
  );
  return { page, faults };
}

/** The part of axe's results that tests compare. */
interface AxeResults {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];
}

declare const window: { readonly axe: { run(options: object): Promise<AxeResults> } };

/** Violations of WCAG 2.2 A and AA, and of best practice, that axe finds, one line each. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  // The policy of the page forbids inline scripts, but not what a debugger evaluates.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    window.axe.run({
      runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] },
    }),
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}
