import type { FindingSink } from '../record/findings.js';
import type { PagingMetadata } from './document/paging-metadata.js';

export interface StatedPageFacts {
  /** As the source reports. */
  readonly total?: number;
  /** The one that the source reports to have applied. */
  readonly limit?: number;
  /** In milliseconds since 1970, from the response's envelope or header. */
  readonly lastModified?: number;
  /** Milliseconds, as feeds state. Absent: the page states none. */
  readonly statedLifetime?: number;
  /** As the source states, in lower case (interfaces 5). */
  readonly access?: string;
  /** First properties besides the records, for reports to a person. Absent without an envelope. */
  readonly envelope?: readonly string[];
}

/** Its records have not been read. */
export interface RawPage extends StatedPageFacts {
  /** As sent. Of a document: the entries that `only` selects. */
  readonly records: readonly unknown[];
  /** Gives one of `records` this gateway's property names and counts it in `document`, once. Absent: it has them. */
  readonly mapEntry?: (entry: unknown) => MappedEntry;
  /** Of `records`. Absent: all; a feed's channel describes the list instead. */
  readonly listedCount?: number;
  /** All of a document, including those that `only` leaves out. Absent: they are the records. */
  readonly entries?: readonly unknown[];
  /** Absent for a page of an interface. */
  readonly document?: DocumentPageFacts;
}

/** With this gateway's property names; the identity is empty if it has none. */
export interface MappedEntry {
  readonly record: unknown;
  readonly id: string;
}

/** What expressions gave for one page (operation 2.8.16). A plain value. */
export interface DocumentPageFacts {
  /** Includes entries that `only` leaves out. */
  readonly entryCount: number;
  /** As sent, absolute or relative. Absent: the page names none. */
  readonly next?: string;
  /** From the Link field (RFC 8288). */
  readonly linkedNext?: string;
  readonly stated?: PagingMetadata;
  /** At most three; equal for equal entries. Absent before the body has been read. */
  readonly firstEntries?: readonly string[];
  /** Of each record; empty if it has none. Absent: no expression gives it. */
  readonly ids?: readonly string[];
  /** Entries for which an expression gave a value, by its field. */
  readonly valueCounts: ReadonlyMap<string, number>;
  /** The first entry for which an expression failed, by its field. */
  readonly failures: ReadonlyMap<string, ExpressionFailure>;
  readonly joined?: JoinedEntries;
}

export interface ExpressionFailure {
  /** In the list, from 1. */
  readonly entry: number;
  /** From the library: types, and no value. */
  readonly message: string;
}

/** Of a second document: JSON texts, parsed when an entry of the first has one of their keys. A plain value. */
export interface JoinedEntries {
  readonly texts: readonly string[];
  readonly keys: readonly string[];
  /** In `texts`, for each of `keys`. */
  readonly positions: readonly number[];
}

/** Beside the body's bytes. A plain value. */
export interface BodyContext {
  /** Of the response. */
  readonly contentType?: string | undefined;
  /** Its extension may name the format. */
  readonly path: string;
  readonly joined?: JoinedEntries | undefined;
}

/**
 * Adds findings about entries to `findings`. Throws a `SourceFailure`: `body` if the bytes are not of the format,
 * `schema` if they are not what was requested, `size` beyond a limit (decisions 8.6).
 */
export type PageParser = (body: Buffer, context: BodyContext, findings: FindingSink) => RawPage;
