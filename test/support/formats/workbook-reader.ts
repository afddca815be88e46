import { descendants, readXml } from './xml-reader.js';
import type { XmlElement } from './xml-reader.js';
import { readZip } from './zip-reader.js';

/** The parts of a worksheet that tests check; the terms are those of openpyxl. */
export interface Sheet {
  readonly name: string;
  /** First cell that scrolls, such as `A2`; null if no pane is frozen. */
  readonly frozen: string | null;
  /** Numbers (from 1) of the rows with a bold cell, ascending. */
  readonly bold: readonly number[];
  /** The distinct cell types, sorted: `s` is text, `n` a number, `f` a formula, `b` a boolean. */
  readonly types: readonly string[];
  /** Cells from A1, as text; null for a missing cell. Escapes of ECMA-376 (ST_Xstring) are not decoded. */
  readonly rows: readonly (readonly (string | null)[])[];
}

interface Cell {
  readonly row: number;
  /** Counted from 0. */
  readonly column: number;
  readonly type: string;
  readonly isBold: boolean;
  readonly text: string;
}

/** The sheets of a workbook (ECMA-376) in order. Reads inline strings, as Rollcall writes them. */
export function readWorkbook(workbook: Buffer): Sheet[] {
  const files = readZip(workbook);
  const part = (name: string): XmlElement => {
    const text = files.get(name);
    if (text === undefined) throw new Error(`the workbook has no ${name}`);
    return readXml(text);
  };
  const bold = boldStyles(part('xl/styles.xml'));
  const targets = new Map(
    part('xl/_rels/workbook.xml.rels').children.map(({ attributes }) => [
      attributes.get('Id'),
      attributes.get('Target'),
    ]),
  );
  return descendants(part('xl/workbook.xml'), 'sheet').map(({ attributes }) => {
    const sheet = part(`xl/${targets.get(attributes.get('r:id')) ?? ''}`);
    return sheetOf(attributes.get('name') ?? '', sheet, bold);
  });
}

/** Indexes of the styles with a bold font. */
function boldStyles(styles: XmlElement): ReadonlySet<string> {
  const fonts = descendants(styles, 'fonts').flatMap(({ children }) => children);
  const isBold = ({ attributes }: XmlElement): boolean => {
    const font = fonts[Number(attributes.get('fontId') ?? '0')];
    return font !== undefined && descendants(font, 'b').length > 0;
  };
  const formats = descendants(styles, 'cellXfs').flatMap(({ children }) => children);
  return new Set(formats.flatMap((format, at) => (isBold(format) ? [String(at)] : [])));
}

function sheetOf(name: string, sheet: XmlElement, boldStyles: ReadonlySet<string>): Sheet {
  const cells = descendants(sheet, 'c').map((cell) => cellOf(cell, boldStyles));
  const width = Math.max(0, ...cells.map(({ column }) => column + 1));
  const height = Math.max(0, ...cells.map(({ row }) => row));
  const rows = Array.from({ length: height }, () => Array.from({ length: width }, (): string | null => null));
  for (const { row, column, text } of cells) rows[row - 1]?.splice(column, 1, text);
  const pane = descendants(sheet, 'pane').find(({ attributes }) => attributes.get('state') === 'frozen');
  return {
    name,
    frozen: pane?.attributes.get('topLeftCell') ?? null,
    bold: [...new Set(cells.filter(({ isBold }) => isBold).map(({ row }) => row))].sort((a, b) => a - b),
    types: [...new Set(cells.map(({ type }) => type))].sort(),
    rows,
  };
}

function cellOf(cell: XmlElement, boldStyles: ReadonlySet<string>): Cell {
  const [, letters = '', row = ''] = /^([A-Z]+)(\d+)$/.exec(cell.attributes.get('r') ?? '') ?? [];
  const declared = cell.attributes.get('t') ?? 'n';
  const type = descendants(cell, 'f').length > 0 ? 'f' : declared;
  const texts = descendants(cell, declared === 'inlineStr' ? 't' : 'v');
  return {
    row: Number(row),
    column: columnNumber(letters),
    type: type === 'inlineStr' ? 's' : type,
    isBold: boldStyles.has(cell.attributes.get('s') ?? ''),
    text: texts.map(({ text }) => text).join(''),
  };
}

/** Column number, counted from 0, of column letters: A is 0, AA is 26. */
function columnNumber(letters: string): number {
  let sum = 0;
  for (const letter of letters) sum = sum * 26 + letter.charCodeAt(0) - 64;
  return sum - 1;
}
