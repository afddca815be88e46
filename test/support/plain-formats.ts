import type { Node } from '../../src/model/document.js';
import { isMap } from '../../src/model/document.js';
import type { Format } from '../../src/render/formats.js';
import { jsonPieces } from '../../src/render/json.js';

/** The extensions, media types and kinds of the specification, written by renderers that a test can read in its head. */
export function plainFormats(json: Format): readonly Format[] {
  const row = (name: Format['name'], extensions: readonly string[], mediaTypes: readonly string[]): Format => ({
    name,
    extensions,
    mediaTypes,
    text: true,
    attachment: false,
    render: ({ document }) => tagged(name, document),
  });
  return [
    json,
    row('yaml', ['.yml', '.yaml'], ['application/yaml', 'text/yaml', 'application/x-yaml']),
    row('xml', ['.xml'], ['application/xml', 'text/xml']),
    { ...row('csv', ['.csv'], ['application/csv', 'text/csv']), attachment: true, render: ({ table }) => lines(table) },
    {
      ...row('xlsx', ['.xlsx'], [XLSX]),
      text: false,
      attachment: true,
      render: ({ table }) => Promise.resolve(Buffer.from([...lines(table), about(table.about)].join(''))),
    },
  ];
}

/** Media type of a spreadsheet. */
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** `xml:` and the document as compact JSON. */
function* tagged(name: string, document: Node): Generator<string, void, undefined> {
  yield `${name}:`;
  yield* jsonPieces(document, false);
}

/** Columns and cells parted by commas, one row a line. */
function* lines({ columns, rows }: Parameters<Format['render']>[0]['table']): Generator<string, void, undefined> {
  yield `${columns.join()}\n`;
  for (const row of rows) yield `${columns.map((name) => cell(row.get(name))).join()}\n`;
}

function cell(value: Node | undefined): string {
  if (value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  return isMap(value) ? '{}' : [...value].map(cell).join('|');
}

function about(facts: ReadonlyMap<string, Node>): string {
  return `about:${[...jsonPieces(facts, false)].join('')}`;
}
