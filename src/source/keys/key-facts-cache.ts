import type { KeyFacts } from './key-reader-thread.js';

/** Besides texts and packets. */
const ENTRY_OVERHEAD_BYTES = 512;

interface CachedFacts {
  readonly facts: KeyFacts | null;
  readonly bytes: number;
  /** On the clock of `performance`. */
  readonly expiresAt: number;
}

/** By the hash of their text; null for an unreadable one. Evicts the least recently used first. */
export class KeyFactsCache {
  /** Least recently used first. */
  private readonly entries = new Map<string, CachedFacts>();
  private bytes = 0;

  constructor(private readonly maxBytes: number) {}

  /** Undefined where they are not cached. */
  get(hash: string): KeyFacts | null | undefined {
    const entry = this.entries.get(hash);
    if (entry === undefined || performance.now() >= entry.expiresAt) return undefined;
    this.entries.delete(hash);
    this.entries.set(hash, entry);
    return entry.facts;
  }

  /** `lifetime`: in milliseconds. */
  put(hash: string, facts: KeyFacts | null, lifetime = Infinity): void {
    this.remove(hash);
    const bytes = ENTRY_OVERHEAD_BYTES + countBytes(facts);
    this.entries.set(hash, { facts, bytes, expiresAt: performance.now() + lifetime });
    this.bytes += bytes;
    for (const oldest of this.entries.keys()) {
      if (this.bytes <= this.maxBytes) return;
      this.remove(oldest);
    }
  }

  private remove(hash: string): void {
    this.bytes -= this.entries.get(hash)?.bytes ?? 0;
    this.entries.delete(hash);
  }
}

/** Besides the characters. */
const TEXT_OVERHEAD_BYTES = 32;

function countBytes(facts: KeyFacts | null): number {
  if (facts === null) return 0;
  const { primary, subkeys, details = [] } = facts;
  const texts = [...primary, ...subkeys, ...details.flatMap((one) => [...one.emails, ...one.subkeys])];
  const packets = details.reduce((sum, one) => sum + ENTRY_OVERHEAD_BYTES + (one.packets?.length ?? 0), 0);
  return texts.reduce((sum, text) => sum + TEXT_OVERHEAD_BYTES + text.length, packets);
}
