import type { ExtraProperty, RecordRow } from '../model/record.js';
import { isListValue } from '../model/property-value.js';
import type { Scalar, PropertyValue } from '../model/property-value.js';

/** Maximum records of a sheet: many enough for its fixed overhead, few enough to be packed quickly. */
const MAX_ROWS = 128;

/**
 * Number of values, list items counted singly, at which a sheet is full. Deserializing a larger one, from another
 * thread, would block the event loop for too long.
 */
const MAX_PARTS = 16_384;

const NO_NAMES: readonly string[] = [];

/** What depends only on the resource. */
export interface SheetLayout {
  /** Number of properties with a fixed position. */
  readonly width: number;
  /** Absent if no property shows the id. */
  readonly idPosition?: number;
  /** For an integer id. The stored one is not final while records get their ids. */
  readonly integerIdPosition?: number;
}

/** Text beyond Latin-1 would double the size of the string that contains all texts of a sheet. */
const BEYOND_LATIN_1 = /[^\0-\xff]/;

export class SheetWriter {
  /** Index of the first slot of each record. */
  private readonly firstSlots: number[] = [];
  /** For each slot, twice the index of its first part, plus 1 if the value is a list. */
  private readonly slots: number[] = [];
  private readonly partEnds: number[] = [0];
  private readonly texts: string[] = [];
  private textLength = 0;
  private readonly extraNames: string[] = [];
  private readonly otherValues = new Map<number, Scalar>();

  constructor(private readonly layout: SheetLayout) {}

  get rows(): number {
    return this.firstSlots.length;
  }

  get isFull(): boolean {
    return this.rows === MAX_ROWS || this.partEnds.length > MAX_PARTS;
  }

  add({ values, extraProperties: further }: RecordRow): void {
    this.firstSlots.push(this.slots.length);
    for (let position = 0; position < this.layout.width; position += 1) this.addSlot(values[position]);
    for (const [name, value] of further) {
      this.extraNames.push(name);
      this.addSlot(value);
    }
  }

  private addSlot(value: PropertyValue | undefined): void {
    const begin = (this.partEnds.length - 1) * 2;
    if (value === undefined) this.slots.push(begin);
    else if (isListValue(value)) {
      this.slots.push(begin + 1);
      for (const item of value) this.addPart(item);
    } else {
      this.slots.push(begin);
      this.addPart(value);
    }
  }

  private addPart(value: Scalar): void {
    if (typeof value === 'string' && !BEYOND_LATIN_1.test(value)) {
      this.texts.push(value);
      this.textLength += value.length;
      this.partEnds.push(this.textLength);
    } else {
      this.otherValues.set(this.partEnds.length, value);
      this.partEnds.push(~this.textLength);
    }
  }

  finish(): PackedSheet {
    const { firstSlots: firsts, slots, partEnds: ends, extraNames: names, otherValues, layout } = this;
    const [slotsAt, endsAt] = [firsts.length + 1, firsts.length + slots.length + 2];
    const cells = new Int32Array(endsAt + ends.length);
    cells.set(firsts);
    cells[firsts.length] = slots.length;
    cells.set(slots, slotsAt);
    cells[endsAt - 1] = (ends.length - 1) * 2;
    cells.set(ends, endsAt);
    return {
      text: this.texts.join(''),
      cells,
      slotsOffset: slotsAt,
      endsOffset: endsAt,
      extraNames: names,
      otherValues,
      ...layout,
    };
  }
}

/**
 * A plain value that can be passed to another thread. Each property of a record is a slot; each scalar, or item of a
 * list, is a part of a slot.
 */
export interface PackedSheet extends SheetLayout {
  /** All Latin-1 texts, concatenated. */
  readonly text: string;
  /**
   * Three index tables, one after the other:
   *
   * - from 0, for each record: its first slot;
   * - from `slotsOffset`, for each slot: twice its first part, plus 1 if the value is a list;
   * - from `endsOffset`, for each part: the end of its text in `text`, or the bitwise complement (`~`) of that position
   *   for a part in `otherValues`.
   *
   * The first and second table end with an additional entry for the end of the last item; the third begins with one for
   * the start of the first part.
   */
  readonly cells: Int32Array<ArrayBuffer>;
  readonly slotsOffset: number;
  readonly endsOffset: number;
  /** Of all extra properties, record after record. */
  readonly extraNames: readonly string[];
  /** Values that are not Latin-1 text, by part number from 1. */
  readonly otherValues: ReadonlyMap<number, Scalar>;
}

export class SheetReader {
  constructor(private readonly packed: PackedSheet) {}

  get rows(): number {
    return this.packed.slotsOffset - 1;
  }

  get idPosition(): number | undefined {
    return this.packed.idPosition;
  }

  get integerIdPosition(): number | undefined {
    return this.packed.integerIdPosition;
  }

  valueAt(row: number, position: number): PropertyValue | undefined {
    return position < 0 ? undefined : this.readSlot(this.readCell(row) + position);
  }

  values(row: number): (PropertyValue | undefined)[] {
    const first = this.readCell(row);
    return Array.from({ length: this.packed.width }, (_, position) => this.readSlot(first + position));
  }

  extraProperties(row: number): readonly ExtraProperty[] {
    const from = this.readCell(row) + this.packed.width;
    return this.extraNames(row).map((name, at): ExtraProperty => [name, this.readSlot(from + at) ?? '']);
  }

  extraNames(row: number): readonly string[] {
    const { extraNames: names } = this.packed;
    return names.length === 0 ? NO_NAMES : names.slice(this.countExtraBefore(row), this.countExtraBefore(row + 1));
  }

  extraValue(row: number, name: string): PropertyValue | undefined {
    const { width, extraNames: names } = this.packed;
    const [from, to] = [this.countExtraBefore(row), this.countExtraBefore(row + 1)];
    for (let at = from; at < to; at += 1) if (names[at] === name) return this.readSlot((row + 1) * width + at);
    return undefined;
  }

  private countExtraBefore(row: number): number {
    return this.readCell(row) - row * this.packed.width;
  }

  private readSlot(slot: number): PropertyValue | undefined {
    const at = this.packed.slotsOffset + slot;
    const [begin, end] = [this.readCell(at), this.readCell(at + 1)];
    const [from, to] = [begin >> 1, end >> 1];
    if ((begin & 1) === 0) return from === to ? undefined : this.readPart(from);
    if (to - from === 1) return [this.readPart(from)];
    return Array.from({ length: to - from }, (_, nth) => this.readPart(from + nth));
  }

  private readPart(part: number): Scalar {
    const { text, otherValues, endsOffset: endsAt } = this.packed;
    const [before, end] = [this.readCell(endsAt + part), this.readCell(endsAt + part + 1)];
    if (end < 0) return otherValues.get(part + 1) ?? '';
    return text.slice(before < 0 ? ~before : before, end);
  }

  private readCell(at: number): number {
    return this.packed.cells[at] ?? 0;
  }
}
