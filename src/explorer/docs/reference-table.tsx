import type { ComponentChildren, VNode } from '../../html/html.js';

/** Text of a cell that is between backticks is code. */
export type ReferenceRow = readonly [name: string, ...cells: readonly ComponentChildren[]];

export interface ReferenceTableProps {
  readonly caption: string;
  /** Begins the stable fragment of the address of each row; its name ends it. */
  readonly anchor: string;
  readonly columns: readonly string[];
  readonly rows: readonly ReferenceRow[];
}

/** The first cell names each row, and is a link to itself. */
export function ReferenceTable({ caption, anchor, columns, rows }: ReferenceTableProps): VNode {
  return (
    <div class="reference-table" role="group" aria-label={caption} tabindex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col">{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr id={anchor + name.replace(/[{}]/g, '')}>
              <th scope="row">
                <a href={`#${anchor}${name.replace(/[{}]/g, '')}`}>
                  <code>{name}</code>
                </a>
              </th>
              {cells.map((cell) => (
                <td>{typeof cell === 'string' ? <TextWithCode text={cell} /> : cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Text between backticks is code. */
export function TextWithCode({ text }: { readonly text: string }): VNode {
  return <>{text.split('`').map((part, at) => (at % 2 === 0 ? part : <code>{part}</code>))}</>;
}
