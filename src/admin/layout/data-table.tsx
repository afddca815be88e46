import type { ComponentChildren, VNode } from '../../html/html.js';

/** The heading of a column; `number` aligns it with the numbers below it. */
export type ColumnHeading = string | { readonly number: string };

/** A table that scrolls by itself where the screen is narrow. `children` are its rows. */
export function DataTable({
  label,
  headings,
  children,
}: {
  readonly label: string;
  readonly headings: readonly ColumnHeading[];
  readonly children: ComponentChildren;
}): VNode {
  return (
    <div class="wide" role="region" aria-label={label} tabindex={0}>
      <table class="wide-text">
        <thead>
          <tr>
            {headings.map((heading) =>
              typeof heading === 'string' ? (
                <th scope="col">{heading}</th>
              ) : (
                <th scope="col" class="number">
                  {heading.number}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
