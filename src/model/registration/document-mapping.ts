import type { Resource } from '../resource.js';

/** Formats in which a document is published (operation 2.8.16). */
export const documentFormats = ['json', 'ndjson', 'csv', 'rollcall-csv', 'yaml', 'xml'] as const;

/** A format in which a document is published. */
export type DocumentFormat = (typeof documentFormats)[number];

/** Encodings of CSV that a registration may name. */
export const csvEncodings = ['utf-8', 'utf-16', 'windows-1252', 'iso-8859-1'] as const;

/** An encoding of CSV, as `document.encoding` names it. */
export type CsvEncoding = (typeof csvEncodings)[number];

/** What a registration says about the format of a published document. */
export interface DocumentFormatSettings {
  /** Undefined: by the media type of the response, else by the extension of the address. */
  readonly format?: DocumentFormat | undefined;
  /** Delimiter of CSV, one character. Undefined: the one that the first line shows. */
  readonly delimiter?: string | undefined;
  /** Encoding of CSV. Undefined: the one that the bytes show. */
  readonly encoding?: CsvEncoding | undefined;
}

/** Where the entries of a document are. Expressions are JMESPath and valid. A plain value. */
export interface DocumentLayout extends DocumentFormatSettings {
  /**
   * Expression over the document that gives the list of entries. Undefined: the document is the list. `@`: it is the list, or
   * else the one entry.
   */
  readonly records?: string | undefined;
  /** Expression over the document that gives the address of the next page. Undefined: no such links. */
  readonly next?: string | undefined;
}

/** How the records of a published document are read. A plain value, which is sent to the worker thread. */
export interface DocumentMapping extends DocumentLayout {
  /** Expression over one entry that gives the stable identity of a team. Undefined: it is derived from the name. */
  readonly identity?: string | undefined;
  /** Expression over one entry for each property, by the name of the property. */
  readonly map: Readonly<Record<string, string>>;
  /** Values of properties that an entry does not have. */
  readonly defaults: Readonly<Record<string, string>>;
  /** Expression over one entry. Entries for which it gives false, null or nothing are left out. Undefined: none. */
  readonly only?: string | undefined;
  /** Properties whose texts are cells of a CSV that a Rollcall wrote (decisions 4.29). Undefined: none. */
  readonly cells?: MappedCells | undefined;
  /** How entries of a second document are added to each entry, before the other expressions see it. Undefined: none. */
  readonly join?: EntryJoin | undefined;
}

/** Properties of a CSV that a Rollcall wrote, by how their cells are read. */
export interface MappedCells {
  /** Names of lists: each cell is split. */
  readonly lists: readonly string[];
  /** Names of further properties: a cell with a separator is split. */
  readonly further: readonly string[];
}

/** How the entries of a second document are added to those of the first. */
export interface EntryJoin {
  /** Expression over an entry of the first document: its key, or a list of keys. */
  readonly key: string;
  /** Name of the property with the list of added entries. */
  readonly as: string;
}

/** Where the entries of the second document are, and which keys they have. A plain value. */
export interface JoinedLayout extends DocumentLayout {
  /** Expression over an entry of the second document: its key, or a list of keys. */
  readonly key: string;
}

/** A query parameter that counts pages, or the entries before them. */
export interface CountedPages {
  readonly parameter: string;
  /** Its value for the first page. */
  readonly from: number;
  /** By how much it is raised for each further page. */
  readonly step: number;
}

/** Address of a document, and the parameter that counts its pages. */
export interface DocumentAddress {
  /** Absolute http(s) URL with its query, or the file URL of a file of this machine. */
  readonly url: string;
  readonly page?: CountedPages | undefined;
}

/** A published document that is registered as a source. */
export interface PublishedDocument extends DocumentAddress {
  /** The interface whose properties the document maps. */
  readonly interfaceName: Resource['interfaceName'];
  readonly mapping: DocumentMapping;
  /** The second document, whose entries are added to those of the first. Undefined: none. */
  readonly joined?: (DocumentAddress & { readonly layout: JoinedLayout }) | undefined;
}
