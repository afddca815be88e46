import type { SourceFingerprints } from '../../../config/config-fingerprint.js';
import type { RecordOrigin } from '../../../records/record-set.js';
import type { RecordSet } from '../../../records/record-set.js';
import type { SourceQuery } from '../../../source/request/source-query.js';
import { createRecordSet } from '../../snapshots/snapshot-head.js';
import { ForgedEntryError } from '../../../lists/store/redis/entry-sealer.js';
import { SealedRecords } from './sealed-records.js';
import { parseSharedHead } from './shared-head.js';
import type { SharedHead } from './shared-head.js';
import type { SharedMemory } from '../shared-memory.js';
import { parseSharedRejection } from './shared-rejection.js';
import type { StoredRejection } from './shared-rejection.js';
import type { RejectedResult, SharedEntry } from '../shared-store.js';

export interface ListIdentity {
  readonly name: string;
  readonly source: { readonly code: string; readonly fingerprints: SourceFingerprints };
  readonly query: SourceQuery;
}

/**
 * Reads what is stored under one name. Refuses and reports what no instance of this gateway wrote there (operation
 * 2.5.4).
 */
export class EntryReader {
  constructor(
    private readonly memory: SharedMemory,
    private readonly identity: ListIdentity,
    private readonly origin: RecordOrigin,
  ) {}

  openHead(entry: SharedEntry): SharedHead | undefined {
    const { memory, identity } = this;
    return this.orRefuse(() => {
      const head = parseSharedHead(memory.sealer.open(`head ${identity.name}`, entry.head));
      const { source, query } = head.snapshot;
      if (source !== identity.source.code || query.resource !== identity.query.resource)
        throw new Error('the entry is of another list');
      if (!memory.time.isSoon(entry.activeAt)) throw new Error('the entry becomes active too late');
      if (!memory.time.isPast(head.snapshot.verifiedAt)) throw new Error('the entry has a time in the future');
      return head;
    });
  }

  openRejection({ result }: RejectedResult): StoredRejection | undefined {
    const { memory, identity } = this;
    return this.orRefuse(() => parseSharedRejection(memory.sealer.open(`rejected ${identity.name}`, result)));
  }

  /** Undefined where the records are refused, or cannot be read. */
  async loadRecords({ snapshot }: SharedHead): Promise<RecordSet | undefined> {
    const { memory, identity, origin } = this;
    const { records } = snapshot;
    try {
      const sealed = new SealedRecords(memory.sealer, records.file);
      const loaded = await sealed.open(memory.store.readRecords(records.file), records);
      return createRecordSet(snapshot, loaded, origin);
    } catch (error) {
      if (error instanceof ForgedEntryError) memory.noteRefused(identity.source.code, error);
      return undefined;
    }
  }

  private orRefuse<T>(read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      this.memory.noteRefused(this.identity.source.code, error);
      return undefined;
    }
  }
}
