import type { Clock } from '../model/clock.js';
import type { PageRoute } from '../http/page-route.js';
import type { ServedResource } from '../http/served-resource.js';
import { renderHtmlDocument } from './html.js';
import { Layout } from './layout.js';

/** What the pages are built from. */
export interface ExplorerDependencies {
  readonly servedResources: readonly ServedResource[];
  readonly clock: Clock;
}

/** Creates the routes of the explorer, the pages for browsers (operation 4.2). */
export function createExplorer({ servedResources }: ExplorerDependencies): readonly PageRoute[] {
  return [
    {
      pattern: /^\/$/,
      handle: () => ({
        status: 200,
        isPage: true,
        headers: { 'Content-Type': 'text/html; charset=utf-8' },
        body: () => [renderHtmlDocument(<Layout title="Rollcall">{`${servedResources.length} resources`}</Layout>)],
      }),
    },
  ];
}
