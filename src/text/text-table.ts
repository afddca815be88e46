import { showHiddenCharacters } from './visible-text.js';

/** In a row with fewer cells than others, the last one takes the rest of the line. */
export type TableRow = readonly string[];

/** Lines indented by two spaces, with two spaces between columns. The first row has a cell for each column. */
export function alignColumns(rows: readonly TableRow[]): readonly string[] {
  const widthAt = (at: number): number =>
    Math.max(...rows.map((row) => (at < row.length - 1 ? (row[at] ?? '').length : 0)));
  const widths = (rows[0] ?? []).map((_, at) => widthAt(at));
  return rows.map((row) => `  ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')}`.trimEnd());
}

/** Text from outside cannot control a terminal. */
export function showOnOneLine(text: string): string {
  return showHiddenCharacters(text.replace(/[\t\n\r]/g, ' '));
}
