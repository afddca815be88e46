/** Formats in which a document is published (operation 2.8.16). */
export const documentFormats = ['json', 'ndjson', 'csv'] as const;
export type DocumentFormat = (typeof documentFormats)[number];

/**
 * How the records of a published document are read (operation 2.8.16). All expressions are JMESPath and valid. A plain
 * value, which is sent to the worker thread.
 */
export interface DocumentMapping {
  /** Format of the document. Undefined: by the media type of the response, else by the extension of the address. */
  readonly format?: DocumentFormat | undefined;
  /** Expression over the document that gives the list of records. */
  readonly records: string;
  /** Expression over one record for each property, by the name of the property. */
  readonly map: Readonly<Record<string, string>>;
  /** Values of properties that a record does not have. */
  readonly defaults: Readonly<Record<string, string>>;
  /** Expression over one record. Records for which it gives false, null or nothing are left out. Undefined: none. */
  readonly only?: string | undefined;
}

/** A published document that is registered as a source. */
export interface PublishedDocument {
  /** Absolute http(s) URL with its query, or the file URL of a file of this machine. */
  readonly url: string;
  readonly mapping: DocumentMapping;
}
