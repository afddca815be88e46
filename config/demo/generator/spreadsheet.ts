/** A row of a spreadsheet: text by column. A column that is absent or undefined is an empty cell. */
export type SheetRow = Readonly<Record<string, string | undefined>>;

/**
 * CSV as a spreadsheet saves it where a comma separates decimals: byte order mark, semicolons, lines that end with
 * CR LF, and quotes around cells that need them.
 */
export function spreadsheetOf(columns: readonly string[], rows: readonly SheetRow[]): string {
  const lines = [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))];
  return `\uFEFF${lines.map((cells) => `${cells.map(cellOf).join(';')}\r\n`).join('')}`;
}

function cellOf(text: string): string {
  return /[;"\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
