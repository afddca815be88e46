import type { DraftRecord, ExtraProperty, StoredRecord, RecordRow } from '../model/record.js';
import { listStoredProperties, findPropertyPosition } from '../model/resource.js';
import type { Resource } from '../model/resource.js';
import type { PropertyValue } from '../model/property-value.js';
import { SheetReader, SheetWriter } from './packed-sheet.js';
import type { PackedSheet, SheetLayout } from './packed-sheet.js';

/**
 * Packs records into few large objects (sheets), because the garbage collector copies and scans about 27 texts and
 * lists for each plain record. Without it, a record set takes half as much memory again, and a drain a third more CPU
 * time (`memory` and `drain` in bench/bounds.ts).
 */
export class RecordPacker {
  private readonly sealedSheets: PackedSheet[] = [];
  private readonly ids: string[] = [];
  private readonly layout: SheetLayout;
  private openSheet: SheetWriter;

  constructor(resource: Resource) {
    const width = listStoredProperties(resource).length;
    const position = findPropertyPosition(resource, 'id');
    this.layout = {
      width,
      ...(resource.idKind === 'slug' && { idPosition: position }),
      ...(resource.idKind === 'integer' && { integerIdPosition: position }),
    };
    this.openSheet = new SheetWriter(this.layout);
  }

  /** Keeps only the record's texts. */
  add(row: RecordRow, id = ''): void {
    this.ids.push(id);
    this.openSheet.add(row);
    if (this.openSheet.isFull) this.sealSheet();
  }

  get records(): readonly DraftRecord[] {
    return unpackRecords(this.sheets, this.ids);
  }

  /** Without ids, in a form that can be passed to another thread. */
  get sheets(): readonly PackedSheet[] {
    if (this.openSheet.rows > 0) this.sealSheet();
    return this.sealedSheets;
  }

  private sealSheet(): void {
    this.sealedSheets.push(this.openSheet.finish());
    this.openSheet = new SheetWriter(this.layout);
  }
}

/** The id of the first record is at the position `firstId`; ids may be unknown. */
export function unpackRecords(sheets: readonly PackedSheet[], ids: readonly string[] = [], firstId = 0): DraftRecord[] {
  const records: DraftRecord[] = [];
  for (const packed of sheets) {
    const sheet = new SheetReader(packed);
    for (let row = 0; row < sheet.rows; row += 1)
      records.push(new PackedRecord(ids[firstId + records.length] ?? '', sheet, row));
  }
  return records;
}

/** A property that the record already has gets the new value at its old place; others are appended. */
export function withExtraProperties(record: StoredRecord, more: readonly ExtraProperty[]): StoredRecord {
  const replacements = new Map(more);
  const replaced = record.extraProperties.map(([name, value]): ExtraProperty => [
    name,
    replacements.get(name) ?? value,
  ]);
  const further = [...replaced, ...more.filter(([name]) => !record.extraNames.includes(name))];
  return {
    id: record.id,
    extraProperties: further,
    extraNames: further.map(([name]) => name),
    valueAt: (position) => record.valueAt(position),
    extraValue: (name) => further.find(([one]) => one === name)?.[1],
    get values() {
      return record.values;
    },
  };
}

class PackedRecord implements DraftRecord {
  constructor(
    public id: string,
    private readonly sheet: SheetReader,
    private readonly row: number,
  ) {}

  get values(): readonly (PropertyValue | undefined)[] {
    const { id, sheet, row } = this;
    const values = sheet.values(row);
    if (id !== '' && sheet.idPosition !== undefined) values[sheet.idPosition] = id;
    if (id !== '' && sheet.integerIdPosition !== undefined) values[sheet.integerIdPosition] = Number(id);
    return values;
  }

  get extraProperties(): readonly ExtraProperty[] {
    return this.sheet.extraProperties(this.row);
  }

  get extraNames(): readonly string[] {
    return this.sheet.extraNames(this.row);
  }

  extraValue(name: string): PropertyValue | undefined {
    return this.sheet.extraValue(this.row, name);
  }

  valueAt(position: number): PropertyValue | undefined {
    const { id, sheet, row } = this;
    if (id !== '' && position === sheet.idPosition) return id;
    return id !== '' && position === sheet.integerIdPosition ? Number(id) : sheet.valueAt(row, position);
  }

  withoutId(): DraftRecord {
    return new PackedRecord('', this.sheet, this.row);
  }
}
