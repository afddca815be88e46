import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredRecord } from '../../model/record.js';
import type { RecordSet } from '../../records/record-set.js';
import { readRegularFile } from '../regular-file.js';
import { replaceFile } from '../replace-file.js';
import { readRecords, writeRecords } from './record-file.js';
import { formatHead, parseHead } from './snapshot-head.js';
import type { SnapshotHead } from './snapshot-head.js';

const HEAD_SUFFIX = '.json';
const RECORDS_SUFFIX = '.records';
const TEMPORARY_SUFFIX = '.tmp';
const DAMAGED_SUFFIX = '.damaged';

/** Differs between two writes. */
const RECORDS_ID = /\.[0-9a-f-]{36}(?=\.records)/;

/** Everything else in the folder is left alone. */
const OWN_FILE = /^[a-z0-9-]+-[0-9a-f]{16}(?:\.[0-9a-f-]{36}\.records|\.json)(?:\.tmp)?$/;

type RecordsEntry = SnapshotHead['records'];

/**
 * A head and records for each saved snapshot (operation 2.5.3). A file gets its name when it has been written and
 * synchronised, so that a killed process leaves the earlier one. Only the owner can read the files.
 */
export class SnapshotFiles {
  constructor(private readonly folder: string) {}

  /** Returns whether the folder was missing. */
  async createFolder(): Promise<boolean> {
    return (await mkdir(this.folder, { recursive: true, mode: 0o700 })) !== undefined;
  }

  async listSnapshots(): Promise<readonly string[]> {
    const files = await this.listFiles();
    return files.filter((file) => file.endsWith(HEAD_SUFFIX)).map((file) => file.slice(0, -HEAD_SUFFIX.length));
  }

  /** Undefined for one of another version of the program. Rejects where it is damaged. */
  async readHead(name: string): Promise<SnapshotHead | undefined> {
    const head = parseHead(await readRegularFile(this.pathOf(name + HEAD_SUFFIX)));
    const isOwn = head === undefined || (OWN_FILE.test(head.records.file) && head.records.file.startsWith(`${name}.`));
    if (!isOwn) throw new Error('invalid name of the record file');
    return head;
  }

  /** Rejects where the records are damaged or missing. */
  readRecords({ records }: SnapshotHead): Promise<readonly StoredRecord[]> {
    return readRecords(this.pathOf(records.file), records);
  }

  async writeHead(name: string, head: SnapshotHead): Promise<void> {
    await replaceFile(this.pathOf(name + HEAD_SUFFIX), formatHead(head));
  }

  /** The file counts only when a head names it. */
  async writeRecords(name: string, { resource, records }: RecordSet): Promise<RecordsEntry> {
    const file = `${name}.${randomUUID()}${RECORDS_SUFFIX}`;
    const temporary = this.pathOf(file + TEMPORARY_SUFFIX);
    const handle = await open(temporary, 'wx', 0o600);
    try {
      const digest = await writeRecords(handle, resource, records);
      await handle.sync();
      await handle.close();
      await rename(temporary, this.pathOf(file));
      return { file, ...digest };
    } catch (error) {
      await handle.close().catch(() => undefined);
      await rm(temporary, { force: true }).catch(() => undefined);
      throw error;
    }
  }

  async deleteRecords({ file }: RecordsEntry): Promise<void> {
    await rm(this.pathOf(file), { force: true });
  }

  async deleteHead(name: string): Promise<void> {
    await rm(this.pathOf(name + HEAD_SUFFIX), { force: true });
  }

  /** Files that no head in use names: of other versions, and left over from writes that were cut off. */
  async deleteUnused(heads: ReadonlyMap<string, SnapshotHead>): Promise<void> {
    const used = new Set([...heads].flatMap(([name, { records }]) => [name + HEAD_SUFFIX, records.file]));
    for (const file of await this.listFiles()) if (!used.has(file)) await rm(this.pathOf(file), { force: true });
  }

  /** Keeps damaged files for the operator, until the next damaged file of the snapshot. */
  async setAside(damaged: { readonly name: string } | RecordsEntry): Promise<string> {
    const file = 'name' in damaged ? damaged.name + HEAD_SUFFIX : damaged.file;
    const kept = file.replace(RECORDS_ID, '') + DAMAGED_SUFFIX;
    await rename(this.pathOf(file), this.pathOf(kept));
    return kept;
  }

  private async listFiles(): Promise<readonly string[]> {
    return (await readdir(this.folder)).filter((file) => OWN_FILE.test(file));
  }

  private pathOf(file: string): string {
    return join(this.folder, file);
  }
}
