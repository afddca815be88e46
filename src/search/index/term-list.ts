import { BLOCK } from './compact-counts.js';
import type { CompactCounts } from './compact-counts.js';
import { readUnit, sizeOfUnit, toUnitBytes } from './unit-bytes.js';

/** Terms are sorted by their UTF-16 code units. */
export class TermList {
  readonly bytes: Uint8Array;
  private readonly lengths: CompactCounts;

  constructor(bytes: Uint8Array, lengths: CompactCounts) {
    this.bytes = bytes;
    this.lengths = lengths;
  }

  get size(): number {
    return this.lengths.length;
  }

  find(text: string): number | undefined {
    const searched = toUnitBytes(text);
    const at = this.firstFrom(text);
    const isFound = at < this.size && this.bytesOf(at) === searched.length && this.beginsWith(at, searched);
    return isFound ? at : undefined;
  }

  *findFrom(beginning: string): Generator<number, void, undefined> {
    const searched = toUnitBytes(beginning);
    for (let at = this.firstFrom(beginning); at < this.size && this.beginsWith(at, searched); at += 1) yield at;
  }

  firstFrom(text: string): number {
    const searched = toUnitBytes(text);
    let [low, high] = [0, Math.ceil(this.size / BLOCK)];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.compare(middle * BLOCK, searched) < 0) low = middle + 1;
      else high = middle;
    }
    let at = Math.max(0, low - 1) * BLOCK;
    while (at < this.size && this.compare(at, searched) < 0) at += 1;
    return at;
  }

  /** The next term that does not begin with the first `length` bytes of this one. */
  firstBehind(term: number, length: number): number {
    const from = this.startOf(term);
    let at = term + 1;
    while (at < this.size && this.beginsAs(at, from, length))
      at = at % BLOCK === 0 ? this.leap(at, from, length) : at + 1;
    return at;
  }

  /**
   * From the beginning of a block as far as terms have the same beginning, in steps that double: at least to the next
   * term.
   */
  private leap(term: number, from: number, length: number): number {
    let [known, step] = [term, BLOCK];
    while (known + step < this.size && this.beginsAs(known + step, from, length)) {
      known += step;
      step *= 2;
    }
    return Math.max(known, term + 1);
  }

  private beginsAs(term: number, from: number, length: number): boolean {
    if (this.bytesOf(term) < length) return false;
    const { bytes } = this;
    // Neighbours differ at the end first.
    for (let at = length - 1, start = this.startOf(term); at >= 0; at -= 1)
      if (bytes[start + at] !== bytes[from + at]) return false;
    return true;
  }

  textOf(term: number): string {
    const end = this.startOf(term) + this.bytesOf(term);
    const units: number[] = [];
    for (let at = this.startOf(term); at < end; at += sizeOfUnit(this.bytes[at] ?? 0))
      units.push(readUnit(this.bytes, at));
    return String.fromCharCode(...units);
  }

  lengthOf(term: number): number {
    const from = this.startOf(term);
    const bytes = this.bytesOf(term);
    let length = bytes;
    for (let at = from; at < from + bytes; at += 1) if (((this.bytes[at] ?? 0) & 0xc0) === 0x80) length -= 1;
    return length;
  }

  countCommonBytes(term: number, text: Uint8Array): number {
    const from = this.startOf(term);
    const most = Math.min(this.bytesOf(term), text.length);
    let common = 0;
    while (common < most && this.bytes[from + common] === text[common]) common += 1;
    return common;
  }

  /** The byte is below 128. */
  countByte(term: number, byte: number): number {
    const from = this.startOf(term);
    let count = 0;
    for (let at = from + this.bytesOf(term) - 1; at >= from; at -= 1) if (this.bytes[at] === byte) count += 1;
    return count;
  }

  bytesOf(term: number): number {
    return this.lengths.get(term);
  }

  startOf(term: number): number {
    return this.lengths.sumBefore(term);
  }

  private beginsWith(term: number, beginning: Uint8Array): boolean {
    return this.compare(term, beginning) === 0;
  }

  /** 0 where the term begins with the text. */
  private compare(term: number, searched: Uint8Array): number {
    const from = this.startOf(term);
    const length = this.bytesOf(term);
    for (let at = 0; at < searched.length; at += 1) {
      if (at >= length) return -1;
      const difference = (this.bytes[from + at] ?? 0) - (searched[at] ?? 0);
      if (difference !== 0) return difference;
    }
    return 0;
  }
}
