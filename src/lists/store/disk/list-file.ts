import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { SourceFingerprints } from '../../../config/config-fingerprint.js';
import { iterateTimeSliced } from '../../../event-loop/time-slicing.js';
import type { StoredRecord } from '../../../model/record.js';
import { listStoredProperties } from '../../../model/resource.js';
import type { Resource } from '../../../model/resource.js';
import { channels } from '../../../model/resources/channels.js';
import { dataTeams, dataTeamsWithKeys } from '../../../model/resources/data-teams.js';
import { directoryTeams } from '../../../model/resources/directory-teams.js';
import { feedEntries } from '../../../model/resources/feed-entries.js';
import { news, newsItem } from '../../../model/resources/news.js';
import { RecordSet } from '../../../records/record-set.js';
import type { StoredList } from '../../stored-list.js';
import { factsOf, formatRows, readRows } from '../list-json.js';
import type { SetFacts } from '../list-json.js';
import { checksum, formatLine, parseLine } from './checked-line.js';
import { openFile, replaceFile } from './files.js';

/** Changes when a file is laid out in another way, or when the same response of a source gives other records. */
const FORM = 'rollcall list 1';

const RESOURCES = [directoryTeams, dataTeams, news, newsItem, channels, feedEntries];

/** Bytes that are read and hashed in one step: less than a millisecond of work. Rows are parsed in slices. */
const CHUNK_BYTES = 128 * 1024;

/** Of a line. A file of another kind may have none. */
const MAX_LINE_BYTES = 64 * 2 ** 20;

const LINE_FEED = 0x0a;

/** A source as one configuration has it. */
export interface ListSource {
  readonly code: string;
  readonly number: number;
  readonly fingerprints: SourceFingerprints;
  /** What shapes the responses that are made of its lists, and their dates: the program and its settings. */
  readonly configuration: string;
}

/** The first line. The others are records. */
export interface ListHead {
  readonly form: typeof FORM;
  readonly source: ListSource;
  readonly resource: string;
  /** Rows have the values by position. Another version of the program may have other columns. */
  readonly columns: readonly string[];
  readonly query: Pick<StoredList['query'], 'parameters' | 'completeAtAnySize'>;
  readonly list: Omit<StoredList, 'set' | 'query'>;
  readonly set: SetFacts;
  readonly count: number;
  /** Checksum of the other lines. */
  readonly rows: string;
}

/** The small and the large list of a resource share a name. */
export function fileNameOf(code: string, resource: string, parameters: StoredList['query']['parameters']): string {
  const identity = createHash('sha256').update(JSON.stringify([code, resource, parameters]));
  return `${code}-${identity.digest('hex').slice(0, 16)}.list`;
}

/** In steps of a few milliseconds. Returns the bytes of the file. */
export async function writeList(path: string, source: ListSource, list: StoredList): Promise<number> {
  // As long as the head with the right checksum.
  const placeholder = formatHead(source, list, checksum(''));
  const hash = createHash('sha256');
  let bytes = Buffer.byteLength(placeholder);
  await replaceFile(path, async (handle) => {
    await handle.writeFile(placeholder);
    for await (const rows of iterateTimeSliced(formatRows(list.set.records, CHUNK_BYTES))) {
      hash.update(rows);
      await handle.writeFile(rows);
      bytes += rows.length;
    }
    await handle.write(formatHead(source, list, hash.digest('base64url')), 0);
  });
  return bytes;
}

function formatHead(source: ListSource, { query, set, ...list }: StoredList, rows: string): string {
  const { resource, parameters, completeAtAnySize } = query;
  const head: ListHead = {
    ...{ form: FORM, source, resource: resource.name, columns: columnsOf(resource) },
    query: { parameters, ...(completeAtAnySize && { completeAtAnySize }) },
    ...{ list, set: factsOf(set), count: set.records.length, rows },
  };
  return formatLine(head);
}

function columnsOf(resource: Resource): readonly string[] {
  return listStoredProperties(resource).map(({ name }) => name);
}

/** Rejects where it is damaged. */
export async function readHead(path: string): Promise<ListHead> {
  for await (const block of readBlocks(path)) {
    const head = parseLine<ListHead>(block.toString('utf8', 0, block.indexOf(LINE_FEED)), FORM);
    if (fileNameOf(head.source.code, head.resource, head.query.parameters) === basename(path)) return head;
    throw new Error('the list is that of another file');
  }
  throw new Error('the file is empty');
}

/** In steps of a few milliseconds. Rejects where the content is not what was written. */
export async function readStoredList(
  path: string,
): Promise<{ readonly source: ListSource; readonly list: StoredList }> {
  const { source, resource: name, columns, query, list, ...head } = await readHead(path);
  // The teams of the data interface and their keys are two lists with one name.
  const known = query.parameters['scope'] === 'pgp' ? [dataTeamsWithKeys] : RESOURCES;
  const resource = known.find((one) => one.name === name && isDeepStrictEqual(columnsOf(one), columns));
  if (resource === undefined) throw new Error('the columns are not those of this version of the program');
  const hash = createHash('sha256');
  const records: StoredRecord[] = [];
  let isHead = true;
  for await (const block of readBlocks(path)) {
    const rows = block.subarray(isHead ? block.indexOf(LINE_FEED) + 1 : 0);
    isHead = false;
    hash.update(rows);
    for (const record of await readRows(resource, rows)) records.push(record);
  }
  if (hash.digest('base64url') !== head.rows) throw new Error('the checksum of the records is wrong');
  if (records.length !== head.count) throw new Error(`${records.length} records in place of ${head.count}`);
  const set = new RecordSet(resource, { sourceNumber: source.number }, records, head.set);
  return { source, list: { ...list, query: { ...query, resource }, set } };
}

/** Blocks of whole lines. The event loop runs between them. */
async function* readBlocks(path: string): AsyncGenerator<Buffer, void, undefined> {
  const chunks: AsyncIterable<Buffer> = (await openFile(path)).createReadStream({ highWaterMark: CHUNK_BYTES });
  let [beginning, bytes]: [Buffer[], number] = [[], 0];
  for await (const chunk of chunks) {
    const end = chunk.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) {
      yield Buffer.concat([...beginning, chunk.subarray(0, end)]);
      [beginning, bytes] = [[], 0];
    }
    beginning.push(chunk.subarray(end));
    bytes += chunk.length - end;
    if (bytes > MAX_LINE_BYTES) throw new Error('a line is too long');
  }
  if (bytes > 0) throw new Error('the last line is cut off');
}
