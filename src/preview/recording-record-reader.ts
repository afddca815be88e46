import type { RecordRow } from '../model/record.js';
import type { FindingRule, FindingSink } from '../source/record/findings.js';
import { RecordReader } from '../source/record/record-reader.js';
import type { ReadingTime } from '../source/record/read-value.js';

export interface RecordReading {
  /** Before it was read, in the property names of this gateway. */
  readonly raw: unknown;
  readonly isKept: boolean;
  readonly findings: readonly { readonly field: string; readonly rule: FindingRule }[];
}

/** Reads as every `RecordReader` does, and keeps what it found about each record. */
export class RecordingRecordReader extends RecordReader {
  readonly readings: RecordReading[] = [];

  override read(raw: unknown, findings: FindingSink, now: ReadingTime): RecordRow | undefined {
    const found: { readonly field: string; readonly rule: FindingRule }[] = [];
    const sink: FindingSink = {
      add: (field, rule) => {
        found.push({ field, rule });
        findings.add(field, rule);
      },
    };
    const row = super.read(raw, sink, now);
    this.readings.push({ raw, isKept: row !== undefined, findings: found });
    return row;
  }
}
