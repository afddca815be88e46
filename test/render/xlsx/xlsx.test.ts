import { afterEach, describe, expect, test, vi } from 'vitest';
import type { DocumentNode } from '../../../src/model/document-node.js';
import type { Table } from '../../../src/render/render-input.js';
import { renderXlsx } from '../../../src/render/xlsx/xlsx.js';
import { descendants, readXml } from '../../support/formats/xml-reader.js';
import { readZip } from '../../support/formats/zip-reader.js';

function table(columns: readonly string[], rows: Iterable<ReadonlyMap<string, DocumentNode>>): Table {
  return { name: 'teams', columns, rows, metadata: new Map([['total', 1]]) };
}

async function parts(content: Table): Promise<Map<string, string>> {
  return readZip(Buffer.from(await renderXlsx(content)));
}

const SHEET = 'xl/worksheets/sheet1.xml';
const ABOUT = 'xl/worksheets/sheet2.xml';

afterEach(() => {
  vi.useRealTimers();
});

describe('XLSX', () => {
  test('has equal bytes for equal content at any time', async () => {
    const content = table(['host'], [new Map([['host', 'a']])]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 1, 1) });
    const first = await renderXlsx(content);
    vi.setSystemTime(Date.UTC(2027, 5, 5));
    expect(Buffer.from(await renderXlsx(content)).equals(first)).toBe(true);
  });

  test('dates every part of the archive 1 January 1980', async () => {
    const bytes = Buffer.from(await renderXlsx(table(['host'], [])));
    const timestamps = [0x04034b50, 0x02014b50].flatMap((signature) => readTimestamps(bytes, signature));
    expect(timestamps).toHaveLength(14);
    expect(new Set(timestamps)).toEqual(new Set([0x0021_0000]));
  });

  test('has only text cells, one list item a line, and no cell for a missing value', async () => {
    const rows = [new Map<string, DocumentNode>([['a', ['=1', 2]], ['c', 'x\r\ny']])]; // prettier-ignore
    const sheet = (await parts(table(['a', 'b', 'c'], rows))).get(SHEET) ?? '';
    expect(sheet).toMatch(/<c r="A2" s="\d+" t="inlineStr"><is><t>=1\n2<\/t><\/is><\/c><c r="C2"/);
    expect(sheet).toContain('<t>x\ny</t>');
    expect(sheet).not.toMatch(/<f>|r="B2"/);
  });

  test('declares its default cell style, without which readers warn or use their own', async () => {
    const styles = readXml((await parts(table(['a'], []))).get('xl/styles.xml') ?? '');
    expect(styles.children.map(({ name }) => name)).toEqual([
      ...['fonts', 'fills', 'borders', 'cellStyleXfs', 'cellXfs', 'cellStyles'],
    ]);
    expect(descendants(styles, 'cellStyleXfs')[0]?.children).toHaveLength(1);
    expect(Object.fromEntries(descendants(styles, 'cellStyle')[0]?.attributes ?? [])).toEqual({
      name: 'Normal',
      xfId: '0',
      builtinId: '0',
    });
  });

  test.each(['=1+1', '-a', '@a', "'=1", '-----BEGIN PGP+cmd'])(
    'writes %j without a leading apostrophe',
    async (text) => {
      const sheet = (await parts(table(['pgp-key'], [new Map([['pgp-key', text]])]))).get(SHEET);
      expect(sheet).toContain(`<t>${text}</t>`);
    },
  );

  test('cuts cells at 32,767 characters, and reports their number in the sheet About', async () => {
    const files = await parts(table(['a', 'b'], [new Map([['a', 'x'.repeat(32_768)], ['b', 'y'.repeat(32_767)]])])); // prettier-ignore
    expect(files.get(SHEET)).toContain(`<t>${'x'.repeat(32_766)}…</t>`);
    expect(files.get(SHEET)).toContain(`<t>${'y'.repeat(32_767)}</t>`);
    expect(files.get(ABOUT)).toMatch(/cells cut at 32767 characters<.*<t>1</);
  });

  test('never splits a surrogate pair', async () => {
    const files = await parts(table(['a'], [new Map([['a', `${'x'.repeat(32_765)}\u{1f600}${'x'.repeat(9)}`]])]));
    expect(files.get(SHEET)).not.toContain('\ufffd');
  });

  test('leaves out columns beyond 16,384, and reports their number in the sheet About', async () => {
    const columns = Array.from({ length: 16_386 }, (_, at) => `c${at}`);
    const files = await parts(table(columns, []));
    expect(files.get(SHEET)).toContain('<c r="XFD1"');
    expect(files.get(SHEET)).not.toContain('<c r="XFE1"');
    expect(files.get(ABOUT)).toMatch(/columns left out<.*<t>2</);
  });

  test('leaves out rows beyond 1,048,576, and reports their number in the sheet About', async () => {
    const none = new Map<string, DocumentNode>();
    const many = function* (): Generator<ReadonlyMap<string, DocumentNode>> {
      for (let at = 0; at < 1_048_578; at += 1) yield none;
    };
    const files = await parts(table(['a'], many()));
    expect(files.get(SHEET)).toContain('<row r="1048576">');
    expect(files.get(SHEET)).not.toContain('<row r="1048577">');
    expect(files.get(ABOUT)).toMatch(/rows left out<.*<t>3</);
  });

  test('rejects when reading a row throws', async () => {
    const broken = function* (): Generator<ReadonlyMap<string, DocumentNode>> {
      yield new Map();
      throw new Error('no more records');
    };
    await expect(renderXlsx(table(['a'], broken()))).rejects.toThrow('no more records');
  });
});

/** The MS-DOS timestamps of all ZIP headers with a signature. */
function readTimestamps(bytes: Buffer, signature: number): number[] {
  const mark = Buffer.alloc(4);
  mark.writeUInt32LE(signature);
  const timestamps: number[] = [];
  const offset = signature === 0x04034b50 ? 10 : 12;
  for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 4))
    timestamps.push(bytes.readUInt32LE(at + offset));
  return timestamps;
}
