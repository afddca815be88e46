import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FormatReader } from '../support/formats/format-readers.js';
import { programs, run } from './programs.js';

const SCRIPT = fileURLToPath(new URL('read-formats.py', import.meta.url));

/**
 * Reads documents with Python: PyYAML, libyaml and ruamel.yaml (YAML 1.1 and 1.2), ElementTree, csv, openpyxl. One process
 * reads all documents. Throws when xmllint reports an error in an XML document.
 */
export const readByPython: FormatReader = (documents) => {
  const errors = xmllint(documents.filter(({ format }) => format === 'xml').map(({ body }) => body));
  if (errors !== '') throw new Error(errors);
  const requests = documents.map(({ format, body }) => ({ format, body: Buffer.from(body).toString('base64') }));
  const { status, stdout, stderr } = run(programs.python, [SCRIPT], { input: JSON.stringify(requests) });
  if (status !== 0) throw new Error(`${SCRIPT} ended with ${String(status)}: ${stderr}`);
  const results: unknown = JSON.parse(stdout);
  if (!Array.isArray(results)) throw new Error(`the readers printed no list: ${stdout.slice(0, 200)}`);
  return results;
};

/** The errors that xmllint reports; empty when all documents are well-formed. */
export function xmllint(documents: readonly Uint8Array[]): string {
  if (documents.length === 0) return '';
  return inFolder((folder) => {
    const files = documents.map((document, at) => {
      const file = join(folder, `${at}.xml`);
      writeFileSync(file, document);
      return file;
    });
    const { status, stderr } = run(programs.xmllint, ['--noout', '--huge', ...files]);
    return status === 0 ? stderr : `xmllint ended with ${String(status)}: ${stderr}`;
  });
}

/** Converts the first sheet of a workbook to CSV with LibreOffice, with cells as displayed. */
export function shownByOffice(workbook: Uint8Array): Uint8Array {
  return inFolder((folder) => {
    writeFileSync(join(folder, 'book.xlsx'), workbook);
    // 44: comma, 34: quote, 76: UTF-8, 1: from the first line. The last two options: cells as displayed, formulas as formulas.
    const filter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true';
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    const conversion = ['--headless', '--convert-to', filter, '--outdir', folder, join(folder, 'book.xlsx')];
    const { status, stderr } = run(programs.office, [profile, ...conversion]);
    if (status !== 0) throw new Error(`${programs.office.command} ended with ${String(status)}: ${stderr}`);
    return readFileSync(join(folder, 'book.csv'));
  });
}

/** Calls a function with a temporary folder, and removes the folder afterwards. */
function inFolder<T>(work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-interop-'));
  try {
    return work(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
