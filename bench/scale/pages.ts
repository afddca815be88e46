import type { Raw } from '../records.js';
import type { Subject } from '../subjects/subject.js';

/** A page that is asked for; `before` narrows it to what was published earlier. */
export interface Cut {
  readonly offset: number;
  readonly limit: number;
  readonly before: string | undefined;
}

/**
 * The records of one source as JSON, written once, the newest first where they were published: whatever page is asked for is a piece of them
 * with an envelope around it.
 */
export class Pages {
  private readonly text: Buffer;
  /** Where each record begins; behind the last one, where all end. */
  private readonly starts: Uint32Array;
  /** Milliseconds since 1970, descending; empty where records were not published. */
  private readonly dates: Float64Array;

  constructor(
    private readonly subject: Subject,
    records: readonly Raw[],
  ) {
    const dated = records.map((record) => ({ record, at: Date.parse(String(record['published'])) }));
    const published = subject.name === 'news';
    if (published) dated.sort((a, b) => b.at - a.at);
    const parts = dated.map(({ record }) => Buffer.from(`${JSON.stringify(record)},`));
    this.dates = Float64Array.from(published ? dated : [], ({ at }) => at);
    this.text = Buffer.concat(parts);
    this.starts = new Uint32Array(parts.length + 1);
    for (const [at, part] of parts.entries()) this.starts[at + 1] = (this.starts[at] ?? 0) + part.length;
  }

  /** One page, in its envelope. */
  page({ offset, limit, before }: Cut): Buffer {
    const from = before === undefined ? 0 : this.firstBefore(Date.parse(before));
    const total = this.starts.length - 1 - from;
    const [start, end] = [Math.min(offset, total), Math.min(offset + limit, total)].map((at) => this.starts[from + at]);
    const text = JSON.stringify(this.subject.envelope({ total, limit, offset, data: [] }));
    // The data are the last of an envelope; the comma behind the last record is none of the page.
    const records = this.text.subarray(start, start === end ? end : (end ?? 0) - 1);
    return Buffer.concat([Buffer.from(text.slice(0, -2)), records, Buffer.from(']}')]);
  }

  private firstBefore(instant: number): number {
    let [low, high] = [0, this.dates.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.dates[middle] ?? 0) < instant) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
