import { describe, expect, it } from 'vitest';
import type { Raw } from './sample-files.js';
import { jsonFiles, rowsOf, textOf } from './sample-files.js';

const ledger = rowsOf('ledger');

/** The cells of a column that are not empty. */
function cellsOf(rows: readonly Raw[], column: string): readonly string[] {
  return rows.map((row) => String(row[column])).filter((cell) => cell !== '');
}

describe('the sample list', () => {
  it('is a spreadsheet saved as CSV: byte order mark, semicolons, CR LF, and line breaks inside of cells', () => {
    const csv = textOf('ledger.csv');
    expect(csv.startsWith('\uFEFFTeam;Full name;')).toBe(true);
    const outsideOfQuotes = csv.replaceAll(/"(?:[^"]|"")*"/g, '""');
    expect(outsideOfQuotes.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    // The names of the columns, the row without content, and the end of the last line.
    expect(outsideOfQuotes.split('\r\n')).toHaveLength(ledger.length + 3);
    expect(csv).toMatch(/"[^"\r\n]+\n[^"]+"/);
    expect(csv).toMatch(/;"[^"]*""[^"]*""[^"]*";/);
  });

  it('has about 60 teams of one country, which most rows leave out', () => {
    expect(ledger.length).toBeGreaterThan(55);
    expect(ledger.length).toBeLessThan(65);
    const countries = ledger.map((row) => row['Country']);
    expect(new Set(countries)).toEqual(new Set(['', 'DK', 'dk']));
    expect(countries.filter((country) => country === '').length).toBeGreaterThan(20);
  });

  it('shares some teams with other samples, some of them under other names', () => {
    const others = jsonFiles.map((name) => textOf(name)).join('');
    const isShared = (row: Raw): boolean => others.includes(`@${String(row['E-mail']).replace(/^.*@/, '')}"`);
    const shared = ledger.filter(isShared);
    expect(shared.length).toBeGreaterThan(5);
    expect(shared.length).toBeLessThan(15);
    expect(cellsOf(shared, 'Full name').some((name) => !others.includes(JSON.stringify(name)))).toBe(true);
  });

  it('has a retired team, several web sites in one cell, empty cells, and a row without content', () => {
    expect(cellsOf(ledger, 'Status').filter((status) => status === 'retired')).toHaveLength(1);
    expect(cellsOf(ledger, 'Web site').filter((cell) => cell.includes(', ')).length).toBeGreaterThan(5);
    expect(cellsOf(ledger, 'Web site').filter((cell) => cell.includes('\n'))).toHaveLength(1);
    expect(cellsOf(ledger, 'Fax').length).toBeLessThan(ledger.length / 2);
    expect(
      textOf('ledger.csv')
        .split('\r\n')
        .filter((row) => /^;+$/.test(row)),
    ).toHaveLength(1);
  });

  it('writes dates of founding as its country does, as exactly as they are known', () => {
    const dates = cellsOf(ledger, 'Founded');
    for (const date of dates) expect(date).toMatch(/^(?:(?:\d\d\.)?\d\d\.)?\d{4}$/);
    expect(new Set(dates.map((date) => date.length))).toEqual(new Set([4, 7, 10]));
  });
});
