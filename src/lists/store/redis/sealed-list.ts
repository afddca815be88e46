import { iterateTimeSliced } from '../../../event-loop/time-slicing.js';
import type { StoredRecord } from '../../../model/record.js';
import type { Resource } from '../../../model/resource.js';
import { isReasonOf } from '../../../model/reasons.js';
import { RecordSet } from '../../../records/record-set.js';
import type { SharedRejection } from '../../shared-lists.js';
import type { StoredList } from '../../stored-list.js';
import { decodeValue, encodeValue, factsOf, formatRows, readRows } from '../list-json.js';
import type { SetFacts } from '../list-json.js';
import type { EntrySealer } from './entry-sealer.js';

/** Redis serves no other command while it copies one. */
const CHUNK_BYTES = 256 * 1024;

/** Where the records of a list are. */
export interface ChunkedRecords {
  readonly id: string;
  /** Of chunks; at least one. */
  readonly count: number;
}

/** What is stored of a list besides its records. */
export interface CopyHead {
  readonly resource: string;
  readonly list: Omit<StoredList, 'set' | 'query'>;
  readonly set: SetFacts;
  readonly chunks: ChunkedRecords;
  /** Number of records. */
  readonly size: number;
}

/**
 * What is stored under one name. An error refuses content that no instance wrote there. With a key, the rest of its form
 * need not be checked: it is authenticated, and the name is that of one build.
 */
export class SealedList {
  constructor(
    private readonly sealer: EntrySealer,
    private readonly name: string,
  ) {}

  sealHead({ query, set, ...list }: StoredList, chunks: ChunkedRecords): Buffer {
    const head: CopyHead = {
      resource: query.resource.name,
      ...{ list, set: factsOf(set), chunks, size: set.records.length },
    };
    return this.seal('head', head);
  }

  openHead(sealed: Buffer, resource: Resource): CopyHead {
    const head = this.open('head', sealed);
    if (!isHead(head) || head.resource !== resource.name) throw new Error('the entry is no list of this resource');
    return head;
  }

  sealRejection(rejection: SharedRejection): Buffer {
    return this.seal('rejected', rejection);
  }

  openRejection(sealed: Buffer): SharedRejection {
    const rejection = this.open('rejected', sealed);
    if (!isRejection(rejection)) throw new Error('the rejection is unknown');
    return rejection;
  }

  /** Lets the event loop run. */
  async *sealRecords(id: string, { records }: RecordSet): AsyncGenerator<Buffer> {
    let position = 0;
    for await (const rows of iterateTimeSliced(formatRows(records, CHUNK_BYTES))) {
      yield this.sealer.seal(this.purposeOf(id, position), rows);
      position += 1;
    }
  }

  /** Reads the chunks one after the other, so that one of them is in memory. Undefined where one is missing. */
  async openRecords(
    { set, chunks, size }: CopyHead,
    origin: Pick<RecordSet, 'resource' | 'sourceNumber'>,
    read: (id: string, position: number) => Promise<Buffer | undefined>,
  ): Promise<RecordSet | undefined> {
    const records: StoredRecord[] = [];
    for (let position = 0; position < chunks.count; position += 1) {
      const sealed = await read(chunks.id, position);
      if (sealed === undefined) return undefined;
      const rows = this.sealer.open(this.purposeOf(chunks.id, position), sealed);
      for (const record of await readRows(origin.resource, rows)) records.push(record);
    }
    if (records.length !== size) throw new Error(`${records.length} records in place of ${size}`);
    return new RecordSet(origin.resource, origin, records, set);
  }

  private seal(kind: string, content: object): Buffer {
    return this.sealer.seal(`${kind} ${this.name}`, Buffer.from(JSON.stringify(content, encodeValue)));
  }

  private open(kind: string, sealed: Buffer): unknown {
    return JSON.parse(this.sealer.open(`${kind} ${this.name}`, sealed).toString(), decodeValue);
  }

  private purposeOf(id: string, position: number): string {
    return `records ${this.name} ${id} ${position}`;
  }
}

function isHead(json: unknown): json is CopyHead {
  const { list, set, chunks, size } = readParts(json);
  const { via, fetchedAt, verifiedAt, staleAt, weight } = readParts(list);
  const { contestedIds, readAt, unfetchedCount } = readParts(set);
  const { id, count } = readParts(chunks);
  const numbers = [fetchedAt, verifiedAt, staleAt, weight, readAt, unfetchedCount, count, size];
  const areOfTheirTypes = Array.isArray(via) && contestedIds instanceof Map && typeof id === 'string';
  return areOfTheirTypes && numbers.every((number) => typeof number === 'number');
}

function isRejection(json: unknown): json is SharedRejection {
  const { outcome, retryAt } = readParts(json);
  const { state, reason } = readParts(outcome);
  const isKnown = (['failed', 'suspended', 'excluded', 'partial'] as const).some(
    (one) => one === state && isReasonOf(one, String(reason)),
  );
  return isKnown && typeof retryAt === 'number';
}

function readParts(json: unknown): Readonly<Partial<Record<string, unknown>>> {
  return typeof json === 'object' && json !== null ? Object.fromEntries(Object.entries(json)) : {};
}
