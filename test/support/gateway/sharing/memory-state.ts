import type { RejectedResult, SharedEntry, SharedState } from '../../../../src/state/sharing/shared-store.js';

/** An entry with what a reader does not see. */
export interface StoredEntry extends SharedEntry {
  readonly waitAt: number;
  readonly recordsId: string;
  readonly expiresAt: number;
}

/** An epoch, and the state of the server at its beginning, which shows lost writes. */
export interface StoredEpoch extends Readonly<SharedState['epoch']> {
  readonly configuration: string;
  /** Number of the process of the server in which it began. */
  readonly run: number;
  /** Whether there are changes, unless they were evicted. */
  readonly hasChanges: boolean;
}

/** Everything that a memory contains. Values are replaced and never changed. */
export interface MemoryState {
  /** Number of the last change: also of the last token, so that no number of a name is used twice. */
  sequence: number;
  epoch: StoredEpoch | undefined;
  readonly members: Map<string, { readonly configuration: string; readonly expiresAt: number }>;
  readonly entries: Map<string, StoredEntry>;
  /** Number of the last change of each entry, and of the last removal of each source. */
  readonly changes: Map<string, number>;
  /** The last lease of each name, unless it was given up. */
  readonly leases: Map<string, { readonly token: number; readonly until: number }>;
  readonly rejected: Map<string, RejectedResult & { readonly token: number; readonly expiresAt: number }>;
  readonly records: Map<string, { readonly chunks: readonly Buffer[]; readonly expiresAt: number }>;
}

/** Returns a state that contains nothing. */
export function emptyState(): MemoryState {
  return {
    sequence: 0,
    epoch: undefined,
    members: new Map(),
    entries: new Map(),
    changes: new Map(),
    leases: new Map(),
    rejected: new Map(),
    records: new Map(),
  };
}

/** Returns a copy that later changes do not reach. */
export function copyState(state: MemoryState): MemoryState {
  return {
    sequence: state.sequence,
    epoch: state.epoch,
    members: new Map(state.members),
    entries: new Map(state.entries),
    changes: new Map(state.changes),
    leases: new Map(state.leases),
    rejected: new Map(state.rejected),
    records: new Map(state.records),
  };
}
