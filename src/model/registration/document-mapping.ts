import type { Resource } from '../resource.js';

/** Operation 2.8.16. */
export const documentFormats = ['json', 'ndjson', 'csv', 'rollcall-csv', 'yaml', 'xml'] as const;

export type DocumentFormat = (typeof documentFormats)[number];

export const csvEncodings = ['utf-8', 'utf-16', 'windows-1252', 'iso-8859-1'] as const;

export type CsvEncoding = (typeof csvEncodings)[number];

export interface DocumentFormatSettings {
  /** Undefined: by the media type of the response, else by the extension of the address. */
  readonly format?: DocumentFormat | undefined;
  /** Delimiter of CSV, one character. Undefined: the one that the first line shows. */
  readonly delimiter?: string | undefined;
  /** Encoding of CSV. Undefined: the one that the bytes show. */
  readonly encoding?: CsvEncoding | undefined;
}

/** Where the entries of a document are. Expressions are valid JMESPath. A plain value. */
export interface DocumentLayout extends DocumentFormatSettings {
  /**
   * Expression over the document that gives the list of entries. Undefined: the document is the list. `@`: it is the list, or
   * else the one entry.
   */
  readonly records?: string | undefined;
  /** Expression over the document that gives the address of the next page. Undefined: none. */
  readonly next?: string | undefined;
}

/** A plain value, which is sent to the worker thread. */
export interface DocumentMapping extends DocumentLayout {
  /** Expression over one entry for the stable identity of a team. Undefined: it is derived from the name. */
  readonly identity?: string | undefined;
  /** Expression over one entry by property. */
  readonly map: Readonly<Record<string, string>>;
  /** Values of properties that an entry lacks. */
  readonly defaults: Readonly<Record<string, string>>;
  /** Expression over one entry. Entries for which it gives false, null or nothing are left out. */
  readonly only?: string | undefined;
  /** Properties whose texts are cells of a CSV that a Rollcall wrote (decisions 4.29). */
  readonly cells?: MappedCells | undefined;
  /** How entries of a second document are added to each entry before the other expressions see it. */
  readonly join?: EntryJoin | undefined;
}

export interface MappedCells {
  /** Lists: each cell is split. */
  readonly lists: readonly string[];
  /** Further properties: a cell with a separator is split. */
  readonly further: readonly string[];
}

interface EntryJoin {
  /** Expression over an entry of the first document: its key, or a list of keys. */
  readonly key: string;
  /** Name of the property with the list of added entries. */
  readonly as: string;
}

/** A plain value. */
export interface JoinedLayout extends DocumentLayout {
  /** Expression over an entry of the second document: its key, or a list of keys. */
  readonly key: string;
}

/** Counts pages, or the entries before them. */
interface CountedPages {
  readonly parameter: string;
  readonly from: number;
  readonly step: number;
}

export interface DocumentAddress {
  /** Absolute http(s) URL with its query, or file URL on this machine. */
  readonly url: string;
  readonly page?: CountedPages | undefined;
}

export interface PublishedDocument extends DocumentAddress {
  /** Interface whose properties the document maps. */
  readonly interfaceName: Resource['interfaceName'];
  readonly mapping: DocumentMapping;
  /** The second document, whose entries are added to those of the first. */
  readonly joined?: (DocumentAddress & { readonly layout: JoinedLayout }) | undefined;
}
