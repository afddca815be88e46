import type { ComponentChildren, VNode } from '../../html/html.js';

/** `number` aligns the heading with the numbers below it. */
type ColumnHeading = string | { readonly number: string };

/** Scrolls by itself where the screen is narrow. `children` are rows. */
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
