/**
 * Number of data-quality findings about a source by rule and field (decisions 4.1). `docs/data-quality.md` explains the
 * rules.
 */
export type FindingCounts = ReadonlyMap<string, number>;

/**
 * The rules of data quality: what lenient reading changes, drops or finds wrong in values, records and paging
 * (decisions 4.1; `docs/data-quality.md`).
 */
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
  | 'expression-failed'
  | 'expression-empty'
  | 'repeated-column'
  | 'mixed-encoding'
  | 'row-length'
  | 'limit-ignored'
  | 'offset-ignored'
  | 'wrong-total'
  | 'drift';

/** Receives findings. */
export interface FindingSink {
  /** Counts one finding about a field. */
  add(field: string, rule: FindingRule): void;
}

/**
 * Maximum number of findings that are counted under their own names. Bounds memory when a source invents field names.
 */
const MAX_NAMED_FINDINGS = 200;

/** Maximum length of a field name in a finding, in characters. */
const MAX_FIELD_LENGTH = 100;

/** Counts findings. A key consists of the rule, a space and the field. */
export class FindingCounter implements FindingSink {
  private readonly counts = new Map<string, number>();
  /**
   * Keys by rule and field. A careless source causes the same findings in every record, and creating texts is
   * expensive.
   */
  private readonly keysByRule = new Map<FindingRule, Map<string, string>>();

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

  /** Adds the counts of another counter. */
  addAll(findings: FindingCounts): void {
    for (const [key, times] of findings) this.increment(key, times);
  }

  private increment(named: string, times: number): void {
    const room = this.counts.has(named) || this.counts.size < MAX_NAMED_FINDINGS;
    const key = room ? named : `${named.split(' ', 1)[0] ?? ''} (other fields)`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + times);
  }

  get findings(): FindingCounts {
    return this.counts;
  }
}
