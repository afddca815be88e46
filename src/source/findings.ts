/** What was odd about a source's data, by rule and field; `docs/data-quality.md` explains each rule. */
export type Findings = ReadonlyMap<string, number>;

/** Everything that lenient reading does to a value, and everything that is dropped (decisions.md, section 4). */
export type Rule =
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
export interface Notes {
  /** Counts one finding about a field. */
  add(field: string, rule: Rule): void;
}

/** Different findings that are counted by name; a source that makes up field names may not fill the memory with them. */
const MOST_NAMED = 200;

/** Characters of a field's name that are told. */
const LONGEST_FIELD = 100;

/** Counts findings; a key is the rule, a space, and the field. */
export class FindingCounter implements Notes {
  private readonly counts = new Map<string, number>();
  /** Keys by rule and field: a sloppy source has the same findings in every record, and texts are dear to make. */
  private readonly keys = new Map<Rule, Map<string, string>>();

  /** Counts one finding. */
  add(field: string, rule: Rule): void {
    this.count(this.keys.get(rule)?.get(field) ?? this.name(field, rule), 1);
  }

  private name(field: string, rule: Rule): string {
    const key = `${rule} ${field.length > LONGEST_FIELD ? `${field.slice(0, LONGEST_FIELD)}…` : field}`;
    if (this.counts.size >= MOST_NAMED) return key;
    const keys = this.keys.get(rule) ?? new Map<string, string>();
    this.keys.set(rule, keys.set(field, key));
    return key;
  }

  /** Counts the findings of another counter as well. */
  addAll(findings: Findings): void {
    for (const [key, times] of findings) this.count(key, times);
  }

  private count(named: string, times: number): void {
    const room = this.counts.has(named) || this.counts.size < MOST_NAMED;
    const key = room ? named : `${named.split(' ', 1)[0] ?? ''} (other fields)`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + times);
  }

  /** The counts so far. */
  get findings(): Findings {
    return this.counts;
  }
}
