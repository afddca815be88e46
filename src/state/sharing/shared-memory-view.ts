import type { SourceFingerprints } from '../../config/config-fingerprint.js';
import type { DateAgreement } from '../../gateway/agreed-dates.js';
import type { AccessLevel } from '../../model/access-level.js';
import { isListQuery } from '../../source/request/source-query.js';
import type { SourceQuery } from '../../source/request/source-query.js';
import type { SnapshotSharing } from '../../source/snapshot-sharing.js';
import { EntryReader } from './entries/entry-reader.js';
import type { ListIdentity } from './entries/entry-reader.js';
import type { ObservedList, SharedMemory } from './shared-memory.js';
import { SharedResult } from './shared-result.js';
import { SharedSnapshotList } from './shared-snapshot-list.js';
import type { SharedSnapshotListOptions } from './shared-snapshot-list.js';
import { SourceRemovals } from './source-removals.js';

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
  private readonly observers = new Map<string, ObservedList>();
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
    const listeners: (() => void)[] = [];
    const name = this.nameSource(source);
    const onRemoved = (): void => {
      for (const listener of listeners) listener();
    };
    const removals = new SourceRemovals({ memory: this.memory, name, onRemoved });
    this.observe(name, removals);
    return {
      share: (query, holder) => this.createList(source, { query, holder, removals }),
      shareResult: (query, holder) => {
        const { memory } = this;
        const identity = this.identify(source, query);
        const reader = new EntryReader(memory, identity, { sourceNumber: source.number, access: source.access });
        return new SharedResult({ memory, identity, reader, holder, removals });
      },
      forget: () => removals.remove(),
      onForget: (listener) => void listeners.push(listener),
    };
  }

  /** From now on nothing is put into the caches. */
  detach(): void {
    for (const end of this.ends) end();
    for (const [name, list] of this.observers) this.memory.unobserve(name, list);
  }

  private observe(name: string, observer: ObservedList): void {
    this.observers.set(name, observer);
    this.memory.observe(name, observer);
  }

  private createList(
    source: SharedSource,
    { query, ...parts }: Pick<SharedSnapshotListOptions, 'holder' | 'removals'> & { readonly query: SourceQuery },
  ): SharedSnapshotList {
    const { memory } = this;
    const { number: sourceNumber, access } = source;
    const identity = this.identify(source, query);
    const { name } = identity;
    const sibling = isListQuery(query) ? this.nameOf(source, toSibling(query)) : undefined;
    const origin = { sourceNumber, access };
    const list = new SharedSnapshotList({ memory, identity, siblingName: sibling, origin, ...parts });
    this.observe(name, list);
    return list;
  }

  private identify(source: SharedSource, query: SourceQuery): ListIdentity {
    const { code, fingerprints } = source;
    return { name: this.nameOf(source, query), source: { code, fingerprints }, query };
  }

  /** Instances with another definition of the source have other names, so that they never exchange records. */
  private nameSource({ code, access, fingerprints, credentials }: SharedSource): string {
    const { definition, context } = fingerprints;
    const source = [access, code, definition, context, access === 'members' ? credentials : ''];
    return this.memory.sealer.hashName(JSON.stringify(source));
  }

  private nameOf(
    source: SharedSource,
    { resource, parameters, completeAtAnySize, nativeId, pushDown }: SourceQuery,
  ): string {
    // The number of top records is no part: a result with more of them serves queries for fewer.
    const order = pushDown?.topRecords?.order;
    const exact = pushDown?.exact.map(({ name }) => name);
    const pushed = pushDown && [exact, pushDown.hasExactTotal, order];
    const requested = JSON.stringify([resource.name, parameters, completeAtAnySize === true, nativeId, pushed]);
    return `${this.nameSource(source)}.${this.memory.sealer.hashName(requested)}`;
  }
}

/** The small and the large list of a resource have the same records at different times. */
function toSibling({ completeAtAnySize, ...query }: SourceQuery): SourceQuery {
  return completeAtAnySize === true ? query : { ...query, completeAtAnySize: true };
}
