import { LRUCache } from 'lru-cache';

/**
 * One bound in bytes over several levels. When room is needed the levels give way in the order in which they were added, all of the first
 * before anything of the second; within a level the least recently used goes first. Nothing gives way to what is on a level before its own.
 */
export class Budget {
  private readonly levels: GivingWay[] = [];

  private isHalfFull = false;

  /** `memory` is in bytes. `filled` is told when more than half of it comes to be taken, and when that is over. */
  constructor(
    private readonly memory: number,
    private readonly filled: (isHalfFull: boolean) => void = () => undefined,
  ) {}

  /** Adds a level, which gives way after those that were added before it. `gone` is told of what is held no longer. */
  level<T extends object>(gone: (value: T) => void = () => undefined): Level<T> {
    const level: Level<T> = new Level<T>(this.memory, {
      room: (bytes) => this.room(level, bytes),
      gone,
    });
    this.levels.push(level);
    return level;
  }

  /** Makes room for so many bytes more on a level, if that can be done. */
  private room(level: GivingWay, bytes: number): boolean {
    const yielding = this.levels.slice(0, this.levels.indexOf(level) + 1);
    const staying = this.levels.slice(yielding.length).reduce((sum, { bytes }) => sum + bytes, 0);
    if (staying + bytes > this.memory) return false;
    let held = this.levels.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const other of yielding) while (held + bytes > this.memory && other.bytes > 0) held -= other.giveWay();
    this.tell(held + bytes);
    return true;
  }

  private tell(held: number): void {
    const isHalfFull = held > this.memory / 2;
    if (isHalfFull === this.isHalfFull) return;
    this.isHalfFull = isHalfFull;
    this.filled(isHalfFull);
  }
}

interface GivingWay {
  /** Bytes that are held on it. */
  readonly bytes: number;
  /** Lets go of one entry; returns its bytes. */
  giveWay(): number;
}

interface Entry<T> {
  value: T;
  readonly bytes: number;
}

interface LevelParts<T> {
  readonly room: (bytes: number) => boolean;
  readonly gone: (value: T) => void;
}

/** One level of what is held. An entry for which there is no room is not kept: who put it there has its value all the same. */
export class Level<T extends object> implements GivingWay {
  private readonly entries: LRUCache<string, Entry<T>>;

  constructor(
    memory: number,
    private readonly parts: LevelParts<T>,
  ) {
    this.entries = new LRUCache({ maxSize: memory, sizeCalculation: ({ bytes }) => bytes });
  }

  get bytes(): number {
    return this.entries.calculatedSize;
  }

  /** What is held under the key, which makes it the most recently used. */
  get(key: string): T | undefined {
    return this.entries.get(key)?.value;
  }

  /** Holds a value of `bytes` bytes in place of what was held under the key. Returns whether there is room for it. */
  put(key: string, value: T, bytes: number): boolean {
    const before = this.entries.get(key);
    const entry = { value, bytes: Math.max(1, Math.ceil(bytes)) };
    if (before?.bytes === entry.bytes) return this.replace(before, value);
    this.entries.delete(key);
    if (before !== undefined && before.value !== value) this.parts.gone(before.value);
    const kept = this.parts.room(entry.bytes);
    if (kept) this.entries.set(key, entry);
    else if (before?.value === value) this.parts.gone(value);
    return kept;
  }

  /** Needs no other room than is taken. */
  private replace(entry: Entry<T>, value: T): true {
    const before = entry.value;
    entry.value = value;
    if (before !== value) this.parts.gone(before);
    return true;
  }

  /** Lets go of every entry of which this is said. */
  drop(which: (value: T) => boolean): void {
    for (const [key, entry] of [...this.entries.entries()]) {
      if (!which(entry.value)) continue;
      this.entries.delete(key);
      this.lost(entry);
    }
  }

  giveWay(): number {
    const entry = this.entries.pop();
    return entry === undefined ? 0 : this.lost(entry);
  }

  private lost({ value, bytes }: Entry<T>): number {
    this.parts.gone(value);
    return bytes;
  }
}
