import { DOCS_PATH } from '../../http/representation/description-links.js';
import type { ExplorerAssets } from '../assets/explorer-assets.js';
import type { SourceFact } from '../answer/source-facts.js';
import type { ComponentChildren, VNode } from '../../html/html.js';
import { SourceTable } from './source-table.js';
import { toPlainText } from '../../html/source-text.js';
import { useAddress } from './page-address.js';

/** What all pages of a gateway share. */
export interface Site {
  /** The script and the style sheet. Absent: pages have none, and are complete all the same. */
  readonly assets?: ExplorerAssets | undefined;
  /** Path below which browsers reach the gateway, without a slash at the end; empty for none (operation 2.3.12). */
  readonly publicPath: string;
}

/** A page without the document around it. */
export interface LayoutProps {
  readonly site: Site;
  readonly title: string;
  /** Path of the main page that contains this one. */
  readonly section: '/' | '/news' | typeof DOCS_PATH | undefined;
  /** Address of the feed with the content of the page. Absent: there is none. */
  readonly feed?: string;
  /** What failed, or that nothing did. It precedes everything else. */
  readonly notice: ComponentChildren;
  readonly children: ComponentChildren;
  /** The repositories on which the page rests; empty where it rests on none. */
  readonly facts: readonly SourceFact[];
  /** Present time, in milliseconds since 1970. */
  readonly now: number;
}

/** The document around the content of every page. */
export function Layout({ site, title, section, feed, notice, children, facts, now }: LayoutProps): VNode {
  const { assets } = site;
  const address = useAddress();
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{toPlainText(title)}</title>
        {feed !== undefined && <link rel="alternate" type="application/atom+xml" href={feed} id="feed" />}
        {assets && <link rel="stylesheet" href={address(assets.style.path)} />}
        {assets && <script type="module" src={address(assets.script.path)} />}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <header class="site">
          <p class="brand">
            <a href={address('/')}>Rollcall</a> <span>directory of incident response teams</span>
          </p>
          <nav aria-label="Pages">
            <NavLink href={address('/')} isCurrent={section === '/'}>
              Teams
            </NavLink>
            <NavLink href={address('/news')} isCurrent={section === '/news'}>
              News
            </NavLink>
            <NavLink href={address(DOCS_PATH)} isCurrent={section === DOCS_PATH}>
              API
            </NavLink>
          </nav>
        </header>
        <div id="notice">{notice}</div>
        <main id="main" tabindex={-1}>
          {children}
        </main>
        <footer id="sources" class="site">
          {facts.length > 0 && <SourceTable facts={facts} now={now} />}
        </footer>
      </body>
    </html>
  );
}

function NavLink({ href, isCurrent, children }: { href: string; isCurrent: boolean; children: string }): VNode {
  return (
    <a href={href} {...(isCurrent && { 'aria-current': 'page' as const })}>
      {children}
    </a>
  );
}
