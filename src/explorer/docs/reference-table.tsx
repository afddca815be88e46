import type { ComponentChildren, VNode } from '../../html/html.js';
import { TextWithCode } from './text-with-code.js';

export interface ReferenceRow {
  /** Stable fragment of the address of the row. */
  readonly anchor: string;
  readonly name: string;
  readonly cells: readonly ComponentChildren[];
}

/** The first cell names each row, and is a link to itself. */
export function ReferenceTable({
  caption,
  columns,
  rows,
}: {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly ReferenceRow[];
}): VNode {
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
          {rows.map(({ anchor, name, cells }) => (
            <tr id={anchor}>
              <th scope="row">
                <a href={`#${anchor}`}>
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
