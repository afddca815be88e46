/** What is further inside is replaced, so that the report can be written as JSON. */
const MAX_DEPTH = 64;

/** For a report: without credentials, and not too deep to be written. */
export class Sanitizer {
  /** Replaces credentials of this gateway, which a source may repeat (decisions 8.4). */
  constructor(readonly redact: (text: string) => string) {}

  copy(value: unknown, depth = 0): unknown {
    if (typeof value === 'string') return this.redact(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth === MAX_DEPTH) return '…';
    if (Array.isArray(value)) return value.map((one) => this.copy(one, depth + 1));
    const entries = Object.entries(value).map(([name, one]) => [this.redact(name), this.copy(one, depth + 1)] as const);
    return Object.fromEntries(entries);
  }

  copyRecord(record: ReadonlyMap<string, unknown>): Readonly<Record<string, unknown>> {
    return Object.fromEntries([...record].map(([name, value]) => [this.redact(name), this.copy(value)]));
  }
}
