import { forEachTimeSliced } from '../../event-loop/time-slicing.js';
import type { StoredRecord } from '../../model/record.js';

/** Maximum number of ids that are remembered of one source: a directory loses a few teams a month. */
const MAX_IDS = 10_000;

/**
 * Ids of teams that a source gave up: an earlier complete list had them and the next one had not (decisions 2.35). They
 * are remembered as long as the snapshots of the source, the most recent ones of them.
 */
export class FormerIds {
  private readonly ids = new Set<string>();
  private pending: Promise<void> = Promise.resolve();

  /** Notes that a list replaced another one. */
  note(before: readonly StoredRecord[], after: readonly StoredRecord[]): void {
    this.pending = this.pending.then(() => this.compare(before, after));
  }

  /** Whether the source gave up the id, according to all replacements that were noted before. */
  async has(id: string): Promise<boolean> {
    await this.pending;
    return this.ids.has(id);
  }

  /** Lists the ids, according to all replacements that were noted before. */
  async list(): Promise<readonly string[]> {
    await this.pending;
    return [...this.ids];
  }

  /** Adds the ids that an earlier process knew. */
  restore(ids: readonly string[]): void {
    for (const id of ids) this.add(id);
  }

  private async compare(before: readonly StoredRecord[], after: readonly StoredRecord[]): Promise<void> {
    const present = new Set<string>();
    await forEachTimeSliced(after, ({ id }) => present.add(id));
    await forEachTimeSliced(before, ({ id }) => {
      if (!present.has(id)) this.add(id);
    });
  }

  private add(id: string): void {
    this.ids.delete(id);
    this.ids.add(id);
    const [oldest] = this.ids;
    if (this.ids.size > MAX_IDS && oldest !== undefined) this.ids.delete(oldest);
  }
}
