import type { Resource } from '../model/resource.js';
import type { FailureReason } from '../model/outcome.js';
import type { FindingRule } from '../source/record/findings.js';

/** Report of `rollcall preview`, as `--json` prints it (operation 1.7.3). It contains plain values only. */
export interface PreviewReport {
  readonly version: 2;
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
  /** Names of the entries that no expression mentions; of an interface, properties that were dropped. At most 1,000. */
  readonly unused: readonly UnusedPropertyReport[];
  readonly findings: readonly FindingReport[];
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
export interface ChannelReport extends Pick<RecordReport, 'record' | 'sent'> {
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
  /** The record as Rollcall shows it; empty if it was dropped. */
  readonly record: Readonly<Record<string, unknown>>;
  /** Of a document: what the expressions gave, and the defaults, before they were read. */
  readonly mapped?: unknown;
  /** The entry, with those of the second document; of a feed, what it states. */
  readonly sent: unknown;
  /** Data-quality findings about its properties. */
  readonly findings: readonly { readonly field: string; readonly rule: FindingRule }[];
}

/** What one expression over entries gave. */
export interface ExpressionReport {
  /** The property; `(only)` and `(join)` for the expressions of these settings. */
  readonly property: string;
  readonly expression: string;
  /**
   * Number of records for which it gave a value, other than an empty list; of `(only)`, entries that are kept; of `(join)`,
   * entries to which others were added.
   */
  readonly values: number;
  /** Number of records for which it could not be evaluated. */
  readonly failures: number;
  /** The first of these, with the message, such as `entry 2: …`. */
  readonly firstFailure?: string;
}

/** A property that was not used. */
export interface UnusedPropertyReport {
  readonly name: string;
  /** Number of entries that have it, with a value, among those that `only` keeps; among all where it keeps none. */
  readonly entries: number;
  /** The first of its values. */
  readonly example: unknown;
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
  readonly properties: readonly { readonly path: string; readonly type: string }[];
  /** Expressions that give a list of objects, the longest first. */
  readonly candidates: readonly { readonly expression: string; readonly type: string }[];
}
