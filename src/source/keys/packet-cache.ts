import { createHash } from 'node:crypto';
import type { KeyFacts } from './key-reader-thread.js';

/** Maximum size of all packets, in bytes: some ten thousand usual keys. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Memory of an entry besides its packets, in bytes. */
const ENTRY_OVERHEAD_BYTES = 512;

interface CachedFacts {
  readonly facts: KeyFacts | null;
  readonly bytes: number;
}

/**
 * Keys with their packets by the hash of their text; null for an unreadable text. Each keyring reads all keys of its page
 * (decisions 3.17), and a client may request many pages. The least recently used keys are evicted first.
 */
export class PacketCache {
  /** Least recently used first. */
  private readonly entries = new Map<string, CachedFacts>();
  private bytes = 0;

  constructor(private readonly maxBytes = MAX_BYTES) {}

  /** The facts of a text; undefined where they are not cached. */
  get(text: string): KeyFacts | null | undefined {
    const key = hash(text);
    const entry = this.entries.get(key);
    if (entry === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry.facts;
  }

  put(text: string, facts: KeyFacts | null): void {
    const key = hash(text);
    this.remove(key);
    const bytes = ENTRY_OVERHEAD_BYTES + countPacketBytes(facts);
    this.entries.set(key, { facts, bytes });
    this.bytes += bytes;
    for (const oldest of this.entries.keys()) {
      if (this.bytes <= this.maxBytes) return;
      this.remove(oldest);
    }
  }

  private remove(key: string): void {
    this.bytes -= this.entries.get(key)?.bytes ?? 0;
    this.entries.delete(key);
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function countPacketBytes(facts: KeyFacts | null): number {
  return (facts?.details ?? []).reduce((sum, { packets }) => sum + (packets?.length ?? 0), 0);
}
