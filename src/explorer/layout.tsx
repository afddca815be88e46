import type { ComponentChildren, VNode } from './html.js';

/** The document around the content of every page. */
export function Layout({ title, children }: { readonly title: string; readonly children: ComponentChildren }): VNode {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
      </head>
      <body>
        <main id="main">{children}</main>
      </body>
    </html>
  );
}
