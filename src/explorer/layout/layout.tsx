import { DOCS_PATH } from '../../http/representation/description-links.js';
import type { ExplorerAssets } from '../assets/explorer-assets.js';
import type { SourceFact } from '../answer/source-facts.js';
import type { ComponentChildren, VNode } from '../../html/html.js';
import { SourceTable } from './source-table.js';
import { SourceText, toPlainText } from '../../html/source-text.js';
import { formatIsoTimestamp } from '../../text/date.js';
import { useAddress } from './page-address.js';

/** Shared by all pages of a gateway. */
export interface Site {
  /** Absent: pages have no script and style sheet, and are complete all the same. */
  readonly assets?: ExplorerAssets | undefined;
  /** Browsers reach the gateway below this path, without a slash at the end; empty for none (operation 2.3.12). */
  readonly publicPath: string;
}

interface LayoutProps {
  readonly site: Site;
  readonly title: string;
  /** Main page that contains this one. */
  readonly section: '/' | '/news' | typeof DOCS_PATH | undefined;
  /** Address of the feed with the content of the page. */
  readonly feed?: string;
  /** What failed, or that nothing did. Precedes everything else. */
  readonly notice: ComponentChildren;
  readonly children: ComponentChildren;
  /** The page rests on these; empty where it rests on none. */
  readonly facts: readonly SourceFact[];
  /** With its parameters: a printed page says what was asked, and when. Absent: not said. */
  readonly shownAddress?: string;
  /** In milliseconds since 1970. */
  readonly now: number;
}

export function Layout({ site, title, section, feed, notice, children, facts, shownAddress, now }: LayoutProps): VNode {
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
          {shownAddress !== undefined && (
            <p class="note">
              <SourceText text={shownAddress} />, as of {formatIsoTimestamp(now).slice(0, 16).replace('T', ' ')} UTC
            </p>
          )}
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
