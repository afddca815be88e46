/** What was odd about a source's data, by rule and field; `docs/data-quality.md` explains each rule. */
export type FindingCounts = ReadonlyMap<string, number>;

/** Everything that lenient reading does to a value, and everything that is dropped (decisions.md, section 4). */
export type FindingRule =
  | 'white-space'
  | 'not-text'
  | 'number-range'
  | 'list-for-scalar'
  | 'scalar-for-list'
  | 'nested-value'
  | 'bare-fax'
  | 'country-form'
  | 'unknown-country'
  | 'date-form'
  | 'unreadable-date'
  | 'future-date'
  | 'long-name'
  | 'not-an-email'
  | 'not-a-key'
  | 'not-a-url'
  | 'unsafe-url'
  | 'unknown-member-type'
  | 'foreign-property'
  | 'unsafe-name'
  | 'too-many-properties'
  | 'no-name'
  | 'not-a-record'
  | 'no-id'
  | 'id-range'
  | 'repeated-id'
  | 'registered-source'
  | 'no-public-keys'
  | 'key-form'
  | 'fingerprint-mismatch'
  | 'limit-ignored'
  | 'offset-ignored'
  | 'wrong-total'
  | 'drift';

/** Takes note of findings. */
export interface FindingSink {
  /** Counts one finding about a field. */
  add(field: string, rule: FindingRule): void;
}

/** Different findings that are counted by name; a source that makes up field names may not fill the memory with them. */
const MAX_NAMED_FINDINGS = 200;

/** Characters of a field's name that are told. */
const MAX_FIELD_LENGTH = 100;

/** Counts findings; a key is the rule, a space, and the field. */
export class FindingCounter implements FindingSink {
  private readonly counts = new Map<string, number>();
  /** Keys by rule and field: a sloppy source has the same findings in every record, and texts are dear to make. */
  private readonly keysByRule = new Map<FindingRule, Map<string, string>>();

  /** Counts one finding. */
  add(field: string, rule: FindingRule): void {
    this.increment(this.keysByRule.get(rule)?.get(field) ?? this.createKey(field, rule), 1);
  }

  private createKey(field: string, rule: FindingRule): string {
    const key = `${rule} ${field.length > MAX_FIELD_LENGTH ? `${field.slice(0, MAX_FIELD_LENGTH)}…` : field}`;
    if (this.counts.size >= MAX_NAMED_FINDINGS) return key;
    const keys = this.keysByRule.get(rule) ?? new Map<string, string>();
    this.keysByRule.set(rule, keys.set(field, key));
    return key;
  }

  /** Counts the findings of another counter as well. */
  addAll(findings: FindingCounts): void {
    for (const [key, times] of findings) this.increment(key, times);
  }

  private increment(named: string, times: number): void {
    const room = this.counts.has(named) || this.counts.size < MAX_NAMED_FINDINGS;
    const key = room ? named : `${named.split(' ', 1)[0] ?? ''} (other fields)`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + times);
  }

  /** The counts so far. */
  get findings(): FindingCounts {
    return this.counts;
  }
}
