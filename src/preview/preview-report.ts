import type { Resource } from '../model/resource.js';
import type { FailureReason } from '../model/outcome.js';
import type { FindingRule } from '../source/record/findings.js';

/** Report of `rollcall preview`, as `--json` prints it (operation 1.7.3). It contains plain values only. */
export interface PreviewReport {
  /** Code of the source. */
  readonly source: string;
  readonly sourceName: string;
  /** All requests, redirects included. */
  readonly requests: readonly RequestReport[];
  /** What the source has, one entry for each resource that it serves. */
  readonly resources: readonly ResourceReport[];
}

/** One request and its response. */
export interface RequestReport {
  /** Path and query as sent, without credentials; of a file its path; of a feed its address as far as the path. */
  readonly target: string;
  /** Absent: there was no response. */
  readonly status?: number;
  /** Content-Type of the response. */
  readonly mediaType?: string;
  /** Size of the decoded body; absent where the body was not read. */
  readonly bytes?: number;
  /** Format in which the body was read. */
  readonly format?: string;
  /** Time until the body had arrived. */
  readonly milliseconds: number;
}

/** The first page of one resource, or one feed, or why it could not be read. */
export type ResourceReport = ResourceName & (ReadResourceReport | FailedResourceReport);

interface ResourceName {
  /** `feed`: one feed of a source that consists of feeds. */
  readonly resource: Resource['path'] | 'feed';
  readonly interface: Resource['interfaceName'];
  /** Of a feed: its address as far as the path. Several with the same one are numbered. */
  readonly feed?: string;
}

/** A resource whose first page was read. */
export interface ReadResourceReport {
  /** Of a feed: what it states beside its items. */
  readonly channel?: ChannelReport;
  /** Whether the entries are those of a published document. */
  readonly isDocument: boolean;
  /** Number of entries on the page. */
  readonly received: number;
  /** Number of entries that `only` leaves out. */
  readonly leftOut: number;
  /** Number of records that were read. */
  readonly read: number;
  /** Number of records that were dropped, by the rule of data quality. */
  readonly dropped: readonly { readonly rule: FindingRule; readonly count: number }[];
  /** The first entries that `only` keeps. */
  readonly records: readonly RecordReport[];
  /** Of a document: its expressions. Empty for an interface. */
  readonly expressions: readonly ExpressionReport[];
  /** Properties of the entries that no expression has read; of an interface, properties that were dropped. */
  readonly unused: readonly UnusedPropertyReport[];
  /** Number of further unused properties, which are not in the list. */
  readonly unusedBeyond: number;
  readonly findings: readonly FindingReport[];
  /** Of a document: its first values that belong to no entry. Empty for an interface. */
  readonly outside: readonly PathValue[];
  /** Why Rollcall would not serve this page as it is. */
  readonly problems: readonly string[];
  /** Address of the next page. */
  readonly nextPage?: string;
  /** Number of entries that the source counts. */
  readonly total?: number;
  /** The first entries as received. */
  readonly entries: readonly unknown[];
  /** The first entries of the second document as received. */
  readonly joinedEntries?: readonly unknown[];
}

/** The channel of a feed, and what the feed states about itself. */
export interface ChannelReport extends Pick<RecordReport, 'record' | 'sent' | 'properties'> {
  /** Id of the channel. */
  readonly id: string;
  /** Format of the feed, such as `RSS`. Absent: it is not known. */
  readonly format?: string;
  /** Seconds for which the feed says that copies may be used. Absent: it says nothing. */
  readonly lifetime?: number;
}

/** One entry, and the record that was built from it. */
export interface RecordReport {
  /** Number of the entry on the page, from 1. */
  readonly entry: number;
  /** Id of the record, as far as this page, or these feeds, determine it. Absent: the record was dropped. */
  readonly id?: string;
  /** Why the record was dropped. */
  readonly dropped?: FindingRule;
  /** The record as Rollcall shows it. */
  readonly record: Readonly<Record<string, unknown>>;
  /** The entry as received, with the entries of the second document. */
  readonly sent: unknown;
  /** How each property was built; those of `record` first. */
  readonly properties: readonly PropertyReport[];
  /** Values of the entry that no expression has read. */
  readonly unused: readonly PathValue[];
}

/** How one property of a record was built. */
export interface PropertyReport {
  readonly name: string;
  /** As Rollcall shows it. Absent: the record does not have the property. */
  readonly value?: unknown;
  /** Where the value is from; `derived`: from the other properties, or of an id of a feed from an identity. */
  readonly origin: 'source' | 'default' | 'registration' | 'derived';
  /** The values of the entry that it was built from. */
  readonly from: readonly PathValue[];
  /** Why its expression could not be evaluated. */
  readonly failure?: string;
  /** Data-quality findings about the property. */
  readonly findings: readonly FindingRule[];
}

/** A value of an entry with its place. */
export interface PathValue {
  /** In the syntax of JMESPath, such as `contact.phones[0]`. */
  readonly path: string;
  /** Absent: the entry does not have it. */
  readonly value?: unknown;
}

/** What one expression over entries gave. */
export interface ExpressionReport {
  /** The property; `(only)` and `(join)` for the expressions of these settings. */
  readonly property: string;
  readonly expression: string;
  /** Number of records for which it gave a value, other than an empty list; of `(only)`, entries that are kept; of `(join)`, entries with a key. */
  readonly values: number;
  /** Number of records for which it could not be evaluated. */
  readonly failures: number;
  /** The first of these. */
  readonly firstFailure?: { readonly entry: number; readonly name?: string; readonly message: string };
}

/** A property that was not used. */
export interface UnusedPropertyReport {
  /** Place in the entry; `[]` stands for any item of a list. */
  readonly path: string;
  /** Number of entries that have it, with a value, among those that `only` keeps; among all where it keeps none. */
  readonly entries: number;
  /** Up to three different values; where the property belongs to an object in a list, up to three such objects. */
  readonly examples: readonly unknown[];
}

/** A data-quality finding. */
export interface FindingReport {
  readonly rule: string;
  readonly field: string;
  readonly count: number;
  /** The first value that was found; absent where there is none. */
  readonly example?: unknown;
}

/** A resource that could not be read. */
export interface FailedResourceReport {
  readonly failure: {
    readonly reason: FailureReason;
    readonly message: string;
    /** What the operator may change. */
    readonly hint?: string;
    /** Beginning of the body as received. */
    readonly body?: string;
    /** What the document consists of, where its entries were not found. */
    readonly document?: DocumentShape;
  };
}

/** The outer structure of a document. */
export interface DocumentShape {
  /** Type of the whole, such as `list of 3 objects`. */
  readonly type: string;
  /** Its properties with their types. */
  readonly properties: readonly { readonly path: string; readonly type: string }[];
  /** Expressions that give a list of objects, the longest first. */
  readonly candidates: readonly { readonly expression: string; readonly type: string }[];
}
