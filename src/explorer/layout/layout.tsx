import { DOCS_PATH } from '../../http/representation/description-links.js';
import type { ParameterError } from '../../model/query.js';
import type { InvalidPageQuery, PageAnswer } from '../answer/answer-query.js';
import type { ExplorerAssets } from '../assets/explorer-assets.js';
import { readSourceFacts } from '../answer/source-facts.js';
import type { SourceFact } from '../answer/source-facts.js';
import type { ComponentChildren, VNode } from '../../html/html.js';
import { SourceText, toPlainText } from '../../html/source-text.js';
import { formatIsoTimestamp } from '../../text/date.js';
import { useAddress } from './page-address.js';
import { SourceNotice, SourceTable } from './source-report.js';
import type { RecordNoun } from './source-report.js';

/** Shared by all pages of a gateway. */
export interface Site {
  /** Absent: pages have no script and style sheet, and are complete all the same. */
  readonly assets?: ExplorerAssets | undefined;
  /** Browsers reach the gateway below this path, without a slash at the end; empty for none (operation 2.3.12). */
  readonly publicPath: string;
}

export interface LayoutProps {
  readonly site: Site;
  readonly title: string;
  /** Main page that contains this one. */
  readonly section: '/' | '/news' | typeof DOCS_PATH | undefined;
  /** Address of the feed with the content of the page. */
  readonly feed?: string | undefined;
  /** Absent: the page rests on no repository. */
  readonly outcome?: PageAnswer | InvalidPageQuery;
  /** The page rests on these. Absent: on those of the outcome. */
  readonly facts?: readonly SourceFact[];
  readonly noun?: RecordNoun;
  readonly children: ComponentChildren;
  /** With its parameters: a printed page says what was asked, and when. Absent: not said. */
  readonly shownAddress?: string;
  /** In milliseconds since 1970. */
  readonly now: number;
}

export function Layout({
  site: { assets },
  title,
  section,
  feed,
  outcome,
  facts = outcome === undefined || 'errors' in outcome ? [] : readSourceFacts(outcome.answer),
  noun = 'team',
  children,
  shownAddress,
  now,
}: LayoutProps): VNode {
  const address = useAddress();
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{toPlainText(title)}</title>
        {feed !== undefined && <link rel="alternate" type="application/atom+xml" href={feed} />}
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
            {MAIN_PAGES.map(([path, name]) => (
              <a href={address(path)} {...(section === path && { 'aria-current': 'page' as const })}>
                {name}
              </a>
            ))}
          </nav>
        </header>
        {/* Precedes everything else: what failed, or that nothing did. */}
        <div id="notice">
          {outcome === undefined ? null : 'errors' in outcome ? (
            <ParameterErrors errors={outcome.errors} />
          ) : (
            <SourceNotice facts={facts} noun={noun} now={now} />
          )}
        </div>
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

const MAIN_PAGES = [
  ['/', 'Teams'],
  ['/news', 'News'],
  [DOCS_PATH, 'API'],
] as const;

/** Which parameters cannot be used, and why. */
function ParameterErrors({ errors }: { readonly errors: readonly ParameterError[] }): VNode {
  return (
    <section class="notice failure" role="alert" aria-labelledby="notice-title">
      <h2 id="notice-title">Nothing was searched: the address has a value that cannot be used</h2>
      <ul>
        {errors.map(({ parameter, message }) => (
          <li>
            <strong>
              <SourceText text={parameter} />
            </strong>{' '}
            <SourceText text={message} />
          </li>
        ))}
      </ul>
    </section>
  );
}
