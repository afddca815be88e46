import type { ComponentChildren, VNode } from '../../html/html.js';
import { toPlainText } from '../../html/source-text.js';
import { STYLE_PATH } from './style-sheet.js';

interface AdminPageProps {
  readonly title: string;
  /** Path in the navigation. */
  readonly section: string;
  readonly children: ComponentChildren;
}

const SECTIONS: readonly (readonly [path: string, label: string])[] = [
  ['/sources', 'Sources'],
  ['/explain', 'Explain'],
  ['/config', 'Configuration'],
];

/** The document around every page of the operator (operation 3.1). It has no script. */
export function AdminPage({ title, section, children }: AdminPageProps): VNode {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <title>{`${toPlainText(title)} – Rollcall`}</title>
        <link rel="stylesheet" href={STYLE_PATH} />
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to the content
        </a>
        <header>
          <p>Rollcall, admin port</p>
          <nav aria-label="Pages">
            <ul>
              {SECTIONS.map(([path, label]) => (
                <li>
                  <a href={path} {...(path === section && { 'aria-current': 'page' as const })}>
                    {label}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
        </header>
        <main id="main" tabindex={-1}>
          <h1>{title}</h1>
          {children}
        </main>
      </body>
    </html>
  );
}
