import type { AccessLevel } from '../model/access-level.js';
import type { DocumentNode } from '../model/document-node.js';

export interface RenderOptions {
  readonly pretty: boolean;
}

/** Each format reads the parts that its row in the table of formats names. */
export interface RenderInput {
  /** An envelope, a bare list, a single item or an error. Its lists may be generators, which are iterated once. */
  readonly document: DocumentNode;
  /** The document as rows and columns. */
  readonly table: Table;
  readonly facts: ResponseFacts;
  /** Iterated once. */
  readonly items: Iterable<RecordItem>;
  /** Of all matches. */
  readonly countries: CountryCounts;
  readonly keyring: Keyring;
}

/**
 * Needed besides the facts. Only this part is prepared. `table`: the document is not read; `rows`: neither are the
 * columns of the table, whose names are found by reading all matches.
 */
export type FormatInput = 'document' | 'table' | 'rows' | 'items' | 'countries' | 'keyring';

export interface Table {
  /** Sheet: the path of the resource (`teams`, `news`, `channels`), or `error`. */
  readonly name: string;
  /** Empty where the format has no columns. */
  readonly columns: readonly string[];
  /** By column name; a list is a cell with several items. Iterated once. */
  readonly rows: Iterable<ReadonlyMap<string, DocumentNode>>;
  /** For the sheet `About` of XLSX (decisions 3.9), in order. */
  readonly metadata: ReadonlyMap<string, DocumentNode>;
}

/** Where a response is from, which matches it is of, and what each source contributed. */
export interface ResponseFacts {
  /** Of this page; relative where the gateway has no public URL. */
  readonly address: string;
  readonly access: AccessLevel;
  /** Number of matches. */
  readonly total: number;
  /** When the list last changed, in milliseconds since 1970. */
  readonly newest?: number | undefined;
  readonly completeness: 'complete' | 'stale' | 'partial';
  /** Absent for a single record. */
  readonly page?: { readonly offset: number; readonly count: number };
  /** All registered sources; for a single record its owner. */
  readonly sources: readonly ContributingSource[];
  /** Neither fresh nor excluded, as in the envelope (decisions 6.4). */
  readonly incompleteSources: readonly ReadonlyMap<string, DocumentNode>[];
}

export interface ContributingSource {
  readonly sourceName: string;
  /** Decisions 6.1. */
  readonly state: string;
  /** Decisions 6.3; absent for `fresh`. */
  readonly reason?: string;
  /** The reason in words; absent for `fresh`. It contains no text of the source. */
  readonly description?: string;
  readonly detail: Readonly<Record<string, string | number>>;
  /** Absent where the source contributed no records. */
  readonly records?: number;
  /** The source's own count, where it did not contribute all of its records and reported the number. */
  readonly total?: number;
  /** Matches that are counted and were not fetched, because the source is large. Absent: 0. */
  readonly unfetched?: number;
}

/** What identifies a record, whatever properties are shown. */
export interface RecordItem {
  readonly id: string;
  /** Name or title; the id where the record has none. */
  readonly title: string;
  readonly sourceName: string;
  /** As JSON; undefined where the gateway has no public URL, or the id has no UTF-8. */
  readonly address: string | undefined;
  readonly properties: ReadonlyMap<string, DocumentNode>;
  /** About keys among the properties that programs cannot use, or should not (decisions 3.16). */
  readonly keyProblems?: readonly string[];
}

/** Numbers of matches. A team of two countries counts for both. */
export interface CountryCounts {
  /** By ISO 3166-1 alpha-2 code. */
  readonly counts: ReadonlyMap<string, number>;
  readonly withoutCountry: number;
  /** Matches that large sources count, but that were not fetched and are not in `counts`. */
  readonly uncounted: number;
}

export interface Keyring {
  /** Records whose keys were collected. */
  readonly teams: number;
  readonly keys: readonly UsableKey[];
  readonly omitted: readonly OmittedKey[];
}

export interface UsableKey {
  readonly fingerprint: string;
  /** RFC 9580, section 4. */
  readonly packets: Uint8Array;
}

export interface OmittedKey {
  readonly teamId: string;
  readonly sourceName: string;
  /** Undefined for a key that cannot be read. */
  readonly fingerprint: string | undefined;
  readonly reason: string;
  /** Armored blocks that the entry stands for. Absent: 1. */
  readonly blocks?: number;
}

/** The other parts are empty: for a format that does not read them, and for errors. */
export function createRenderInput(parts: Partial<RenderInput>): RenderInput {
  return {
    document: new Map(),
    table: { name: '', columns: [], rows: [], metadata: new Map() },
    facts: { address: '', access: 'public', total: 0, completeness: 'complete', sources: [], incompleteSources: [] },
    items: [],
    countries: { counts: new Map(), withoutCountry: 0, uncounted: 0 },
    keyring: { teams: 0, keys: [], omitted: [] },
    ...parts,
  };
}
