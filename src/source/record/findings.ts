import type { Resource } from '../../model/resource.js';

/** By rule and field (decisions 4.1; `docs/data-quality.md`). */
export type FindingCounts = ReadonlyMap<string, number>;

/** What lenient reading changes, drops or finds wrong in values, records and paging. */
export type FindingRule =
  | 'white-space'
  | 'not-text'
  | 'number-range'
  | 'list-for-scalar'
  | 'nested-value'
  | 'bare-fax'
  | 'address-form'
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
  | 'shared-id'
  | 'id-collision'
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
  | 'overlapping-pages'
  | 'unread-pages'
  | 'wrong-total'
  | 'drift';

/** For the operator (operation 3.5). Texts of the source in it are bounded. */
export interface FindingExample {
  /** Id or name; empty if it has none. */
  readonly record: string;
  /** As received, cut to about 100 characters. */
  readonly value: string;
}

/** By the key of the finding, as in `FindingCounts`; at most three of each. */
export type FindingExamples = ReadonlyMap<string, readonly FindingExample[]>;

export interface FindingSubject {
  createExample(field: string): FindingExample;
}

/** The value could not be read, or was lost (decisions 4.6). */
export const UNREAD_VALUE_RULES: readonly FindingRule[] = [
  'unknown-country',
  'unreadable-date',
  'nested-value',
  'number-range',
  'expression-failed',
];

/** For findings not counted under their own names. */
export const OTHER_FIELDS = '(other fields)';

/** Among the unread properties it stands for records left out without a name or id, where these could not be read. */
export const WHOLE_RECORD = '(record)';

/**
 * No filter on them finds all records that it should. `OTHER_FIELDS` may be any property; with `WHOLE_RECORD`, no query
 * finds them all.
 */
export function listUnreadProperties(findings: FindingCounts, { nameProperties }: Resource): readonly string[] {
  const unread = [...findings.keys()]
    .map((key) => ({ rule: key.slice(0, key.indexOf(' ')), field: key.slice(key.indexOf(' ') + 1) }))
    .filter(({ rule }) => UNREAD_VALUE_RULES.some((one) => one === rule));
  const properties = new Set(unread.map(({ field }) => field));
  const required = [
    ...(findings.has(`no-name ${WHOLE_RECORD}`) ? nameProperties : []),
    ...(findings.has(`no-id ${WHOLE_RECORD}`) ? ['id'] : []),
  ];
  return [...properties, ...(required.some((name) => properties.has(name)) ? [WHOLE_RECORD] : [])];
}

export interface FindingSink {
  /** `subject`: the record that the finding is about. */
  add(field: string, rule: FindingRule, subject?: FindingSubject): void;
}

/** Counted under their own names. Bounds memory when a source invents field names. */
export const MAX_NAMED_FINDINGS = 200;

/** In characters. */
const MAX_FIELD_LENGTH = 100;

export const MAX_EXAMPLES = 3;

/** A key consists of the rule, a space and the field. */
export class FindingCounter implements FindingSink {
  private readonly counts = new Map<string, number>();
  private examplesByKey: Map<string, readonly FindingExample[]> | undefined;
  /** By rule and field: a careless source causes the same findings in every record, and creating texts is expensive. */
  private readonly keysByRule = new Map<FindingRule, Map<string, string>>();

  add(field: string, rule: FindingRule, subject?: FindingSubject): void {
    const key = this.boundKey(this.keysByRule.get(rule)?.get(field) ?? this.createKey(field, rule));
    const count = (this.counts.get(key) ?? 0) + 1;
    this.counts.set(key, count);
    // A careless source causes one with every record.
    if (count <= MAX_EXAMPLES && subject !== undefined) this.addExample(key, subject.createExample(field));
  }

  private addExample(key: string, example: FindingExample): void {
    this.examplesByKey ??= new Map();
    this.examplesByKey.set(key, [...(this.examplesByKey.get(key) ?? []), example]);
  }

  private createKey(field: string, rule: FindingRule): string {
    const key = `${rule} ${field.length > MAX_FIELD_LENGTH ? `${field.slice(0, MAX_FIELD_LENGTH)}…` : field}`;
    if (this.counts.size >= MAX_NAMED_FINDINGS) return key;
    const keys = this.keysByRule.get(rule) ?? new Map<string, string>();
    this.keysByRule.set(rule, keys.set(field, key));
    return key;
  }

  addAll(findings: FindingCounts): void {
    for (const [named, times] of findings) {
      const key = this.boundKey(named);
      this.counts.set(key, (this.counts.get(key) ?? 0) + times);
    }
  }

  /** Once there are too many keys, all further fields of a rule share one. */
  private boundKey(key: string): string {
    const hasRoom = this.counts.has(key) || this.counts.size < MAX_NAMED_FINDINGS;
    return hasRoom ? key : `${key.split(' ', 1)[0] ?? ''} ${OTHER_FIELDS}`;
  }

  get findings(): FindingCounts {
    return this.counts;
  }

  get examples(): FindingExamples | undefined {
    return this.examplesByKey;
  }
}
