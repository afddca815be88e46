import type { DocumentNode } from '../../../src/model/document-node.js';
import { isMapNode } from '../../../src/model/document-node.js';
import type { Format } from '../../../src/render/formats.js';
import { renderJsonText } from '../../../src/render/json.js';

/** The formats of the specification (decisions 3.1) with renderers so simple that a test can state their output by hand. */
export function plainFormats(json: Format): readonly Format[] {
  const row = (name: Format['name'], extensions: readonly string[], mediaTypes: readonly string[]): Format => ({
    name,
    extensions,
    mediaTypes,
    isText: true,
    isAttachment: false,
    carriesErrors: true,
    input: 'document',
    description: name,
    body: 'text',
    render: ({ document }) => tagged(name, document),
  });
  return [
    json,
    row('yaml', ['.yml', '.yaml'], ['application/yaml', 'text/yaml', 'application/x-yaml']),
    row('xml', ['.xml'], ['application/xml', 'text/xml']),
    {
      ...row('csv', ['.csv'], ['application/csv', 'text/csv']),
      isAttachment: true,
      input: 'table',
      render: ({ table }) => lines(table),
    },
    {
      ...row('xlsx', ['.xlsx'], [XLSX]),
      isText: false,
      isAttachment: true,
      carriesErrors: false,
      input: 'table',
      containsAddress: true,
      render: ({ table }) => Promise.resolve(Buffer.from([...lines(table), about(table.metadata)].join(''))),
    },
  ];
}

/** Media type of a spreadsheet. */
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** The name of the format, a colon and the document as compact JSON. */
function* tagged(name: string, document: DocumentNode): Generator<string, void, undefined> {
  yield `${name}:`;
  yield* renderJsonText(document, false);
}

/** Columns and cells separated by commas, one row per line. */
function* lines({ columns, rows }: Parameters<Format['render']>[0]['table']): Generator<string, void, undefined> {
  yield `${columns.join()}\n`;
  for (const row of rows) yield `${columns.map((name) => cell(row.get(name))).join()}\n`;
}

function cell(value: DocumentNode | undefined): string {
  if (value === undefined) return '';
  if (typeof value !== 'object') return String(value);
  return isMapNode(value) ? '{}' : [...value].map(cell).join('|');
}

function about(facts: ReadonlyMap<string, DocumentNode>): string {
  return `about:${[...renderJsonText(facts, false)].join('')}`;
}
