/** The sample repositories that have teams: three directories, three with a data interface, and a published list. */
export type Repository = 'harbour' | 'lantern' | 'attic' | 'chronicle' | 'beacon' | 'quay' | 'ledger';

/** What a team protects. Each repository has its own vocabulary for it. */
export const sectors = [
  'national',
  'government',
  'education',
  'finance',
  'energy',
  'transport',
  'health',
  'telecom',
  'vendor',
  'other',
] as const;

export type Sector = (typeof sectors)[number];

/** The properties of a team that do not depend on the repository, with the names of the directory interface. */
export interface Entry {
  readonly 'short-team-name'?: string;
  readonly 'official-team-name'?: string;
  readonly 'postal-address'?: string;
  readonly 'country-code'?: string;
  readonly 'additional-country-code'?: readonly string[];
  readonly website?: readonly string[];
  readonly email?: string;
  readonly host?: string;
  readonly establishment?: string;
  readonly 'phone-numbers'?: readonly string[];
  /** Fingerprints with `0x`: made-up ones, and in a `Listing` those of keys. */
  readonly enckeys?: readonly string[];
  readonly 'operating-hours'?: string;
  readonly 'constituency-description'?: string;
  readonly 'last-modified'?: string;
}

/** The names of a team as another directory may spell them. */
export type Names = Required<Pick<Entry, 'short-team-name' | 'official-team-name'>>;

/** A fictitious team and the repositories that list it, the one with the most exact data first. */
export interface Team {
  readonly homes: readonly Repository[];
  readonly sector: Sector;
  readonly entry: Entry;
  /** The names in Latin letters without diacritics. */
  readonly latin: Names;
}
