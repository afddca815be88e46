import type { Log } from '../model/log.js';

/** Facts of a warning that are kept, in this order. */
const KEPT = ['resource', 'capability', 'reason', 'detail', 'evidence'];

/** A log that keeps what is worth a warning, by source. */
export class Notes implements Log {
  private readonly notes = new Map<string, string[]>();

  info(): void {
    // What went well shows in the counts.
  }

  warn(facts: object, message: string): void {
    const told = new Map<string, unknown>(Object.entries(facts));
    const kept = KEPT.flatMap((name) => (told.has(name) ? [String(told.get(name))] : []));
    const source = String(told.get('source'));
    this.notes.set(source, [...this.of(source), [message, ...kept].join(', ')]);
  }

  error(facts: object, message: string): void {
    this.warn(facts, message);
  }

  /** What was said of the source of a code. */
  of(source: string): readonly string[] {
    return this.notes.get(source) ?? [];
  }
}
