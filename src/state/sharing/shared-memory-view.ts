import type { SourceFingerprints } from '../../config/config-fingerprint.js';
import type { DateAgreement } from '../../gateway/agreed-dates.js';
import type { AccessLevel } from '../../model/access-level.js';
import { isListQuery } from '../../source/request/source-query.js';
import type { SourceQuery } from '../../source/request/source-query.js';
import type { SnapshotSharing } from '../../source/snapshot-sharing.js';
import { EntryReader } from './entries/entry-reader.js';
import type { ListIdentity } from './entries/entry-reader.js';
import type { ObservedList, SharedMemory } from './shared-memory.js';
import { SharedQueryResult } from './shared-query-result.js';
import { SharedSnapshotList } from './shared-snapshot-list.js';
import type { SharedSnapshotListOptions } from './shared-snapshot-list.js';
import { SourceRemovals } from './source-removals.js';

interface SharedSource {
  readonly code: string;
  readonly number: number;
  readonly access: AccessLevel;
  readonly fingerprints: SourceFingerprints;
  /** Differs between credentials with which the source may give other records. */
  readonly credentials: string;
}

interface ObservedSource {
  readonly removals: SourceRemovals;
  readonly lists: Map<string, SharedSnapshotList>;
}

/**
 * The shared memory as one configuration uses it. A view begins `prepared`, and may share lists, but follows changes
 * only while it is `active` (operation 6.2).
 */
export class SharedMemoryView {
  /** By the name of the source in the shared memory. */
  private readonly sources = new Map<string, ObservedSource>();
  private readonly agreementListeners = new Set<() => void>();
  private readonly ends: (() => void)[] = [];
  private state: 'prepared' | 'active' | 'detached' = 'prepared';

  constructor(private readonly memory: SharedMemory) {}

  get agreement(): DateAgreement {
    return this.memory;
  }

  /** Only while the view is active. */
  onAgreementChange(listener: () => void): void {
    this.agreementListeners.add(listener);
    if (this.state === 'active') this.callOnChange(listener);
  }

  /** Members data is shared only where it is encrypted: undefined at members access without a key (operation 2.5.4). */
  forSource(source: SharedSource): SnapshotSharing | undefined {
    if (source.access === 'members' && !this.memory.sealer.isSealing) return undefined;
    const listeners: (() => void)[] = [];
    const name = this.nameSource(source);
    const onRemoved = (): void => {
      for (const listener of listeners) listener();
    };
    const removals = new SourceRemovals({ memory: this.memory, name, onRemoved });
    const observed: ObservedSource = { removals, lists: new Map() };
    this.sources.set(name, observed);
    this.observe(name, removals);
    return {
      share: (query, holder) => this.createList(source, observed, { query, holder }),
      shareResult: (query, holder) => {
        const { memory } = this;
        const identity = this.identify(source, query);
        const reader = new EntryReader(memory, identity, { sourceNumber: source.number });
        return new SharedQueryResult({ memory, identity, reader, holder, removals });
      },
      forget: () => removals.remove(),
      onForget: (listener) => void listeners.push(listener),
    };
  }

  /**
   * Race with a change: (1) the sources of this view are warmed up; (2) another instance replaces or removes what was
   * read; (3) the view is activated, and gets snapshots of the previous one, which may not have followed the change
   * yet. So everything that was read before the activation is compared with the shared memory.
   */
  activate(previous?: SharedMemoryView): void {
    this.state = 'active';
    for (const listener of this.agreementListeners) this.callOnChange(listener);
    for (const [name, { removals, lists }] of this.sources) {
      const earlier = previous?.memory === this.memory ? previous.sources.get(name) : undefined;
      this.memory.observe(name, removals);
      if (earlier !== undefined) removals.continueFrom(earlier.removals);
      if (lists.size > 0 || earlier !== undefined) removals.noteChange(-Infinity);
      for (const [listName, list] of lists) {
        this.memory.observe(listName, list);
        list.compare();
      }
    }
  }

  /** From now on nothing is put into the caches. */
  detach(): void {
    this.state = 'detached';
    for (const end of this.ends) end();
    for (const [name, { removals, lists }] of this.sources) {
      this.memory.unobserve(name, removals);
      for (const [listName, list] of lists) this.memory.unobserve(listName, list);
    }
  }

  private callOnChange(listener: () => void): void {
    this.ends.push(this.memory.onAgreementChange(listener));
  }

  private observe(name: string, observer: ObservedList): void {
    if (this.state === 'active') this.memory.observe(name, observer);
  }

  private createList(
    source: SharedSource,
    { removals, lists }: ObservedSource,
    { query, holder }: Pick<SharedSnapshotListOptions, 'holder'> & { readonly query: SourceQuery },
  ): SharedSnapshotList {
    const { memory } = this;
    const { number: sourceNumber } = source;
    const identity = this.identify(source, query);
    const { name } = identity;
    const siblingName = isListQuery(query) ? this.nameOf(source, toSibling(query)) : undefined;
    const origin = { sourceNumber };
    const list = new SharedSnapshotList({ memory, identity, siblingName, origin, holder, removals });
    lists.set(name, list);
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
    // A result with more top records serves queries for fewer, so their number is no part.
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
