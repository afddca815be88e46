import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Debian's own, which sees Debian's packages of Python modules. */
const PYTHON = '/usr/bin/python3';

const SCRIPT = fileURLToPath(new URL('read-formats.py', import.meta.url));

const HINT = 'apt-get install libxml2-utils python3-yaml python3-ruamel.yaml python3-openpyxl';

/** A rendered document, to be read by readers that know nothing of the renderer. */
export interface Written {
  readonly format: 'yaml' | 'xml' | 'csv' | 'xlsx';
  readonly body: Uint8Array;
}

/** What Python's readers find in each, in the same order: PyYAML, libyaml and ruamel.yaml (YAML 1.1 and 1.2), ElementTree, csv, openpyxl. One process for all. */
export function readBack(documents: readonly Written[]): unknown[] {
  const requests = documents.map(({ format, body }) => ({ format, body: Buffer.from(body).toString('base64') }));
  const output = run(PYTHON, [SCRIPT], JSON.stringify(requests)).stdout;
  const results: unknown = JSON.parse(output);
  if (!Array.isArray(results)) throw new Error(`the readers gave no list: ${output.slice(0, 200)}`);
  return results;
}

/** What xmllint has to complain about in the documents; nothing when they are well-formed. */
export function xmllint(documents: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-xml-'));
  try {
    const files = documents.map((document, at) => {
      const file = join(folder, `${at}.xml`);
      writeFileSync(file, document);
      return file;
    });
    return run('xmllint', ['--noout', '--huge', ...files], '').stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Whether LibreOffice is on this machine. */
export const hasOffice = spawnSync('soffice', ['--version'], { timeout: 60_000 }).status === 0;

/** The first sheet of a workbook as LibreOffice shows it, as CSV. */
export function shownByOffice(workbook: Uint8Array): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), 'rollcall-office-'));
  try {
    writeFileSync(join(folder, 'book.xlsx'), workbook);
    // 44: comma, 34: quote, 76: UTF-8, 1: from the first line, then cells as shown, and formulas as formulas.
    const filter = 'csv:Text - txt - csv (StarCalc):44,34,76,1,,0,false,true,true';
    const profile = `-env:UserInstallation=file://${folder}/profile`;
    run('soffice', [profile, '--headless', '--convert-to', filter, '--outdir', folder, join(folder, 'book.xlsx')], '');
    return readFileSync(join(folder, 'book.csv'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(command: string, parameters: readonly string[], input: string): { stdout: string; stderr: string } {
  const { error, status, stdout, stderr } = spawnSync(command, parameters, {
    input,
    encoding: 'utf8',
    maxBuffer: 1 << 30,
  });
  if (error !== undefined) throw new Error(`${command} cannot be run (${HINT}): ${error.message}`);
  if (status !== 0 && stdout === '' && stderr.includes('Traceback')) throw new Error(`${HINT}\n${stderr}`);
  return { stdout, stderr };
}
