import type { StoredRecord } from '../../model/record.js';

/** What two records have in common (decisions 2.38). */
export type LinkFact =
  /** 40 or 64 hexadecimal digits in capitals. */
  | { readonly kind: 'key'; readonly fingerprint: string }
  /** In lower case. */
  | { readonly kind: 'e-mail'; readonly address: string }
  /** An address or website of both is in the domain, and their names are equal. `name` is the first record's. */
  | { readonly kind: 'domain-and-name'; readonly domain: string; readonly name: string };

export type LinkReason = LinkFact & {
  /** Number of records with the key, the address or the name; only where a repository has several of them. */
  readonly holders?: number;
};

/** A property with different values. */
export interface Disagreement {
  readonly property: string;
  /** Of the record from which the link leads. */
  readonly here: readonly string[];
  /** Of the linked record. */
  readonly there: readonly string[];
}

/** Leads to a record of another repository that is probably of the same team. The records are never merged. */
export interface TeamLink {
  readonly record: StoredRecord;
  /** At least one, in the order of `LinkFact`. */
  readonly reasons: readonly LinkReason[];
  /** In the order of the properties of the resource. */
  readonly disagreements: readonly Disagreement[];
}

/** Two records of a group that are linked directly, in the order of the group. */
export interface RecordPair {
  readonly records: readonly [StoredRecord, StoredRecord];
  readonly reasons: readonly LinkReason[];
}
