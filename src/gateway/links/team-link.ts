import type { StoredRecord } from '../../model/record.js';

/** What two records that are probably of one team have in common (decisions 2.38). */
export type LinkFact =
  /** Both state the same complete fingerprint: 40 or 64 hexadecimal digits in capitals. */
  | { readonly kind: 'key'; readonly fingerprint: string }
  /** Both have the address, here in lower case. */
  | { readonly kind: 'e-mail'; readonly address: string }
  /** Both have an address or website in the registrable domain, and equal names. `name` is as the first record has it. */
  | { readonly kind: 'domain-and-name'; readonly domain: string; readonly name: string };

/** Why two records are probably of one team. */
export type LinkReason = LinkFact & {
  /** Number of the records that have the key, the address or the name; only where a repository has several of them. */
  readonly holders?: number;
};

/** A property that both records have with different values. */
export interface Disagreement {
  readonly property: string;
  /** Values of the record from which the link leads. */
  readonly here: readonly string[];
  /** Values of the linked record. */
  readonly there: readonly string[];
}

/** A record of another repository that is probably of the same team. The records are never merged. */
export interface TeamLink {
  readonly record: StoredRecord;
  /** At least one, in the order of `LinkFact`. */
  readonly reasons: readonly LinkReason[];
  /** In the order of the properties of the resource. */
  readonly disagreements: readonly Disagreement[];
}
