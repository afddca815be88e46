import type { AccessLevel } from '../model/access-level.js';
import type { DocumentNode } from '../model/document-node.js';

/** Options of a renderer. */
export interface RenderOptions {
  readonly pretty: boolean;
}

/** A response as input of a renderer. Each format reads the parts that its row in the table of formats names. */
export interface RenderInput {
  /**
   * The complete document: an envelope, a bare list, a single item or an error. Its lists may be generators, which are
   * iterated once.
   */
  readonly document: DocumentNode;
  /** The same as rows and columns. */
  readonly table: Table;
  /** What the response rests on. */
  readonly facts: ResponseFacts;
  /** The records with what identifies them. Iterated once. */
  readonly items: Iterable<RecordItem>;
  /** Numbers of all matches. */
  readonly countries: CountryCounts;
  /** The keys of the records. */
  readonly keyring: Keyring;
}

/**
 * The part of the input that a format needs besides the facts. Only this part is prepared. `table`: the document is not
 * read; `rows`: neither are the columns of the table, whose names are found by reading all matches.
 */
export type FormatInput = 'document' | 'table' | 'rows' | 'items' | 'countries' | 'keyring';

/** A response as rows and columns. */
export interface Table {
  /** Name of the sheet: the path of the resource (`teams`, `news`, `channels`), or `error`. */
  readonly name: string;
  /** Empty where the format has no columns. */
  readonly columns: readonly string[];
  /** Rows by column name; a list is a cell with several items. Iterated once. */
  readonly rows: Iterable<ReadonlyMap<string, DocumentNode>>;
  /** Content of the sheet `About` of XLSX (decisions 3.9), in order. */
  readonly metadata: ReadonlyMap<string, DocumentNode>;
}

/** What a response rests on: where it is from, which matches it is of, and what each source contributed. */
export interface ResponseFacts {
  /** Address of this page; relative where the gateway has no public URL. */
  readonly address: string;
  readonly access: AccessLevel;
  /** Number of matches. */
  readonly total: number;
  /** When the list last changed, in milliseconds since 1970. */
  readonly newest?: number | undefined;
  readonly completeness: 'complete' | 'stale' | 'partial';
  /** Which of the matches the records are. Absent for a single record. */
  readonly page?: ShownPage;
  /** All registered sources; for a single record its owner. */
  readonly sources: readonly ContributingSource[];
  /** The sources that are neither fresh nor excluded, as the envelope lists them (decisions 6.4). */
  readonly incompleteSources: readonly ReadonlyMap<string, DocumentNode>[];
}

/** Which matches a page has. */
export interface ShownPage {
  /** Number of matches before it. */
  readonly offset: number;
  /** Number of its records. */
  readonly count: number;
}

/** What one source contributed to a response. */
export interface ContributingSource {
  readonly sourceName: string;
  /** A state of (decisions 6.1). */
  readonly state: string;
  /** A reason of (decisions 6.3); absent for `fresh`. */
  readonly reason?: string;
  /** The reason in words; absent for `fresh`. It contains no text of the source. */
  readonly description?: string;
  /** Details of a failure by name. */
  readonly detail: Readonly<Record<string, string | number>>;
  /** Number of its records; absent where it contributed none. */
  readonly records?: number;
  /** Number of records that the source itself counts, where it did not contribute all of them and reported it. */
  readonly total?: number;
  /** Number of its matches that are counted and were not fetched, because the source is large. Absent: 0. */
  readonly unfetched?: number;
}

/** A record with what identifies it, whatever properties are shown. */
export interface RecordItem {
  readonly id: string;
  /** Name or title; the id where it has none. */
  readonly title: string;
  readonly sourceName: string;
  /** Address of the record as JSON; undefined where the gateway has no public URL, or the id has no UTF-8. */
  readonly address: string | undefined;
  /** The properties that are shown. */
  readonly properties: ReadonlyMap<string, DocumentNode>;
  /** Statements about keys among the properties that programs cannot use, or should not (decisions 3.16). Absent: none. */
  readonly keyProblems?: readonly string[];
}

/** Numbers of matches. A team of two countries counts for both. */
export interface CountryCounts {
  /** By ISO 3166-1 alpha-2 code. */
  readonly counts: ReadonlyMap<string, number>;
  /** Number of matches without a country. */
  readonly withoutCountry: number;
  /** Number of matches that large sources count, but that were not fetched and are not in `counts`. */
  readonly uncounted: number;
}

/** The OpenPGP keys of the records of a page. */
export interface Keyring {
  /** Number of records whose keys were collected. */
  readonly teams: number;
  readonly keys: readonly UsableKey[];
  readonly omitted: readonly OmittedKey[];
}

/** A key that programs can import. */
export interface UsableKey {
  readonly fingerprint: string;
  /** Its packets (RFC 9580, section 4). */
  readonly packets: Uint8Array;
}

/** A key that is left out of a keyring. */
export interface OmittedKey {
  readonly teamId: string;
  readonly sourceName: string;
  /** Undefined for a key that cannot be read. */
  readonly fingerprint: string | undefined;
  readonly reason: string;
  /** Number of armored blocks that the entry stands for. Absent: 1. */
  readonly blocks?: number;
}

/** An input whose other parts are empty: that of a format that does not read them, and of errors. */
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
