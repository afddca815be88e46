import type { TextFile } from './zip.js';

interface SheetContent {
  /** At most 31 letters, digits and spaces. */
  readonly name: string;
  /** Of the columns, in characters. */
  readonly widths: readonly number[];
  /** The first row does not scroll. */
  readonly isFrozen: boolean;
  readonly rows: Iterable<string>;
}

export const CELL_STYLES = { header: '1', body: '2' } as const;

/** ECMA-376, part 1, clause 12, and part 2. The rows are read sheet after sheet. */
export function createWorkbookParts(sheets: readonly SheetContent[]): TextFile[] {
  const all = sheets.map(({ name }, at) => ({ name, id: at + 1, path: `worksheets/sheet${at + 1}.xml` }));
  const contentTypes = [
    `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>`,
    formatContentType('workbook.xml', 'sheet.main'),
    formatContentType('styles.xml', 'styles'),
    ...all.map(({ path }) => formatContentType(path, 'worksheet')),
  ].join('');
  const relationships = [
    ...all.map(({ id, path }) => formatRelationship(id, 'worksheet', path)),
    formatRelationship(all.length + 1, 'styles', 'styles.xml'),
  ].join('');
  const sheetList = all.map(({ name, id }) => `<sheet name="${name}" sheetId="${id}" r:id="rId${id}"/>`).join('');
  const parts = [
    ['[Content_Types].xml', `<Types xmlns="${PACKAGE}/content-types">${contentTypes}</Types>`],
    ['_rels/.rels', formatRelationships(formatRelationship(1, 'officeDocument', 'xl/workbook.xml'))],
    [
      'xl/workbook.xml',
      `<workbook xmlns="${MAIN}" xmlns:r="${DOCUMENT}/relationships"><bookViews><workbookView/></bookViews><sheets>${sheetList}</sheets></workbook>`,
    ],
    ['xl/_rels/workbook.xml.rels', formatRelationships(relationships)],
    ['xl/styles.xml', STYLES],
  ] as const;
  return [
    ...parts.map(([path, text]): TextFile => [path, [DECLARATION, text]]),
    ...sheets.map((sheet, at): TextFile => [`xl/worksheets/sheet${at + 1}.xml`, writeSheet(sheet)]),
  ];
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const DOCUMENT = 'http://schemas.openxmlformats.org/officeDocument/2006';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';

function formatContentType(path: string, type: string): string {
  const format = `application/vnd.openxmlformats-officedocument.spreadsheetml.${type}+xml`;
  return `<Override PartName="/xl/${path}" ContentType="${format}"/>`;
}

function formatRelationship(id: number, type: string, target: string): string {
  return `<Relationship Id="rId${id}" Type="${DOCUMENT}/relationships/${type}" Target="${target}"/>`;
}

function formatRelationships(relationships: string): string {
  return `<Relationships xmlns="${PACKAGE}/relationships">${relationships}</Relationships>`;
}

/** Format 49 is `@` (clause 18.8.30): a text stays a text when a user edits the cell. */
const TEXT_FORMAT =
  'numFmtId="49" applyNumberFormat="1" applyAlignment="1"><alignment vertical="top" wrapText="1"/></xf>';

/** Two fonts and three formats of cells: the default one, and those of `CELL_STYLES`. */
const STYLES = [
  `<styleSheet xmlns="${MAIN}"><fonts count="2"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font>`,
  '<font><b/><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>',
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  '<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
  `<xf fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1" ${TEXT_FORMAT}`,
  `<xf fontId="0" fillId="0" borderId="0" xfId="0" ${TEXT_FORMAT}</cellXfs>`,
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
].join('');

const FROZEN_ROW =
  '<sheetViews><sheetView tabSelected="1" workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>';

function* writeSheet({ widths, isFrozen, rows }: SheetContent): Generator<string, void, undefined> {
  const columns = widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`);
  yield `${DECLARATION}<worksheet xmlns="${MAIN}">${isFrozen ? FROZEN_ROW : ''}`;
  yield `${columns.length === 0 ? '' : `<cols>${columns.join('')}</cols>`}<sheetData>`;
  yield* rows;
  yield '</sheetData></worksheet>';
}
