import type { SourceFingerprints } from '../../config/config-fingerprint.js';
import type { DateAgreement } from '../../gateway/agreed-dates.js';
import type { AccessLevel } from '../../model/access-level.js';
import { isListQuery } from '../../source/request/source-query.js';
import type { SourceQuery } from '../../source/request/source-query.js';
import type { SharedListHolder, SnapshotSharing } from '../../source/snapshot-sharing.js';
import type { SharedMemory } from './shared-memory.js';
import { SharedSnapshotList } from './shared-snapshot-list.js';

/** A source at an access level, as it is registered. */
export interface SharedSource {
  readonly code: string;
  readonly number: number;
  readonly access: AccessLevel;
  readonly fingerprints: SourceFingerprints;
  /** Text that differs between credentials of this gateway at the source with which it may get other records. */
  readonly credentials: string;
}

/**
 * The shared memory as one configuration uses it. After a reload, the caches of the earlier configuration no longer follow
 * it (operation 6.2).
 */
export class SharedMemoryView {
  private readonly lists = new Map<string, SharedSnapshotList>();
  private readonly ends: (() => void)[] = [];

  constructor(private readonly memory: SharedMemory) {}

  /** Whether this instance serves what the others serve. */
  get agreement(): DateAgreement {
    return this.memory;
  }

  /** Calls a function whenever the agreement begins or ends, until the view is detached. */
  onAgreementChange(listener: () => void): void {
    this.ends.push(this.memory.onAgreementChange(listener));
  }

  /**
   * The lists of a source. Members data is shared only where it is encrypted: undefined at members access without a key
   * (operation 2.5.4).
   */
  forSource(source: SharedSource): SnapshotSharing | undefined {
    if (source.access === 'members' && !this.memory.sealer.isSealing) return undefined;
    const names: string[] = [];
    return {
      share: (query, holder) => {
        const list = this.createList(source, query, holder);
        names.push(list.identity.name);
        return list;
      },
      forget: () => {
        if (names.length > 0) void this.memory.store.remove(names).catch(() => undefined);
      },
    };
  }

  /** From now on nothing is put into the caches. */
  detach(): void {
    for (const end of this.ends) end();
    for (const [name, list] of this.lists) this.memory.unobserve(name, list);
  }

  private createList(source: SharedSource, query: SourceQuery, holder: SharedListHolder): SharedSnapshotList {
    const { memory } = this;
    const { code, number: sourceNumber, access, fingerprints } = source;
    const name = this.nameOf(source, query);
    const sibling = isListQuery(query) ? this.nameOf(source, toSibling(query)) : undefined;
    const identity = { name, source: { code, fingerprints }, query };
    const list = new SharedSnapshotList({ memory, identity, siblingName: sibling, sourceNumber, access, holder });
    this.lists.set(name, list);
    memory.observe(name, list);
    // A snapshot of an earlier configuration may have been replaced without its notice, or be of another memory.
    list.noteChange(-Infinity, true);
    return list;
  }

  /** Instances with another definition of the source have other names, so that they never exchange records. */
  private nameOf(
    { code, access, fingerprints, credentials }: SharedSource,
    { resource, parameters, completeAtAnySize }: SourceQuery,
  ): string {
    const { definition, context } = fingerprints;
    const source = [access, code, definition, context, access === 'members' ? credentials : ''];
    return this.memory.sealer.hashName(
      JSON.stringify([...source, resource.name, parameters, completeAtAnySize === true]),
    );
  }
}

/** The small and the large list of a resource have the same records at different times. */
function toSibling({ completeAtAnySize, ...query }: SourceQuery): SourceQuery {
  return completeAtAnySize === true ? query : { ...query, completeAtAnySize: true };
}
