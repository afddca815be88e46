import type { Cell, Sheet } from 'write-excel-file/node';
import { readZip } from './zip.js';

/** A workbook without its rows. */
export interface WorkbookTemplate {
  /** Parts of the file by path, in their order. A sheet is split at its rows. */
  readonly parts: ReadonlyMap<string, string | SheetPart>;
  readonly styles: CellStyles;
}

/** The XML of a sheet before and after its rows. */
export interface SheetPart {
  /** Index of the sheet in the workbook, from 0. */
  readonly sheetIndex: number;
  readonly head: string;
  readonly tail: string;
}

/** Numbers of the two cell styles. */
export interface CellStyles {
  readonly header: string;
  readonly body: string;
}

/**
 * Builds a workbook with these sheets, the first with a frozen header, by means of the library. The rows are written
 * separately, because the library would hold all of them in memory and write them in one turn of the event loop. It
 * also drops U+FFFD and writes a cell with the text `constructor` incorrectly.
 */
export async function buildWorkbookTemplate(
  names: readonly [string, string],
  widths: readonly (readonly number[])[],
): Promise<WorkbookTemplate> {
  const sheets = names.map((name, at) => buildSheet(name, widths[at] ?? [], at === 0));
  // Imported at the first workbook: few gateways serve one, and the library stays in memory.
  const { default: writeExcelFile } = await import('write-excel-file/node');
  const files = readZip(await writeExcelFile(sheets, { features: [defaultStyleFeature] }).toBuffer());
  const parts = [...files].map(([path, text]) => [path, splitPart(path, text)] as const);
  const first = files.get(getSheetPath(0)) ?? '';
  return { parts: new Map(parts), styles: { header: findCellStyle(first, 'A1'), body: findCellStyle(first, 'A2') } };
}

/**
 * The style `Normal` (ECMA-376, section 18.8.7), which the library omits. Without it openpyxl warns that the workbook
 * has no default style.
 */
const defaultStyleFeature = {
  files: {
    transform: {
      'xl/styles.xml': {
        transform: (styles: string) =>
          styles
            .replace('<cellXfs ', `${NORMAL_FORMAT}<cellXfs `)
            .replace(
              '</cellXfs>',
              `</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>`,
            ),
      },
    },
  },
};

const NORMAL_FORMAT = '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>';

/**
 * One cell of each style, from which the number of the style is read. The format `@` keeps a text a text when a user
 * edits the cell.
 */
const HEADER_CELL: Cell = { value: 'x', fontWeight: 'bold', wrap: true, alignVertical: 'top', format: '@' };
const BODY_CELL: Cell = { value: 'x', wrap: true, alignVertical: 'top', format: '@' };

function buildSheet(sheet: string, widths: readonly number[], frozen: boolean): Sheet<never> {
  const columns = widths.map((width) => ({ width }));
  return { sheet, data: [[HEADER_CELL], [BODY_CELL]], columns, ...(frozen && { stickyRowsCount: 1 }) };
}

function getSheetPath(at: number): string {
  return `xl/worksheets/sheet${at + 1}.xml`;
}

function splitPart(path: string, text: string): string | SheetPart {
  const sheet = [0, 1].find((at) => getSheetPath(at) === path);
  if (sheet === undefined) return text;
  const [head = '', rest = ''] = text.split('<sheetData>');
  return { sheetIndex: sheet, head: `${head}<sheetData>`, tail: `</sheetData>${rest.split('</sheetData>')[1] ?? ''}` };
}

function findCellStyle(text: string, cell: string): string {
  const style = new RegExp(`<c r="${cell}" s="(\\d+)"`).exec(text)?.[1];
  if (style === undefined) throw new Error(`write-excel-file wrote no style for cell ${cell}`);
  return style;
}
