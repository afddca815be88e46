import type { Draft, Further, HeldRecord, Row } from '../model/record.js';
import { columnsOf, positionOf } from '../model/resource.js';
import type { Resource } from '../model/resource.js';
import { isList } from '../model/value.js';
import type { Scalar, Value } from '../model/value.js';

/** Records of one sheet: enough that what a sheet takes beside their texts does not count, and few enough that it is written in no time. */
const ROWS = 128;

/** Properties from which on a sheet takes no further record: sheets come from another thread, and to deserialise one with more takes longer than a turn of the event loop may. */
const SLOTS = 16_384;

/**
 * Packs records as they come, many into few objects: as objects each is some 27 texts and lists, which the garbage collector copies twice and scans for
 * as long as they are held. The bounds of memory and of a drain (bench/README.md) rest on it: without it a set takes half as much again, and a drain a third more CPU.
 */
export class Packer {
  private readonly sealed: Packed[] = [];
  private readonly ids: string[] = [];
  private readonly layout: Layout;
  private sheet: Writing;

  constructor(resource: Resource) {
    const width = columnsOf(resource).length;
    this.layout = resource.id === 'slug' ? { width, shown: positionOf(resource, 'id') } : { width };
    this.sheet = new Writing(this.layout);
  }

  /** Adds a record; of what is handed in nothing is kept but its texts. */
  add(row: Row, id = ''): void {
    this.ids.push(id);
    this.sheet.add(row);
    if (this.sheet.isFull) this.seal();
  }

  /** All that were added, in their order. */
  get records(): readonly Draft[] {
    return recordsOn(this.sheets, this.ids);
  }

  /** The same without ids, as they can be handed to another thread. */
  get sheets(): readonly Packed[] {
    if (this.sheet.rows > 0) this.seal();
    return this.sealed;
  }

  private seal(): void {
    this.sealed.push(this.sheet.written());
    this.sheet = new Writing(this.layout);
  }
}

/** The records of sheets, in their order, with their ids where these are known. */
export function recordsOn(sheets: readonly Packed[], ids: readonly string[] = []): Draft[] {
  const records: Draft[] = [];
  for (const packed of sheets) {
    const sheet = new Sheet(packed);
    for (let row = 0; row < sheet.rows; row += 1) records.push(new PackedRecord(ids[records.length] ?? '', sheet, row));
  }
  return records;
}

/** The record with other further properties: one that it has gets another value in its place, the rest follow. */
export function withFurther(record: HeldRecord, more: readonly Further[]): HeldRecord {
  const given = new Map(more);
  const kept = record.further.map(([name, value]): Further => [name, given.get(name) ?? value]);
  const further = [...kept, ...more.filter(([name]) => !record.names.includes(name))];
  return {
    id: record.id,
    further,
    names: further.map(([name]) => name),
    value: (position) => record.value(position),
    named: (name) => further.find(([one]) => one === name)?.[1],
    get values() {
      return record.values;
    },
  };
}

interface Layout {
  /** Properties that each record has a place for. */
  readonly width: number;
  /** Position of the property that shows the id; absent where none does. */
  readonly shown?: number;
}

/** What stands beyond Latin-1 would double the bytes of all texts that stand with it. */
const BEYOND_LATIN_1 = /[^\0-\xff]/;

/** A sheet that is being written. */
class Writing {
  /** The first slot of each record. */
  private readonly firsts: number[] = [];
  /** The first part of each slot, and whether it is a list. */
  private readonly slots: number[] = [];
  private readonly ends: number[] = [0];
  private readonly texts: string[] = [];
  private length = 0;
  private readonly names: string[] = [];
  private readonly apart = new Map<number, Scalar>();

  constructor(private readonly layout: Layout) {}

  get rows(): number {
    return this.firsts.length;
  }

  get isFull(): boolean {
    return this.rows === ROWS || this.ends.length > SLOTS;
  }

  add({ values, further }: Row): void {
    this.firsts.push(this.slots.length);
    for (let position = 0; position < this.layout.width; position += 1) this.slot(values[position]);
    for (const [name, value] of further) {
      this.names.push(name);
      this.slot(value);
    }
  }

  private slot(value: Value | undefined): void {
    const begin = (this.ends.length - 1) * 2;
    if (value === undefined) this.slots.push(begin);
    else if (isList(value)) {
      this.slots.push(begin + 1);
      for (const item of value) this.part(item);
    } else {
      this.slots.push(begin);
      this.part(value);
    }
  }

  private part(value: Scalar): void {
    if (typeof value === 'string' && !BEYOND_LATIN_1.test(value)) {
      this.texts.push(value);
      this.length += value.length;
      this.ends.push(this.length);
    } else {
      this.apart.set(this.ends.length, value);
      this.ends.push(~this.length);
    }
  }

  written(): Packed {
    const { firsts, slots, ends, names, apart, layout } = this;
    const [slotsAt, endsAt] = [firsts.length + 1, firsts.length + slots.length + 2];
    const cells = new Int32Array(endsAt + ends.length);
    cells.set(firsts);
    cells[firsts.length] = slots.length;
    cells.set(slots, slotsAt);
    cells[endsAt - 1] = (ends.length - 1) * 2;
    cells.set(ends, endsAt);
    return { text: this.texts.join(''), cells, slotsAt, endsAt, names, apart, ...layout };
  }
}

/** What a sheet is made of: a plain value, which can be handed to another thread. */
export interface Packed extends Layout {
  /** All texts of Latin-1, one behind the other. */
  readonly text: string;
  /**
   * Where things are, one list for all: of each record its first slot; from `slotsAt` on, of each slot its first part, twice, and 1 more
   * where it is a list; from `endsAt` on, of each part where it ends in the text, or `~` of it for one that stands apart. Of all three there is one
   * more than there are.
   */
  readonly cells: Int32Array<ArrayBuffer>;
  readonly slotsAt: number;
  readonly endsAt: number;
  /** Of all further properties, record after record. */
  readonly names: readonly string[];
  /** What is no text of Latin-1, by part. */
  readonly apart: ReadonlyMap<number, Scalar>;
}

class Sheet {
  constructor(private readonly parts: Packed) {}

  get rows(): number {
    return this.parts.slotsAt - 1;
  }

  get shown(): number | undefined {
    return this.parts.shown;
  }

  value(row: number, position: number): Value | undefined {
    return position < 0 ? undefined : this.slot(this.cell(row) + position);
  }

  values(row: number): (Value | undefined)[] {
    const first = this.cell(row);
    return Array.from({ length: this.parts.width }, (_, position) => this.slot(first + position));
  }

  further(row: number): readonly Further[] {
    const from = this.cell(row) + this.parts.width;
    return this.names(row).map((name, at): Further => [name, this.slot(from + at) ?? '']);
  }

  names(row: number): readonly string[] {
    const { names } = this.parts;
    return names.length === 0 ? NO_NAMES : names.slice(this.before(row), this.before(row + 1));
  }

  named(row: number, name: string): Value | undefined {
    const { width, names } = this.parts;
    const [from, to] = [this.before(row), this.before(row + 1)];
    for (let at = from; at < to; at += 1) if (names[at] === name) return this.slot((row + 1) * width + at);
    return undefined;
  }

  /** Further properties of the records before this one. */
  private before(row: number): number {
    return this.cell(row) - row * this.parts.width;
  }

  private slot(slot: number): Value | undefined {
    const at = this.parts.slotsAt + slot;
    const [begin, end] = [this.cell(at), this.cell(at + 1)];
    const [from, to] = [begin >> 1, end >> 1];
    if ((begin & 1) === 0) return from === to ? undefined : this.part(from);
    if (to - from === 1) return [this.part(from)];
    return Array.from({ length: to - from }, (_, nth) => this.part(from + nth));
  }

  private part(part: number): Scalar {
    const { text, apart, endsAt } = this.parts;
    const [before, end] = [this.cell(endsAt + part), this.cell(endsAt + part + 1)];
    if (end < 0) return apart.get(part + 1) ?? '';
    return text.slice(before < 0 ? ~before : before, end);
  }

  private cell(at: number): number {
    return this.parts.cells[at] ?? 0;
  }
}

const NO_NAMES: readonly string[] = [];

class PackedRecord implements Draft {
  constructor(
    public id: string,
    private readonly sheet: Sheet,
    private readonly row: number,
  ) {}

  get values(): readonly (Value | undefined)[] {
    const { id, sheet, row } = this;
    const values = sheet.values(row);
    if (id !== '' && sheet.shown !== undefined) values[sheet.shown] = id;
    return values;
  }

  get further(): readonly Further[] {
    return this.sheet.further(this.row);
  }

  get names(): readonly string[] {
    return this.sheet.names(this.row);
  }

  named(name: string): Value | undefined {
    return this.sheet.named(this.row, name);
  }

  value(position: number): Value | undefined {
    return position === this.sheet.shown && this.id !== '' ? this.id : this.sheet.value(this.row, position);
  }

  anew(): Draft {
    return new PackedRecord('', this.sheet, this.row);
  }
}
