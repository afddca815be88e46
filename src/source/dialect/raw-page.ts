import type { FindingSink } from '../record/findings.js';
import type { PagingMetadata } from './document/paging-metadata.js';

/** What a page says about its list. */
export interface StatedPageFacts {
  /** Number of matches that the source reports. */
  readonly total?: number;
  /** The limit that the source reports to have applied. */
  readonly limit?: number;
  /** Last-Modified of the response in milliseconds since 1970, from its envelope or header. */
  readonly lastModified?: number;
  /** Milliseconds for which the page itself says that it may be used, as feeds do. Absent: it says nothing. */
  readonly statedLifetime?: number;
  /** The access level that the source states, in lower case (interfaces 5). */
  readonly access?: string;
  /**
   * Names of the first properties of its envelope other than the records, for reports to a person. Absent if the page
   * has no envelope.
   */
  readonly envelope?: readonly string[];
}

/** A received page whose records have not been read. */
export interface RawPage extends StatedPageFacts {
  /** The records as sent. Of a document: the entries that `only` selects. */
  readonly records: readonly unknown[];
  /**
   * Converts one of `records` to the property names of this gateway, and counts it in `document`. Called once for each.
   * Absent: the records have these names.
   */
  readonly mapEntry?: (entry: unknown) => MappedEntry;
  /** Number of `records` that the source lists. Absent: all; the channel of a feed describes the list instead. */
  readonly listedCount?: number;
  /** Of a document: all its entries, including those that `only` leaves out. Absent: they are the records. */
  readonly entries?: readonly unknown[];
  /** Of a document: what its expressions gave. Absent for a page of an interface. */
  readonly document?: DocumentPageFacts;
}

/** An entry of a document in the property names of this gateway, and its identity (empty if it has none). */
export interface MappedEntry {
  readonly record: unknown;
  readonly id: string;
}

/** What the expressions of a registration gave for one page of a document (operation 2.8.16). A plain value. */
export interface DocumentPageFacts {
  /** Number of entries, including those that `only` leaves out. */
  readonly entryCount: number;
  /** Address of the next page as sent, absolute or relative. Absent: the page names none. */
  readonly next?: string;
  /** The same in the Link field of the response (RFC 8288). */
  readonly linkedNext?: string;
  /** What the page says beside that about its list. Absent: nothing. */
  readonly stated?: PagingMetadata;
  /** The first three entries, as far as they exist: equal for equal entries. Absent before the body has been read. */
  readonly firstEntries?: readonly string[];
  /** Identity of each record that was read; empty if it has none. Absent: the registration has no expression for it. */
  readonly ids?: readonly string[];
  /** Number of entries for which an expression gave a value, by its field. */
  readonly valueCounts: ReadonlyMap<string, number>;
  /** The first entry for which an expression failed, by its field. */
  readonly failures: ReadonlyMap<string, ExpressionFailure>;
  /** The entries of a page of the second document. */
  readonly joined?: JoinedEntries;
}

/** An entry for which an expression could not be evaluated. */
export interface ExpressionFailure {
  /** Position among the entries of the list, from 1. */
  readonly entry: number;
  /** What the library says: types, and no value. */
  readonly message: string;
}

/**
 * The entries of a second document with their keys. Entries are JSON texts, which are parsed when an entry of the first
 * document has their key. An entry may have several keys. A plain value.
 */
export interface JoinedEntries {
  readonly texts: readonly string[];
  readonly keys: readonly string[];
  /** For each of `keys`, the position of its entry in `texts`. */
  readonly positions: readonly number[];
}

/** What a body is read with, beside its bytes. A plain value. */
export interface BodyContext {
  /** Content-Type of the response. */
  readonly contentType?: string | undefined;
  /** Path of the address, whose extension may name the format. */
  readonly path: string;
  /** The entries of the second document. */
  readonly joined?: JoinedEntries | undefined;
}

/**
 * Parses the body of one response. Findings about entries are added to `findings`. Throws a `SourceFailure`: `body` if
 * the bytes are not of the format, `schema` if they are not what was requested, `size` beyond a limit of (decisions
 * 8.6).
 */
export type PageParser = (body: Buffer, context: BodyContext, findings: FindingSink) => RawPage;
