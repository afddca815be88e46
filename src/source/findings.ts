/** What was odd about a source's data, by rule and field; `docs/data-quality.md` explains each rule. */
export type Findings = ReadonlyMap<string, number>;

/** Everything that lenient reading does to a value, and everything that is dropped (decisions.md, section 4). */
export type Rule =
  | 'white-space'
  | 'not-text'
  | 'list-for-scalar'
  | 'scalar-for-list'
  | 'nested-value'
  | 'bare-fax'
  | 'country-form'
  | 'unknown-country'
  | 'date-form'
  | 'unreadable-date'
  | 'foreign-property'
  | 'unsafe-name'
  | 'no-name'
  | 'not-a-record'
  | 'registered-source'
  | 'limit-ignored'
  | 'offset-ignored'
  | 'wrong-total'
  | 'drift';

/** Notes one finding about a field. */
export type Note = (field: string, rule: Rule) => void;

/** Different findings that are counted by name; a source that makes up field names may not fill the memory with them. */
const MOST_NAMED = 1_000;

/** Counts findings; a key is the rule, a space, and the field. */
export class FindingCounter {
  private readonly counts = new Map<string, number>();

  /** Counts one finding. */
  add(field: string, rule: Rule): void {
    const named = `${rule} ${field}`;
    this.count(this.counts.has(named) || this.counts.size < MOST_NAMED ? named : `${rule} (other fields)`, 1);
  }

  /** Counts the findings of another counter as well. */
  addAll(findings: Findings): void {
    for (const [key, times] of findings) this.count(key, times);
  }

  private count(key: string, times: number): void {
    this.counts.set(key, (this.counts.get(key) ?? 0) + times);
  }

  /** The counts so far. */
  get findings(): Findings {
    return this.counts;
  }
}
